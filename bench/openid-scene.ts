/** A server with a project, an application, an API, two machines and a user who is signed in, for the OpenID measurements. */
import { createHash, randomBytes } from 'node:crypto'
import type { Load } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'

const REDIRECT_URI = 'http://localhost/callback'
const PASSWORD = 'Correct horse 7 battery'
const FORM = 'application/x-www-form-urlencoded'
const CALLERS = 64

interface Client {
  readonly id: string
  readonly secret: string
}

export interface Scene extends Signet {
  readonly projectId: string
  readonly api: Client
  /** Its tokens are opaque. */
  readonly machine: Client
  /** Its tokens are signed. */
  readonly signer: Client
  /** A token of the user. */
  readonly userToken: string
  /** A complete flow: authorization request with the cookie of the user, code, tokens. */
  flow(): Promise<string>
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

/** The cookie of the user after a sign-in with the hosted page. */
async function signIn(home: string): Promise<string> {
  const page = await fetch(`${home}/ui/login`)
  const text = await page.text()
  const cookies = new Map<string, string>()
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
  }
  const cookie = () => [...cookies].map((entry) => entry.join('=')).join('; ')
  keep(page)
  const fields = new URLSearchParams({ userName: 'ada', password: PASSWORD })
  for (const [tag] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    fields.set(/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  const answer = await fetch(`${home}/ui/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': FORM, cookie: cookie(), origin: home, 'sec-fetch-site': 'same-origin' },
    body: fields,
  })
  keep(answer)
  if (answer.status !== 303) throw new Error(`the user could not sign in: ${answer.status} ${await answer.text()}`)
  return cookie()
}

function flowOf(home: string, application: Client, cookie: string): Scene['flow'] {
  return async () => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: application.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const asked = await fetch(`${home}/oauth/v2/authorize?${query}`, { redirect: 'manual', headers: { cookie } })
    await asked.arrayBuffer()
    const code = new URL(asked.headers.get('location') ?? home, home).searchParams.get('code')
    if (code === null) throw new Error(`no code came: ${asked.status} ${asked.headers.get('location')}`)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    }
    const headers = { authorization: basic(application) }
    const answer = await fetch(`${home}/oauth/v2/token`, { method: 'POST', headers, body: new URLSearchParams(form) })
    const { access_token: token } = (await answer.json()) as { readonly access_token?: string }
    if (token === undefined) throw new Error(`no token came: ${answer.status}`)
    return token
  }
}

/** Starts a server and fills it. */
export async function openScene(databaseUrl?: string, preload: readonly URL[] = []): Promise<Scene> {
  const server = await startSignet(databaseUrl, { preload, environment: UNLIMITED })
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
  const flow = flowOf(home, application, await signIn(home))
  return { ...server, projectId, api, machine, signer, flow, call, userToken: await flow() }
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
