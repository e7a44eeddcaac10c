/**
 * Browsers of any origin may call, always without credentials. Callers are identified by the Authorization header only,
 * never by a cookie, so no origin is reflected and cross-site requests gain nothing from a signed-in browser.
 */

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
    'signet-unknown-fields',
    'www-authenticate',
    'retry-after',
    'deprecation',
    'link',
    'allow',
    'accept-post',
  ].join(', '),
]
