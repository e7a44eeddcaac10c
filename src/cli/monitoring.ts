/** The metrics of a serving process, and the port that has only them and the probes. */
import { X509Certificate } from 'node:crypto'
import { currentOwners } from '../access/current-caller.ts'
import type { Config } from '../config/index.ts'
import { version } from '../config/version.ts'
import { openPasswords, type Passwords } from '../crypto/passwords/index.ts'
import { Registry } from '../http/monitoring/metrics.ts'
import { guardMetrics } from '../http/monitoring/metrics-access.ts'
import { addProcessMetrics } from '../http/monitoring/process-metrics.ts'
import type { Page, Pages } from '../http/page.ts'
import { openPort, type Port } from '../http/port/listener.ts'
import { openRouter } from '../http/router.ts'
import type { Telemetry } from '../http/telemetry/index.ts'
import type { Log } from './log.ts'

/** The registry with the metrics of the process and its build. */
export function openRegistry({ databaseUrl }: Pick<Config, 'databaseUrl'>): Registry {
  const registry = new Registry()
  addProcessMetrics(registry)
  registry.info('signet_build_info', 'Always 1; the labels say what runs.', {
    version,
    node: process.versions.node,
    engine: databaseUrl === undefined ? 'sqlite' : 'postgres',
  })
  return registry
}

/** Adds how often this process, or those in its place before, died. */
export function addRestarts(registry: Registry, restarts = 0): void {
  registry.add({
    name: 'signet_restarts_total',
    help: 'How often a serving process was started again after it had died.',
    type: 'counter',
    merge: 'sum',
    read: () => restarts,
  })
}

/** Adds when the certificate of the port expires. `read` returns the current one, if there is one. */
export function addCertificateExpiry(registry: Registry, read: () => string | Buffer | undefined): void {
  registry.add({
    name: 'signet_certificate_expiry_seconds',
    help: 'When the certificate of the port expires, in seconds since the Unix epoch.',
    type: 'gauge',
    // The earliest would be better, but all processes read the same file.
    merge: 'max',
    read() {
      const certificate = read()
      return certificate === undefined ? {} : new X509Certificate(certificate).validToDate.getTime() / 1000
    },
  })
}

/** Traces and metrics over OTLP, together with what opens spans for passwords; undefined when no endpoint is set. */
export async function startTelemetry(
  { telemetry, databaseUrl }: Pick<Config, 'telemetry' | 'databaseUrl'>,
  registry: Registry,
  log: Pick<Log, 'warn' | 'info'>,
): Promise<(Telemetry & { readonly hashing: Passwords | undefined }) | undefined> {
  const { endpoint, headers, resourceAttributes, ...rest } = telemetry
  if (endpoint === undefined) return undefined
  const { openTelemetry, tracePasswords } = await import('../http/telemetry/index.ts')
  const opened = openTelemetry({
    ...rest,
    endpoint,
    headers: Object.fromEntries([...headers].map(([name, value]) => [name, value.reveal()])),
    resourceAttributes: Object.fromEntries(resourceAttributes),
    version,
    engine: databaseUrl === undefined ? 'sqlite' : 'postgres',
    registry,
    log,
  })
  const { tracing } = opened
  return { ...opened, hashing: tracing && tracePasswords(openPasswords({ currentOwners }), tracing) }
}

const METRICS = '/metrics'

/** On the main port, the metrics are only for those whom the settings name. */
export function guardMainPort(
  pages: Map<string, Page>,
  {
    metricsAccess: access,
    metricsToken,
    metricsListen,
    trustedProxies,
  }: Pick<Config, 'metricsAccess' | 'metricsToken' | 'metricsListen' | 'trustedProxies'>,
): void {
  const page = pages.get(METRICS)
  if (page === undefined) return
  if (access === 'off' || metricsListen !== undefined) pages.delete(METRICS)
  else pages.set(METRICS, guardMetrics(page, { access, token: metricsToken?.reveal(), trustedProxies }))
}

const ON_METRICS_PORT: readonly string[] = [METRICS, '/healthz', '/readyz']

/** Opens the port for monitoring, which has no methods, no other pages and no access log. */
export async function openMetricsPort(
  { metricsListen, limits }: Pick<Config, 'metricsListen' | 'limits'>,
  pages: Pages,
  log: Pick<Log, 'error' | 'info'>,
): Promise<Port | undefined> {
  if (metricsListen === undefined) return undefined
  const router = openRouter({
    authorize: () => Promise.reject(new Error('the port for metrics has no methods')),
    pages: new Map([...pages].filter(([path]) => ON_METRICS_PORT.includes(path))),
    log: (fault) => log.error(fault, 'request failed'),
  })
  const port = await openPort({
    listen: metricsListen,
    limits,
    router,
    fault: (error) => log.error({ error }, 'unexpected error outside of a request'),
  })
  log.info(port.address, 'metrics are served on their own port')
  return port
}
