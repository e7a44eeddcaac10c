/** Metrics for Prometheus, and when a request counts as slow. */
import { type Listen, readListen } from './address.ts'
import { seconds, setting } from './setting.ts'

export const monitoringSettings = {
  metricsListen: setting({
    name: 'SIGNET_METRICS_LISTEN',
    defaultText: 'unset = `/metrics` is on the main port',
    meaning:
      'Address of a second port, `host:port`, that serves only `/metrics`, `/healthz` and `/readyz`, in cleartext. The main port then has no `/metrics`.',
    read: (text): Listen | undefined => (text === undefined ? undefined : readListen(text)),
  }),
  slowRequestMs: setting({
    name: 'SIGNET_SLOW_REQUEST',
    defaultText: '`1`',
    meaning: 'Seconds after which a request is logged as slow, at level `warn`, with its parts. `0` turns it off.',
    read: seconds(0, 3600, 1),
  }),
} as const
