/** Who may read the metrics on the main port, which is public. */
import { hashSecret, matchesHash } from '../../crypto/tokens.ts'
import { openProxyCheck } from '../client-address.ts'
import { type Page, type PageRequest, textAnswer } from '../page.ts'
import { isFromThisMachine } from '../this-machine.ts'

export interface MetricsAccess {
  /** `loopback`: programs on this machine; `token`: who shows the token. */
  readonly access: 'loopback' | 'token'
  /** Only of `token`. */
  readonly token?: string | undefined
  /** Addresses and networks of the proxies in front of the server. */
  readonly trustedProxies?: readonly string[]
}

const CREDENTIALS = /^bearer +([^ ]+) *$/i

const FORBIDDEN = textAnswer(
  403,
  'Metrics are for programs on this machine. SIGNET_METRICS and SIGNET_METRICS_LISTEN change that.',
)
const UNAUTHENTICATED = {
  ...textAnswer(401, 'Metrics need the token of SIGNET_METRICS_TOKEN.'),
  headers: { 'www-authenticate': 'Bearer realm="metrics"' },
}

function showsToken(expected: string): (request: PageRequest) => boolean {
  const hash = hashSecret(expected)
  return (request) => {
    const given = CREDENTIALS.exec(request.header('authorization') ?? '')?.[1]
    return given !== undefined && matchesHash(given, hash)
  }
}

/** The page for those who may read it. */
export function guardMetrics(page: Page, { access, token, trustedProxies = [] }: MetricsAccess): Page {
  if (access === 'token') {
    if (token === undefined) throw new Error('a token is required')
    const isAllowed = showsToken(token)
    return { ...page, answer: (request) => (isAllowed(request) ? page.answer(request) : UNAUTHENTICATED) }
  }
  // A connection of a proxy is one of its clients, wherever the proxy runs and whatever it leaves on the request.
  const isProxy = openProxyCheck(trustedProxies)
  const isAllowed = (request: PageRequest) => isFromThisMachine(request) && !isProxy(request.peer)
  return { ...page, answer: (request) => (isAllowed(request) ? page.answer(request) : FORBIDDEN) }
}
