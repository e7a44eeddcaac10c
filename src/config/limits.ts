/** What one peer, and all of them together, may take of the port. */
import { seconds, setting, wholeNumber } from './setting.ts'

export const limitSettings = {
  connections: setting({
    name: 'SIGNET_MAX_CONNECTIONS',
    defaultText: '`10000`',
    meaning: 'Maximum number of open connections per process. Further connections are closed immediately.',
    read: wholeNumber(1, 1_000_000, 10_000),
  }),
  connectionsPerAddress: setting({
    name: 'SIGNET_MAX_CONNECTIONS_PER_ADDRESS',
    defaultText: '`4000`',
    meaning:
      'Maximum number of open connections per client address and process. Behind a proxy, all clients share its address.',
    read: wholeNumber(1, 1_000_000, 4_000),
  }),
  headerMs: setting({
    name: 'SIGNET_HEADER_TIMEOUT',
    defaultText: '`10`',
    meaning: 'Seconds allowed for the TLS handshake, and for the headers of a request.',
    read: seconds(0.1, 600, 10),
  }),
  exchangeMs: setting({
    name: 'SIGNET_REQUEST_TIMEOUT',
    defaultText: '`30`',
    meaning: 'Seconds allowed from the headers of a request to the last byte of its response.',
    read: seconds(0.1, 3600, 30),
  }),
  idleMs: setting({
    name: 'SIGNET_IDLE_TIMEOUT',
    defaultText: '`60`',
    meaning: 'Seconds that an idle connection is kept open.',
    read: seconds(0.1, 3600, 60),
  }),
  overloadTargetMs: setting({
    name: 'SIGNET_OVERLOAD_TARGET',
    defaultText: '`1`',
    meaning:
      'Seconds within which callers want an answer. When the server is overloaded, requests that would not be answered by then are refused with 429 and `Retry-After`. `0` switches this off: then nothing is refused, and everything waits.',
    read: seconds(0, 60, 1),
  }),
} as const
