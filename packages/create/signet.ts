/** The API of Signet, as the command needs it: nothing is believed that is too long or comes from elsewhere. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FRAMEWORKS, type FrameworkName, proposedUris } from './frameworks/index.ts'
import { EXIT, Problem, printable } from './problem.ts'

const LONGEST_ANSWER = 1024 * 1024
const TIMEOUT_MS = 15_000

type Answer = Readonly<Record<string, unknown>>

async function readLimited(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > LONGEST_ANSWER) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function ask(url: string, path: string, init: RequestInit = {}): Promise<{ status: number; answer: Answer }> {
  try {
    // A redirect would carry what is sent to another server.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(url + path, { ...init, redirect: 'manual', signal })
    if (answer.status >= 300 && answer.status < 400) throw new Error('it redirects elsewhere')
    return { status: answer.status, answer: JSON.parse(await readLimited(answer)) }
  } catch (error) {
    const { message, cause } = error as Error & { readonly cause?: Error }
    const reason = error instanceof SyntaxError ? 'its answer is no JSON' : cause?.message || message
    throw new Problem(`${url} is no Signet that can be reached: ${printable(reason)}.`)
  }
}

/** Throws unless a Signet answers that is called by this address. */
export async function requireSignet(url: string): Promise<void> {
  const { answer } = await ask(url, '/.well-known/openid-configuration')
  const acr = [answer.acr_values_supported].flat()
  if (!acr.some((one) => String(one).startsWith('urn:signet:'))) throw new Problem(`${url} is no Signet.`)
  if (answer.issuer !== url)
    throw new Problem(`This Signet is called ${printable(String(answer.issuer))}: use that as --url.`, EXIT.wrong)
}

/** The token of an administrator; never an argument, which other users of the machine could read. */
export function findToken(url: string, env: NodeJS.ProcessEnv, folder: string): string {
  if (env.SIGNET_TOKEN) return env.SIGNET_TOKEN.trim()
  const isLocal = url.startsWith('http:')
  const files = [env.SIGNET_DATA_DIR, join(folder, 'data'), 'data'].flatMap((dir) =>
    dir ? [join(dir, 'admin.pat')] : [],
  )
  const file = isLocal ? files.find((one) => existsSync(one)) : undefined
  if (file !== undefined) return readFileSync(file, 'utf8').trim()
  throw new Problem('There is no token: set SIGNET_TOKEN to the token of an administrator.', EXIT.wrong)
}

export interface Registered {
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** Takes everything back that was registered. */
  remove(): Promise<void>
}

const TYPES = {
  web: {},
  native: { applicationType: 'OIDC_APP_TYPE_NATIVE', authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' },
  spa: {
    applicationType: 'OIDC_APP_TYPE_USER_AGENT',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  },
} as const

/** The project of the console's own way to protect an app. */
const PROJECT = 'My apps'

/** Registers an app, and an API as a resource: its tokens are `at+jwt` for its address alone. */
export async function register(
  { url, token }: { readonly url: string; readonly token: string },
  { framework, name, address }: { readonly framework: FrameworkName; readonly name: string; readonly address: string },
): Promise<Registered> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async (method: string, body: object): Promise<Answer> => {
    const { status, answer } = await ask(url, `/signet.${method}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (status < 300) return answer
    throw new Problem(`Signet refused it: ${printable(String(answer.message ?? status))}`)
  }
  const { kind } = FRAMEWORKS[framework]
  const undo: (() => Promise<unknown>)[] = []
  const remove = async () => {
    for (const one of undo.reverse()) await one()
  }
  try {
    const { status, answer } = await ask(url, '/management/v1/orgs/me', { headers })
    if (status >= 300) throw new Problem('The token of the administrator is not accepted.', EXIT.wrong)
    const organizationId = String((answer.org as Answer | undefined)?.id)
    const projectId = await findOrCreateProject(call, undo, organizationId)
    const uris = proposedUris(FRAMEWORKS[framework], address)
    if (kind === 'api') await addResource(call, undo, projectId, address)
    const configuration = kind === 'api' ? { apiConfiguration: {} } : { oidcConfiguration: { ...uris, ...TYPES[kind] } }
    const created = await call('application.v2.ApplicationService/CreateApplication', {
      projectId,
      name,
      ...configuration,
    })
    const { applicationId } = created
    undo.push(() => call('application.v2.ApplicationService/DeleteApplication', { projectId, applicationId }))
    const { clientId, clientSecret } = (created.oidcConfiguration ?? created.apiConfiguration ?? {}) as Answer
    return {
      clientId: settingIn(clientId),
      clientSecret: clientSecret === undefined ? undefined : settingIn(clientSecret),
      remove,
    }
  } catch (error) {
    await remove().catch(() => undefined)
    throw error
  }
}

type Call = (method: string, body: object) => Promise<Answer>

async function findOrCreateProject(call: Call, undo: (() => Promise<unknown>)[], organizationId: string) {
  const filters = [
    { organizationIdFilter: { organizationId, type: 'OWNED' } },
    { projectNameFilter: { projectName: PROJECT } },
  ]
  const { projects = [] } = await call('project.v2.ProjectService/ListProjects', { filters })
  const [found] = projects as readonly Answer[]
  if (found !== undefined) return String(found.projectId)
  const { projectId } = await call('project.v2.ProjectService/CreateProject', { organizationId, name: PROJECT })
  undo.push(() => call('project.v2.ProjectService/DeleteProject', { projectId }))
  return String(projectId)
}

async function addResource(
  call: Call,
  undo: (() => Promise<unknown>)[],
  projectId: string,
  uri: string,
): Promise<void> {
  const { resources = [] } = await call('project.v2.ProjectService/ListProjectResources', { projectId })
  const before = resources as readonly Answer[]
  if (before.some((one) => one.uri === uri)) return
  await call('project.v2.ProjectService/SetProjectResources', { projectId, resources: [...before, { uri }] })
  undo.push(() => call('project.v2.ProjectService/SetProjectResources', { projectId, resources: before }))
}

/** A value that can stand in a file of settings: a line break would begin another setting. */
function settingIn(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/+=~@-]{1,1000}$/.test(value)) return value
  throw new Problem('The answer of this server is no answer of Signet.')
}
