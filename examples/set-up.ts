/**
 * Registers what the examples need on a Signet that runs: a project, a web app, a single-page app, an API, and a machine
 * user with a key. Prints the settings of the examples: `node examples/set-up.ts > examples/.env`.
 */
import { readFileSync } from 'node:fs'

const { SIGNET_URL = 'http://localhost:8080', SIGNET_DATA_DIR = 'data' } = process.env
const { WEB_APP = 'http://localhost:3000', SPA = 'http://localhost:3001', API = 'http://localhost:3002' } = process.env
const token = readFileSync(`${SIGNET_DATA_DIR}/admin.pat`, 'utf8').trim()

type Answer = Readonly<Record<string, string>>

async function call(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${SIGNET_URL}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

async function addApplication(projectId: string | undefined, name: string, type: object): Promise<Answer> {
  const path = '/signet.application.v2.ApplicationService/CreateApplication'
  const answer = (await call(path, { projectId, name, ...type })) as unknown as Readonly<Record<string, Answer>>
  return answer.oidcConfiguration ?? answer.apiConfiguration ?? {}
}

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

const { userId } = await call('/management/v1/users/machine', { userName: `robot ${Date.now()}`, name: 'Robot' })
const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString()
const { keyContent } = await call(`/v2/users/${userId}/keys`, { expirationDate: inAYear })

const settings = {
  ISSUER: SIGNET_URL,
  PROJECT_ID: projectId,
  WEB_APP,
  WEB_APP_CLIENT_ID: webApp.clientId,
  WEB_APP_CLIENT_SECRET: webApp.clientSecret,
  SPA,
  SPA_CLIENT_ID: spa.clientId,
  API,
  API_CLIENT_ID: api.clientId,
  API_CLIENT_SECRET: api.clientSecret,
  MACHINE_KEY: keyContent,
}
for (const [setting, value] of Object.entries(settings)) console.log(`${setting}=${value}`)
