/**
 * Registers what the examples need on a Signet that runs: a project, a web app, a single-page app, an API, a machine user with
 * a key, and the resource that the MCP server is. `npm run example` does it when it is needed; by itself, this prints the
 * settings of the examples.
 */
import { readFileSync } from 'node:fs'

const { SIGNET_URL = 'http://localhost:8080', SIGNET_DATA_DIR = 'data' } = process.env
const { WEB_APP = 'http://localhost:3000', SPA = 'http://localhost:3001', API = 'http://localhost:3002' } = process.env
const { MCP = 'http://localhost:3004' } = process.env
const addresses = { ISSUER: SIGNET_URL, WEB_APP, SPA, API, MCP }

type Answer = Readonly<Record<string, string>>

function send(path: string, body?: object): Promise<Response> {
  const token = readFileSync(`${SIGNET_DATA_DIR}/admin.pat`, 'utf8').trim()
  return fetch(`${SIGNET_URL}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function call(path: string, body?: object): Promise<Answer> {
  const response = await send(path, body)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

async function addApplication(projectId: string | undefined, name: string, type: object): Promise<Answer> {
  const path = '/signet.application.v2.ApplicationService/CreateApplication'
  const answer = (await call(path, { projectId, name, ...type })) as unknown as Readonly<Record<string, Answer>>
  return answer.oidcConfiguration ?? answer.apiConfiguration ?? {}
}

/** Whether the server still has what was registered, at these addresses: its data may have been removed since. */
export async function isRegistered(settings: NodeJS.Dict<string>): Promise<boolean> {
  const isMoved = Object.entries(addresses).some(([name, value]) => settings[name] !== value)
  if (isMoved) return false
  const response = await send('/signet.project.v2.ProjectService/GetProject', { projectId: settings.PROJECT_ID })
  return response.ok
}

/** Registers everything anew, and answers with the settings of the examples. */
export async function register(): Promise<NodeJS.Dict<string>> {
  const name = `Examples ${new Date().toISOString()}`
  const { org } = (await call('/management/v1/orgs/me')) as unknown as { readonly org: { readonly id: string } }
  const { projectId } = await call('/signet.project.v2.ProjectService/CreateProject', { organizationId: org.id, name })

  const webApp = await addApplication(projectId, 'Web app', {
    oidcConfiguration: { redirectUris: [`${WEB_APP}/callback`], postLogoutRedirectUris: [`${WEB_APP}/`] },
  })
  const spa = await addApplication(projectId, 'Single-page app', {
    oidcConfiguration: {
      applicationType: 'OIDC_APP_TYPE_USER_AGENT',
      // Everyone can read the code of the page, so there is no secret; PKCE takes its place.
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
      redirectUris: [`${SPA}/`],
      postLogoutRedirectUris: [`${SPA}/`],
    },
  })
  const api = await addApplication(projectId, 'API', { apiConfiguration: {} })

  const scopes = [
    { key: 'notes:read', description: 'See your notes' },
    { key: 'notes:write', description: 'Add notes' },
  ]
  const path = '/signet.project.v2.ProjectService/SetProjectResources'
  const set = await send(path, { projectId, resources: [{ uri: `${MCP}/mcp`, scopes }] })
  // 409: the project of an earlier run has it, which does as well.
  if (!set.ok && set.status !== 409) throw new Error(`${path}: ${set.status} ${await set.text()}`)
  // The instance must allow such clients as well, see docs/how-to/protect-an-mcp-server.md.
  const agentAccess = { clientIdMetadataDocuments: true, dynamicRegistration: true }
  await call('/signet.project.v2.ProjectService/UpdateProject', { projectId, agentAccess })

  const { userId } = await call('/management/v1/users/machine', { userName: `robot ${Date.now()}`, name: 'Robot' })
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const { keyContent } = await call(`/v2/users/${userId}/keys`, { expirationDate: inAYear })

  return {
    ...addresses,
    PROJECT_ID: projectId,
    WEB_APP_CLIENT_ID: webApp.clientId,
    WEB_APP_CLIENT_SECRET: webApp.clientSecret,
    SPA_CLIENT_ID: spa.clientId,
    API_CLIENT_ID: api.clientId,
    API_CLIENT_SECRET: api.clientSecret,
    MACHINE_KEY: keyContent,
  }
}

if (import.meta.main) {
  for (const [name, value] of Object.entries(await register())) console.log(`${name}=${value}`)
}
