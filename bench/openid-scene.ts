/** A server with a project, an application, an API, two machines and a user who is signed in, for the OpenID measurements. */
import { createHash, randomBytes } from 'node:crypto'
import { DOCUMENT, REDIRECT_URI } from './agent.ts'
import type { Load } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'

const RESOURCE = 'https://mcp.example.com/mcp'
const RESOURCE_SCOPE = 'tools:read'

const PASSWORD = 'Correct horse 7 battery'
const FORM = 'application/x-www-form-urlencoded'
const CALLERS = 64

interface Client {
  readonly id: string
  readonly secret: string
}

/** What a complete flow is for. */
export const FLOWS = {
  plain: 'complete flow, authorize to token',
  resource: 'complete flow with a resource',
  document: 'complete flow with a resource, client with a metadata document',
} as const

export type FlowName = keyof typeof FLOWS

export interface Scene extends Signet {
  readonly projectId: string
  readonly api: Client
  /** Its tokens are opaque. */
  readonly machine: Client
  /** Its tokens are signed. */
  readonly signer: Client
  /** A token of the user. */
  readonly userToken: string
  /** A token of the user for a resource. */
  readonly resourceToken: string
  /** The cookie of the user who is signed in. */
  readonly cookie: string
  /** Complete flows: authorization request with the cookie of the user, code, tokens. */
  readonly flows: Readonly<Record<FlowName, () => Promise<string>>>
  call(path: string, body: object): Promise<Record<string, never>>
}

function basic({ id, secret }: Client): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

async function addMachine(call: Scene['call'], name: string, accessTokenType: string): Promise<Client> {
  const { userId } = await call('/management/v1/users/machine', { userName: name, name, accessTokenType })
  const { clientSecret } = await call(`/v2/users/${userId}/secret`, {})
  return { id: name, secret: clientSecret as unknown as string }
}

async function addApplication(call: Scene['call'], projectId: string, name: string, type: object): Promise<Client> {
  const made = await call('/signet.application.v2.ApplicationService/CreateApplication', { projectId, name, ...type })
  const { oidcConfiguration, apiConfiguration } = made as { oidcConfiguration?: object; apiConfiguration?: object }
  const { clientId, clientSecret } = (oidcConfiguration ?? apiConfiguration) as Record<string, string>
  return { id: clientId ?? '', secret: clientSecret ?? '' }
}

/** Adds applications that no measurement uses. */
export async function addApplications({ call, projectId }: Scene, count: number): Promise<void> {
  let left = count
  const add = async () => {
    while (left-- > 0) {
      const name = `Application ${left}`
      await addApplication(call, projectId, name, { oidcConfiguration: { redirectUris: [REDIRECT_URI] } })
    }
  }
  await Promise.all(Array.from({ length: 16 }, add))
}

