import { PATHS } from '../kernel/page-paths.ts'

/** The grant type of requests on the back channel, and how applications learn of a decision (OpenID Connect CIBA §4). */
export const CIBA = 'urn:openid:params:grant-type:ciba'
export const DELIVERY_MODES = ['poll', 'ping'] as const

/** The paths of the OpenID and OAuth endpoints. */
export const ROUTES = {
  authorization: '/oauth/v2/authorize',
  token: '/oauth/v2/token',
  introspection: '/oauth/v2/introspect',
  revocation: '/oauth/v2/revoke',
  device_authorization: '/oauth/v2/device_authorization',
  pushed_authorization_request: '/oauth/v2/par',
  backchannel_authentication: '/oauth/v2/bc-authorize',
  jwks: '/oauth/v2/keys',
  userinfo: '/oidc/v1/userinfo',
  end_session: '/oidc/v1/end_session',
  registration: '/oauth/v2/register',
  code_verification: PATHS.device,
} as const
