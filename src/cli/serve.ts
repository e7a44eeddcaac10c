/** One serving process: opens the house and the port, and closes both in the order in which nothing is lost. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { Config } from '../config/index.ts'
import { openAccessLog } from '../http/access-log.ts'
import { type Family, formatMetrics, openRegistry } from '../http/metrics.ts'
import { openPort, type PortOptions } from '../http/port.ts'
import { probePages } from '../http/probes.ts'
import { addProcessMetrics } from '../http/process-metrics.ts'
import { settleAfterLoading } from './after-loading.ts'
import type { FirstStart, OpenTheHouse } from './house.ts'
import type { Log } from './log.ts'

export interface ServeOptions {
  readonly config: Config
  readonly externalUrl: string
  readonly log: Log
  readonly openHouse: OpenTheHouse
  /** False where another process has done it. */
  readonly mayBootstrap: boolean
  /** The metrics of all processes that share the port, given those of this one. */
  gatherMetrics?(own: () => Promise<readonly Family[]>): () => Promise<readonly Family[]>
}

export interface Serving {
  readonly first: FirstStart | undefined
  /** Reads the certificate again. */
  renewTls(): Promise<void>
  /** Not ready, then no new connections, then nothing in flight, then no store. Called again, it waits for nobody. */
  stop(): Promise<void>
}

/** The certificate and its key, if there are any; rejects when they cannot be read, or do not belong together. */
export async function readTls({ tlsCertFile, tlsKeyFile }: Config): Promise<PortOptions['tls']> {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined
  const [cert, key] = await Promise.all([readFile(tlsCertFile), readFile(tlsKeyFile)])
  createSecureContext({ cert, key })
  return { cert, key }
}

export async function serve(options: ServeOptions): Promise<Serving> {
  const { config, externalUrl, log, openHouse, mayBootstrap } = options
  const tls = await readTls(config)
  const house = await openHouse({ config, externalUrl, log })
  let isDraining = false
  try {
    const first = mayBootstrap ? await house.bootstrap() : undefined

    const registry = openRegistry()
    addProcessMetrics(registry)
    const dropped = registry.counter('signet_dropped_peers_total', 'Connections dropped or rejected, by reason.', [
      'reason',
    ])
    registry.gauge('signet_connections', 'Open connections.', () => port.connections)
    registry.gauge('signet_requests_in_flight', 'Requests in flight.', () => port.inFlight)
    house.addMetrics(registry)
    const gather = options.gatherMetrics?.(registry.snapshot) ?? registry.snapshot

    const record = openAccessLog(registry, log.info.bind(log))
    const front = await house.openFront(record, () => isDraining)
    let openApi: string | undefined
    const probes = probePages({
      ping: () => house.ping(),
      isDraining: () => isDraining,
      metrics: async () => formatMetrics(await gather()),
      openApi: () => {
        openApi ??= house.openApi()
        return openApi
      },
    })
    const pages = new Map([...house.openPages(record), ...probes])
    settleAfterLoading()
    const port = await openPort({
      listen: config.listen,
      tls,
      limits: config.limits,
      front,
      pages,
      dropped: (reason) => dropped.add([reason]),
      fault: (error) => log.error({ error }, 'error outside of a request'),
    })
    house.startJobs()

    return {
      first,
      async renewTls() {
        const renewed = await readTls(config)
        if (renewed) port.renewTls(renewed)
      },
      async stop() {
        isDraining = true
        await sleep(config.shutdownDelayMs)
        await port.close({ graceMs: config.shutdownGraceMs })
        await house.close()
      },
    }
  } catch (error) {
    await house.close().catch(() => {})
    throw error
  }
}
