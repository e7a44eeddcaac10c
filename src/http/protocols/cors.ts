/**
 * Browsers of any origin may call, always without credentials: we know callers by the Authorization header alone, never by
 * a cookie, so no origin is reflected and nothing is gained by riding on a signed-in browser.
 */

/** What a browser's preflight is told, beside what every answer to another origin carries. */
export const PREFLIGHT_HEADERS: readonly string[] = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  [
    'authorization',
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

/** What every answer to a browser of another origin carries. */
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
