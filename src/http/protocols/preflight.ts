/** Answers OPTIONS: for a browser that asks if it may send a request to another origin, and for all others. */
import type { Exchange } from '../exchange.ts'

/** The additional headers of preflight responses. */
const PREFLIGHT_HEADERS: readonly string[] = [
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

/** Whether a browser asks if it may send another request. */
export function isPreflight(exchange: Exchange): boolean {
  return exchange.header('access-control-request-method') !== undefined
}

/** Answers OPTIONS: preflights with the CORS headers, other requests with the allowed methods. */
export function allow(exchange: Exchange, verbs: readonly string[]): void {
  const headers = isPreflight(exchange) ? PREFLIGHT_HEADERS : ['allow', [...verbs, 'OPTIONS'].join(', ')]
  exchange.reply({ status: 204, code: 0, headers })
}