/** Fills in the form of a hosted page, with its hidden fields. */
function sendForm(home: string, page: string, given: Readonly<Record<string, string>>, path: string, cookie: string) {
  const fields = new URLSearchParams()
  for (const [tag] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    fields.set(/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  for (const [name, value] of Object.entries(given)) fields.set(name, value)
  return fetch(`${home}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': FORM, cookie, origin: home, 'sec-fetch-site': 'same-origin' },
    body: fields,
  })
}

/** The cookies of a browser after some answers. */
function cookieAfter(before: string, ...answers: readonly Response[]): string {
  const lines = [...before.split('; '), ...answers.flatMap(({ headers }) => headers.getSetCookie())]
  const cookies = new Map(lines.map((line) => /^([^=]+)=([^;]*)/.exec(line)?.slice(1) as [string, string]))
  return [...cookies].map((entry) => entry.join('=')).join('; ')
}

/** The cookie of the user after a sign-in with the hosted page. */
async function signIn(home: string): Promise<string> {
  const page = await fetch(`${home}/ui/login`)
  const cookie = cookieAfter('none=', page)
  const fields = { userName: 'ada', password: PASSWORD }
  const answer = await sendForm(home, await page.text(), fields, '/ui/login', cookie)
  if (answer.status !== 303) throw new Error(`the user could not sign in: ${answer.status} ${await answer.text()}`)
  return cookieAfter(cookie, answer)
}

interface Flow {
  readonly home: string
  readonly cookie: string
  /** A client without a secret proves nothing. */
  readonly client: { readonly id: string; readonly secret?: string }
  readonly about: Readonly<Record<string, string>>
}

const PLAIN = { scope: 'openid profile email' }
const FOR_RESOURCE = { scope: RESOURCE_SCOPE, resource: RESOURCE }

async function authorize({ home, cookie, client, about }: Flow, verifier: string): Promise<Response> {
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...about,
  })
  const asked = await fetch(`${home}/oauth/v2/authorize?${query}`, { redirect: 'manual', headers: { cookie } })
  await asked.arrayBuffer()
  return asked
}

function flowOf(flow: Flow): () => Promise<string> {
  const { home, client } = flow
  const headers = client.secret === undefined ? undefined : { authorization: basic(client as Client) }
  return async () => {
    const verifier = randomBytes(32).toString('base64url')
    const asked = await authorize(flow, verifier)
    const code = new URL(asked.headers.get('location') ?? home, home).searchParams.get('code')
    if (code === null) throw new Error(`no code came: ${asked.status} ${asked.headers.get('location')}`)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...(headers === undefined && { client_id: client.id }),
    }
    const body = new URLSearchParams(form)
    const answer = await fetch(`${home}/oauth/v2/token`, { method: 'POST', ...(headers && { headers }), body })
    const { access_token: token } = (await answer.json()) as { readonly access_token?: string }
    if (token === undefined) throw new Error(`no token came: ${answer.status}`)
    return token
  }
}

/** The user allows once what the client asks for. */
async function consent(flow: Flow): Promise<void> {
  const { home } = flow
  const asked = await authorize(flow, 'x'.repeat(43))
  const url = new URL(asked.headers.get('location') ?? home, home)
  const page = await fetch(url, { headers: { cookie: cookieAfter(flow.cookie, asked) } })
  const cookie = cookieAfter(flow.cookie, asked, page)
  const answer = await sendForm(home, await page.text(), { do: 'allow' }, '/ui/consent', cookie)
  if (answer.status !== 303) throw new Error(`the user could not allow it: ${answer.status} at ${url.pathname}`)
  // What was allowed is kept when the request continues.
  const next = new URL(url.searchParams.get('next') ?? '/', home)
  await fetch(next, { redirect: 'manual', headers: { cookie: cookieAfter(cookie, answer) } })
}

/** Lets clients with a metadata document ask for a resource of the project. */
async function addResource(call: Scene['call'], projectId: string): Promise<void> {
  const scopes = [{ key: RESOURCE_SCOPE, description: 'Use tools' }]
  await call('/signet.project.v2.ProjectService/SetProjectResources', {
    projectId,
    resources: [{ uri: RESOURCE, scopes }],
  })
  await call('/signet.project.v2.ProjectService/UpdateProject', {
    projectId,
    agentAccess: { clientIdMetadataDocuments: true },
  })
  await call('/signet.settings.v2.SettingsService/SetSecuritySettings', {
    clientIdMetadataDocuments: { enabled: true },
  })
}

/** Starts a server and fills it. */
export async function openScene(
  databaseUrl?: string,
  preload: readonly URL[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const own = new URL('client-document.ts', import.meta.url)
  const server = await startSignet(databaseUrl, {
    preload: [...preload, own],
    environment: { ...UNLIMITED, ...settings },
  })
  const home = `http://localhost:${server.port}`
  const call: Scene['call'] = async (path, body) => {
    const answer = await fetch(`${home}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, never>
  }
  const person = await call('/v2/users/human', {
    username: 'ada',
    profile: { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'en' },
    email: { email: 'ada@example.com', isVerified: true },
    password: { password: PASSWORD },
  })
  const { resourceOwner } = person.details as unknown as { readonly resourceOwner: string }
  const created = await call('/signet.project.v2.ProjectService/CreateProject', {
    organizationId: resourceOwner,
    name: 'Bench',
  })
  const projectId = String(created.projectId)
  const web = { oidcConfiguration: { redirectUris: [REDIRECT_URI] } }
  const application = await addApplication(call, projectId, 'Web', web)
  const api = await addApplication(call, projectId, 'API', { apiConfiguration: {} })
  const machine = await addMachine(call, 'machine', 'ACCESS_TOKEN_TYPE_BEARER')
  const signer = await addMachine(call, 'signer', 'ACCESS_TOKEN_TYPE_JWT')
  await addResource(call, projectId)
  const [cookie, stranger] = [await signIn(home), { id: DOCUMENT }]
  const byDocument = { home, cookie, client: stranger, about: FOR_RESOURCE }
  await consent(byDocument)
  const flows = {
    plain: flowOf({ home, cookie, client: application, about: PLAIN }),
    resource: flowOf({ home, cookie, client: application, about: FOR_RESOURCE }),
    document: flowOf(byDocument),
  }
  const [userToken, resourceToken] = [await flows.plain(), await flows.document()]
  return { ...server, projectId, api, machine, signer, flows, cookie, call, userToken, resourceToken }
}

type Port = number

function post(path: string, authorization: string, body: () => string): (port: Port) => Load {
  const headers = { 'content-type': FORM, authorization }
  return (port) => loadHttp1(port, { method: 'POST', path, headers, body: () => Buffer.from(body()) }, CALLERS)
}

/** Userinfo with one token. */
export function askUserinfo(token: string): (port: Port) => Load {
  const headers = { authorization: `Bearer ${token}` }
  const body = () => new Uint8Array()
  return (port) => loadHttp1(port, { method: 'GET', path: '/oidc/v1/userinfo', headers, body }, CALLERS)
}

/** Introspection of the tokens that `next` chooses. */
export function askIntrospection(api: Client, next: () => string): (port: Port) => Load {
  return post('/oauth/v2/introspect', basic(api), () => `token=${encodeURIComponent(next())}`)
}

/** A token with client credentials. */
export function askToken(client: Client, scope: string): (port: Port) => Load {
  const body = `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`
  return post('/oauth/v2/token', basic(client), () => body)
}

/** The scope that makes a machine's token one for the project. */
export function scopeOf({ projectId }: Scene): string {
  return `openid urn:zitadel:iam:org:project:id:${projectId}:aud`
}

/** Issues tokens to the machine and answers them. */
export async function issueTokens(scene: Scene, count: number): Promise<readonly string[]> {
  const tokens: string[] = []
  let left = count
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: scopeOf(scene) }).toString()
  const issue = async () => {
    while (left-- > 0) {
      const answer = await fetch(`http://localhost:${scene.port}/oauth/v2/token`, {
        method: 'POST',
        headers: { authorization: basic(scene.machine), 'content-type': FORM },
        body,
      })
      const { access_token: token } = (await answer.json()) as { readonly access_token?: string }
      if (token === undefined) throw new Error(`no token came: ${answer.status}`)
      tokens.push(token)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, issue))
  return tokens
}
