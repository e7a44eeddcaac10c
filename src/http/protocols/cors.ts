/**
 * Browsers of any origin may call, always without credentials. Callers are identified by the Authorization header only,
 * never by a cookie, so no origin is reflected and cross-site requests gain nothing from a signed-in browser.
 */

/** The additional headers of preflight responses. */
export const PREFLIGHT_HEADERS: readonly string[] = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  [
    'authorization',
    'dpop',
    'content-type',
    'content-encoding',
    'accept-language',
    'x-service-orgid',
    'x-zitadel-orgid',
    'x-request-id',
    'x-grpc-web',
    'x-user-agent',
    'grpc-timeout',
    'grpc-encoding',
    'grpc-accept-encoding',
    'connect-protocol-version',
    'connect-timeout-ms',
    'connect-accept-encoding',
    'connect-content-encoding',
  ].join(', '),
  'access-control-max-age',
  '7200',
]

/** The headers of all responses to other origins. */
export const CROSS_ORIGIN_HEADERS: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  [
    'grpc-status',
    'grpc-message',
    'grpc-status-details-bin',
    'grpc-encoding',
    'x-request-id',
    'www-authenticate',
    'retry-after',
    'deprecation',
    'link',
    'allow',
    'accept-post',
  ].join(', '),
]
