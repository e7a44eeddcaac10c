/** The clients of the OpenID engine: applications. Machines are served without it, see machine-tokens.ts. */
import { createPublicKey, randomBytes } from 'node:crypto'
import type { AdapterPayload, ClientMetadata } from 'oidc-provider'
import type { App } from '../../access/app.ts'
import {
  activeApplicationOfClient,
  keysOfApplication,
  type LivingApplication,
  type OidcConfig,
} from '../../features/applications/index.ts'
import type { Document } from '../../store/index.ts'

/** The engine validates registered addresses by rules of its own; ours are checked by `redirect-uris.ts` instead. */
const PLACEHOLDER = 'https://client.invalid/'

/** The members of a client that name its application, and the addresses that it may receive answers at. */
export const APPLICATION_MEMBER = 'signet_application'
export const REDIRECTS_MEMBER = 'signet_redirects'

export type RedirectRules = Pick<OidcConfig, 'redirectUris' | 'applicationType' | 'developmentMode'>

function redirectRules({ redirectUris, applicationType, developmentMode }: OidcConfig): RedirectRules {
  return { redirectUris, applicationType, developmentMode }
}

const GRANT_TYPES: Readonly<Record<OidcConfig['grantTypes'][number], string | undefined>> = {
  authorization_code: 'authorization_code',
  // Not offered, see docs/decisions.
  implicit: undefined,
  refresh_token: 'refresh_token',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
}

const AUTH_METHODS = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
  none: 'none',
  private_key_jwt: 'private_key_jwt',
} as const

/** The public keys of an application as JSON Web Keys. */
async function jwksOf(app: App, applicationId: string): Promise<ClientMetadata['jwks']> {
  const keys = await keysOfApplication(app, applicationId)
  const now = app.clock()
  return {
    keys: keys
      .filter(({ state }) => state.expiresAt > now)
      .map(({ id, state }) => ({
        ...(createPublicKey(state.publicKey).export({ format: 'jwk' }) as { kty: 'RSA'; e: string; n: string }),
        kid: id,
        use: 'sig',
      })),
  }
}

async function clientOfApplication(app: App, { id, state }: Document<LivingApplication>): Promise<AdapterPayload> {
  const { config, clientId, name } = state
  const method = AUTH_METHODS[config.authMethod]
  const isOidc = config.type === 'oidc'
  const grantTypes = isOidc ? config.grantTypes.flatMap((type) => GRANT_TYPES[type] ?? []) : []
  const hasCode = isOidc && config.responseTypes.includes('code') && grantTypes.includes('authorization_code')
  return {
    client_id: clientId,
    client_name: name,
    // The engine wants one to be there; the hash of the real one is compared by `compareClientSecret`. Random, so that
    // nothing can be signed with it.
    ...(method.startsWith('client_secret') && { client_secret: randomBytes(32).toString('hex') }),
    token_endpoint_auth_method: method,
    redirect_uris: hasCode ? [PLACEHOLDER] : [],
    response_types: hasCode ? ['code'] : [],
    grant_types: grantTypes,
    application_type: isOidc && config.applicationType === 'native' ? 'native' : 'web',
    ...(method === 'private_key_jwt' && { jwks: await jwksOf(app, id) }),
    [APPLICATION_MEMBER]: id,
    ...(isOidc && { [REDIRECTS_MEMBER]: redirectRules(config) }),
  } as AdapterPayload
}

/** The client with this ID, if it is an application that can be used. */
export async function findClient(app: App, clientId: string): Promise<AdapterPayload | undefined> {
  const found = await activeApplicationOfClient(app, clientId)
  return found && clientOfApplication(app, found.application)
}
