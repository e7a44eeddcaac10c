/** The discovery document (OpenID Connect Discovery §3) and the public keys. */

import { ACR, GROUPS, STANDARD_SCOPES } from '../features/authorization-requests/index.ts'
import { ownDoor } from '../features/resources/index.ts'
import { allowedLanguages, type SecuritySettings, securitySettings } from '../features/settings/index.ts'
import { publicKeys } from '../features/web-keys/index.ts'
import type { PageAnswer } from '../http/page.ts'
import { SIGNING_ALGORITHMS } from '../kernel/web-key-type.ts'
import type { App } from '../module/app.ts'
import { CROSS_ORIGIN, jsonAnswer } from './answers.ts'
import { CLIENT_ALGS } from './assertions.ts'
import { LEFT_OUT, USER_CLAIMS } from './claims.ts'
import { DPOP_ALGS } from './dpop.ts'
import { CLIENT_CREDENTIALS, JWT_BEARER } from './machine-tokens.ts'
import { CIBA, DELIVERY_MODES, ROUTES } from './routes.ts'

const CLIENT_AUTH = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** What only some instances offer. */
type Offered = Pick<SecuritySettings, 'allowsClientRegistration' | 'allowsDocumentClients' | 'assertions'>

const EVERYTHING: Offered = { allowsClientRegistration: true, allowsDocumentClients: true }

/** How clients find the endpoints and what the server supports. */
export function discoveryDocument(
  { externalUrl }: App,
  languages: readonly string[],
  protectedResources: readonly string[],
  { allowsClientRegistration, allowsDocumentClients, assertions }: Offered = EVERYTHING,
) {
  const at = (path: string) => `${externalUrl}${path}`
  return {
    issuer: externalUrl,
    authorization_endpoint: at(ROUTES.authorization),
    token_endpoint: at(ROUTES.token),
    introspection_endpoint: at(ROUTES.introspection),
    userinfo_endpoint: at(ROUTES.userinfo),
    revocation_endpoint: at(ROUTES.revocation),
    end_session_endpoint: at(ROUTES.end_session),
    device_authorization_endpoint: at(ROUTES.device_authorization),
    pushed_authorization_request_endpoint: at(ROUTES.pushed_authorization_request),
    backchannel_authentication_endpoint: at(ROUTES.backchannel_authentication),
    backchannel_token_delivery_modes_supported: DELIVERY_MODES,
    backchannel_authentication_request_signing_alg_values_supported: CLIENT_ALGS,
    backchannel_user_code_parameter_supported: false,
    jwks_uri: at(ROUTES.jwks),
    protected_resources: protectedResources,
    ...(allowsClientRegistration && { registration_endpoint: at(ROUTES.registration) }),
    ...(allowsDocumentClients && { client_id_metadata_document_supported: true }),
    ...(assertions?.isIssuing && {
      identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
    }),
    ...(assertions?.isAccepting && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
    scopes_supported: [...STANDARD_SCOPES, GROUPS],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      CLIENT_CREDENTIALS,
      JWT_BEARER,
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      CIBA,
    ],
    subject_types_supported: ['public'],
    // Those of every key that can become the active one: clients remember this document, and refuse other algorithms.
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    request_object_signing_alg_values_supported: CLIENT_ALGS,
    token_endpoint_auth_methods_supported: CLIENT_AUTH,
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ALGS,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTH.filter((method) => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: CLIENT_ALGS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ALGS,
    dpop_signing_alg_values_supported: DPOP_ALGS,
    acr_values_supported: Object.values(ACR),
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    claims_supported: [
      ...['sub', 'aud', 'exp', 'iat', 'iss', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'act', 'azp', 'sid'],
      ...USER_CLAIMS,
      GROUPS,
      LEFT_OUT,
    ],
    claims_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    ui_locales_supported: languages,
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
}

/**
 * The discovery document. Of the protected resources it names our own (RFC 9728 §4): those of organizations are nobody else's
 * business.
 */
export async function answerDiscovery(app: App, languages: readonly string[]): Promise<PageAnswer> {
  const [door, security, allowed] = await Promise.all([ownDoor(app), securitySettings(app), allowedLanguages(app)])
  const resources = [app.externalUrl, ...(door === undefined ? [] : [door.uri])]
  const offered = allowed.filter((tag) => languages.includes(tag))
  const body = JSON.stringify(discoveryDocument(app, offered, resources, security))
  return { status: 200, contentType: 'application/json; charset=utf-8', body, headers: CROSS_ORIGIN }
}

/** The public keys that verify tokens; clients may keep them for five minutes. */
export async function answerKeys(app: App): Promise<PageAnswer> {
  const keys = await publicKeys(app)
  return jsonAnswer({ keys }, 200, { 'cache-control': 'max-age=300, must-revalidate' })
}
