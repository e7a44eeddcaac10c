/** Metrics for Prometheus, and when a request counts as slow. */
import { type Listen, readListen } from './address.ts'
import { BadSetting, Secret, seconds, setting } from './setting.ts'

const ACCESS = ['loopback', 'token', 'off'] as const

/** Who may read the metrics on the main port. */
export type MetricsAccess = (typeof ACCESS)[number]

function readAccess(text: string | undefined): MetricsAccess {
  const access = ACCESS.find((known) => known === (text ?? 'loopback'))
  if (access === undefined) throw new BadSetting(`must be one of ${ACCESS.join(', ')}.`)
  return access
}

function readToken(text: string | undefined): Secret | undefined {
  if (text === undefined) return undefined
  if (/^[\x21-\x7e]{16,512}$/.test(text)) return new Secret(text)
  throw new BadSetting('must be 16 to 512 letters, digits and signs without spaces (its value is not shown).')
}

export const monitoringSettings = {
  metricsAccess: setting({
    name: 'SIGNET_METRICS',
    defaultText: '`loopback`',
    meaning:
      'Who may read `/metrics` on the main port. `loopback`: programs on this machine; others, and requests through a proxy, get 403. `token`: who sends the token. `off`: nobody.',
    read: readAccess,
  }),
  metricsToken: setting({
    name: 'SIGNET_METRICS_TOKEN',
    defaultText: 'unset',
    meaning:
      'Token for `SIGNET_METRICS=token`, sent as `Authorization: Bearer …`; at least 16 characters, such as from `openssl rand -hex 24`.',
    isSecret: true,
    read: readToken,
  }),
  metricsListen: setting({
    name: 'SIGNET_METRICS_LISTEN',
    defaultText: 'unset = `/metrics` is on the main port',
    meaning:
      'Address of a second port, `host:port`, that serves only `/metrics`, `/healthz` and `/readyz`, in cleartext and without a token. The main port then has no `/metrics`.',
    read: (text): Listen | undefined => (text === undefined ? undefined : readListen(text)),
  }),
  slowRequestMs: setting({
    name: 'SIGNET_SLOW_REQUEST',
    defaultText: '`1`',
    meaning: 'Seconds after which a request is logged as slow, at level `warn`, with its parts. `0` turns it off.',
    read: seconds(0, 3600, 1),
  }),
} as const
