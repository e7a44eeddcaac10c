/** Adds applications to projects. */
import { accessAfterChange } from '../../../access/api-access.ts'
import type { Call } from '../../../access/call.ts'
import { hashSecret, newClientSecret } from '../../../crypto/tokens.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { findProject, placeOf, projectRefusals, projects } from '../../projects/index.ts'
import { isIdOrNameOfUser } from '../../users/index.ts'
import { applicationSecrets, applications } from '../documents.ts'
import type { ApplicationConfig } from '../events.ts'
import { usesSecret } from '../find-application.ts'
import type { LivingApplication } from '../state.ts'
import { checkConfig, checkId, checkName } from './check-application.ts'

export interface NewApplication {
  readonly projectId: string
  /** Chosen by the caller; if not given, the server generates one. */
  readonly applicationId?: string | undefined
  readonly name: string
  readonly config: ApplicationConfig
  /** The path of the configuration in the request. */
  readonly fieldPrefix: string
}

export interface AddedApplication {
  readonly written: Written<Document<LivingApplication>>
  /** It is shown once and not stored; empty when the application needs none. */
  readonly secret: string
}

interface Draft extends Pick<NewApplication, 'projectId' | 'name' | 'config'> {
  /** Chosen by the caller; otherwise generated in the write. */
  readonly applicationId: string | undefined
  readonly hash: string | undefined
}

/**
 * A client ID that nothing else has that tokens name: no user and no project. Their names and IDs can be chosen, and our
 * next IDs can be guessed. That there is no such ID is guarded until the commit.
 */
async function newClientId(app: App, work: Work): Promise<string> {
  for (;;) {
    const clientId = app.newId()
    const isProject = (await work.get(projects, clientId)) !== undefined
    if (!isProject && !(await isIdOrNameOfUser(app, clientId, work))) return clientId
  }
}

async function addTo(
  app: App,
  work: Work,
  { caller }: Pick<Call, 'caller'>,
  draft: Draft,
): Promise<Document<LivingApplication>> {
  const { applicationId: chosenId, hash, ...rest } = draft
  const project = await findProject(app, draft.projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.missing')
  if (chosenId !== undefined) await checkId(app, work, chosenId, project.owner)
  const applicationId = chosenId ?? (await work.unusedId(applications, app.newId))
  const command = { type: 'add', ...rest, clientId: await newClientId(app, work) } as const
  await work.decide(applications, applicationId, command, project.owner)
  // The whole instance is never given by the way: somebody must decide it for this application.
  const access = accessAfterChange(caller.grants, 'organization', placeOf(project))
  const allowed = { type: 'set_api_access', access, allowedBy: caller.userId } as const
  const added = await work.decide(applications, applicationId, allowed, project.owner)
  if (hash !== undefined) await work.decide(applicationSecrets, applicationId, { type: 'set', hash }, project.owner)
  return added as Document<LivingApplication>
}

/** Adds an application, with a secret if it authenticates itself with one. */
export async function addApplication(
  app: App,
  call: Pick<Call, 'caller' | 'origin'>,
  fresh: NewApplication,
): Promise<AddedApplication> {
  const { applicationId, projectId, name, config, fieldPrefix } = fresh
  checkName(name)
  checkConfig(app, config, fieldPrefix)
  const secret = usesSecret(config) ? newClientSecret() : ''
  const hash = secret === '' ? undefined : hashSecret(secret)
  const draft: Draft = { applicationId, projectId, name, config, hash }
  const written = await app.store.write(call.origin, (work) => addTo(app, work, call, draft))
  return { written, secret }
}
