/**
 * The project that stands for the API of this server, and the application with which the console signs users in. The
 * first start creates both; a database from before that gets them at its next start.
 */

import { PATHS } from '../../../kernel/page-paths.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { applications, type OidcConfig } from '../../applications/index.ts'
import { findInstance, type Instance, instances } from '../../instances/index.ts'
import { projects } from '../../projects/index.ts'

const PROJECT_NAME = 'Signet'
const CONSOLE_NAME = 'Console'
const CALLBACK_PATH = `${PATHS.console}/callback`
const AFTER_LOGOUT_PATH = `${PATHS.console}/`

/** There is no app before there is an instance, so these get only the parts that they need. */
type Tools = Pick<App, 'store' | 'newId' | 'clock' | 'externalUrl'>

function consoleUris(externalUrl: string) {
  return {
    // The API explorer signs in with the same application.
    redirectUris: [CALLBACK_PATH, PATHS.explorer].map((path) => new URL(path, externalUrl).href),
    postLogoutRedirectUris: [new URL(AFTER_LOGOUT_PATH, externalUrl).href],
    // Without it, an application in a browser can have no redirect URI with http.
    developmentMode: new URL(externalUrl).protocol === 'http:',
  }
}

function consoleConfig(externalUrl: string): OidcConfig {
  return {
    type: 'oidc',
    ...consoleUris(externalUrl),
    responseTypes: ['code'],
    grantTypes: ['authorization_code', 'refresh_token'],
    applicationType: 'user_agent',
    authMethod: 'none',
    accessTokenType: 'bearer',
    accessTokenRoleAssertion: false,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: false,
    clockSkewMs: 0,
    additionalOrigins: [],
    backChannelLogoutUri: '',
    skipNativeAppSuccessPage: false,
    isThirdParty: false,
  }
}

export interface NewApiProject {
  readonly instanceId: string
  readonly organizationId: string
  readonly projectId: string
  readonly consoleApplicationId: string
  readonly consoleClientId: string
  readonly externalUrl: string
}

/** Adds the project and the application as part of a write. */
export async function addApiProject(work: Work, fresh: NewApiProject, projectName = PROJECT_NAME): Promise<void> {
  const { instanceId, organizationId, projectId, consoleApplicationId, consoleClientId, externalUrl } = fresh
  // Decided first, so that a second node is refused because of it and not because a name is taken.
  const ids = { projectId, consoleApplicationId, consoleClientId }
  await work.decide(instances, instanceId, { type: 'set_api_project', ...ids })
  const project = {
    organizationId,
    name: projectName,
    projectRoleAssertion: false,
    authorizationRequired: false,
    projectAccessRequired: false,
    privateLabeling: 'unspecified',
  } as const
  await work.decide(projects, projectId, { type: 'add', ...project }, organizationId)
  const application = { projectId, name: CONSOLE_NAME, clientId: consoleClientId, config: consoleConfig(externalUrl) }
  await work.decide(applications, consoleApplicationId, { type: 'add', ...application }, organizationId)
}

/** The public address of the server may have changed: the old one must not receive codes any more. */
async function moveConsole({ store, clock, externalUrl }: Tools, applicationId: string): Promise<void> {
  const uris = consoleUris(externalUrl)
  await store.write({ actor: 'server', at: clock() }, async (work) => {
    const state = (await work.get(applications, applicationId))?.state
    if (state === undefined || !('config' in state) || state.config.type !== 'oidc') return
    const { redirectUris, postLogoutRedirectUris } = state.config
    if (uris.redirectUris.every((uri) => redirectUris.includes(uri))) return
    const others = (list: readonly string[], ...paths: readonly string[]) =>
      list.filter((uri) => !paths.includes(new URL(uri).pathname))
    const config = {
      ...state.config,
      ...uris,
      redirectUris: [...others(redirectUris, CALLBACK_PATH, PATHS.explorer), ...uris.redirectUris],
      postLogoutRedirectUris: [...others(postLogoutRedirectUris, AFTER_LOGOUT_PATH), ...uris.postLogoutRedirectUris],
    }
    await work.decide(applications, applicationId, { type: 'change', config })
  })
}

async function addTo(tools: Tools, instance: Document<Instance>, projectName?: string): Promise<void> {
  const { store, newId, clock, externalUrl } = tools
  await store.write({ actor: 'server', at: clock() }, async (work) => {
    const state = (await work.get(instances, instance.id))?.state
    if (state?.status !== 'running' || state.api !== undefined) return
    const organizationId = state.defaultOrganizationId
    const ids = {
      projectId: await work.unusedId(projects, newId),
      consoleApplicationId: await work.unusedId(applications, newId),
      consoleClientId: newId(),
    }
    const fresh = { instanceId: instance.id, organizationId, externalUrl, ...ids }
    await addApiProject(work, fresh, projectName)
  })
}

/** Adds what an older database lacks. Safe when several nodes start at once: one adds it and the others find it. */
export async function ensureApiProject(tools: Tools): Promise<void> {
  const instance = await findInstance(tools.store)
  if (instance?.state.status !== 'running') return
  if (instance.state.api !== undefined) return moveConsole(tools, instance.state.api.consoleApplicationId)
  try {
    await addTo(tools, instance)
  } catch (error) {
    // Taken by another node just now, or by a project that an administrator has created.
    if (!(error instanceof Refused) || error.code !== 'project.name_taken') throw error
    await addTo(tools, instance, `${PROJECT_NAME} ${instance.id}`)
  }
}
