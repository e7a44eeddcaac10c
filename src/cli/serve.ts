/** One serving process: opens the app and the port, and closes both in the order in which nothing is lost. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/index.ts'
import type { NodeIds } from '../features/node-leases/index.ts'
import {
  ADMIN_TOKEN_FILE,
  awaitsAdministrator,
  firstStart,
  openInboxKey,
  SETUP_LINK_FILE,
} from '../features/onboarding/index.ts'
import type { Admission } from '../http/admission/admission.ts'
import { openAdmission } from '../http/admission/open-admission.ts'
import { openAccessLog } from '../http/monitoring/access-log.ts'
import { type Family, formatMetrics, METRICS_KEPT_MS, type Registry } from '../http/monitoring/metrics.ts'
import { probePages } from '../http/monitoring/probes.ts'
import { openReadiness } from '../http/monitoring/readiness.ts'
import { observeStore } from '../http/monitoring/store-metrics.ts'
import type { Pages } from '../http/page.ts'
import { openPort, type Port, type PortOptions } from '../http/port/listener.ts'
import type { Router } from '../http/router.ts'
import type { NewId } from '../kernel/id.ts'
import { systemClock } from '../kernel/instant.ts'
import { keepFor } from '../kernel/keep-for.ts'
import type { App, Log } from '../module/app.ts'
import type { NodeOutdated, Store } from '../store/index.ts'
import { settleAfterLoading } from './after-loading.ts'
import { openImportPages } from './import/page/import-pages.ts'
import { loadApp } from './load-app.ts'
import {
  addCertificateExpiry,
  addRestarts,
  guardMainPort,
  openMetricsPort,
  openRegistry,
  startTelemetry,
} from './monitoring.ts'
import { readTls } from './tls-files.ts'
import { reportVersions } from './upgrade/report-versions.ts'

/** What a start has to tell the operator. Both links are secrets: for the terminal only. */
export interface Greeting {
  /** Only of the first start. */
  readonly first: FirstStart | undefined
  /** The development inbox with its key; undefined where the page does not exist. */
  readonly inboxUrl: string | undefined
}

/** What the first start creates for the operator. */
export interface FirstStart {
  /** One-time link of the human administrator: a secret, for the terminal only. */
  readonly setupUrl: string
  /** File with the token of the machine administrator. */
  readonly tokenFile: string
}

export interface ServeOptions {
  readonly config: Config
  readonly externalUrl: string
  readonly log: Log
  /** False where another process has done the first start. */
  readonly mayBootstrap: boolean
  /** Pages beside the server's own. */
  readonly pages?: Pages | undefined
  /** Told of the ids before anything is served. */
  readonly onIds?: ((ids: NodeIds) => void) | undefined
  /** How often the process was started again after it had died. */
  readonly restarts?: number | undefined
  /** Called when the process is too old for the database: it is not ready any more and must stop. */
  onOutdated?(error: NodeOutdated): void
  /** The metrics of all processes that share the port, given those of this one. */
  gatherMetrics?(own: () => Promise<readonly Family[]>): () => Promise<readonly Family[]>
}

export interface Serving {
  readonly greeting: Greeting
  /** Reads the certificate again. */
  renewTls(): Promise<void>
  /** Not ready, then no new connections, then nothing in flight, then no store. A second call ends everything at once. */
  stop(): Promise<void>
}

/** Creates the instance when the database is empty; undefined when it was there before. */
export async function bootstrap(
  store: Store,
  newId: NewId,
  { config, externalUrl, log }: Pick<ServeOptions, 'config' | 'externalUrl' | 'log'>,
): Promise<FirstStart | undefined> {
  const { dataDir } = config
  const { isFirst } = await firstStart({ store, newId, clock: systemClock, dataDir, externalUrl })
  if (!isFirst) {
    // The link itself is shown once.
    if (await awaitsAdministrator(store)) {
      log.info('the first administrator is not set up yet; run signet setup-link for a new link')
    }
    return undefined
  }
  const setupUrl = (await readFile(join(dataDir, SETUP_LINK_FILE), 'utf8')).trim()
  return { setupUrl, tokenFile: join(dataDir, ADMIN_TOKEN_FILE) }
}

/** The key of the development inbox. A data folder that cannot be written to locks the page, and nothing else. */
export async function readInboxKey({ config, log }: Pick<ServeOptions, 'config' | 'log'>): Promise<string | undefined> {
  try {
    return await openInboxKey(config.dataDir)
  } catch (error) {
    log.warn({ error }, 'the page of the development inbox is locked: its key could not be written')
    return undefined
  }
}

async function listen(
  { config, log }: ServeOptions,
  { router, registry, admission }: { router: Router; registry: Registry; admission: Admission | undefined },
  tls: PortOptions['tls'],
): Promise<Port> {
  const dropped = registry.counter('signet_dropped_peers_total', 'Connections dropped or rejected, by reason.', [
    'reason',
  ])
  registry.gauge('signet_connections', 'Open connections.', () => port.connections)
  registry.gauge('signet_requests_in_flight', 'Requests in flight.', () => port.inFlight)
  const port = await openPort({
    listen: config.listen,
    tls,
    limits: config.limits,
    router,
    accepted: () => admission?.noteConnection(),
    dropped: (reason) => dropped.add([reason]),
    fault: (error) => log.error({ error }, 'unexpected error outside of a request'),
  })
  return port
}

/** Builds the indexes that the start left for later. */
function buildIndexes(store: Store, log: Log): void {
  store.buildIndexes().then(
    (count) => void (count > 0 && log.info({ count }, 'indexes built')),
    (error: unknown) => log.warn({ error }, 'indexes could not be built'),
  )
}

/** The pages behind "Import" in the console. */
function openImporting(app: App, { authorizationOf }: Awaited<ReturnType<typeof loadApp>>, options: ServeOptions) {
  const { config, externalUrl, log } = options
  return openImportPages({
    app,
    authorize: authorizationOf(app),
    dataDir: config.dataDir,
    dryRun: async (run) => (await import('./import/target.ts')).withTarget(config, externalUrl, true, run),
    log: (fault) => log.error(fault, 'request failed'),
  })
}

/** The document of all services is megabytes, so it is made once. */
function describing(read: (service?: string) => Promise<string | undefined>): typeof read {
  let whole: Promise<string | undefined> | undefined
  return (service) => {
    if (service !== undefined) return read(service)
    whole ??= read()
    return whole
  }
}

export async function serve(options: ServeOptions): Promise<Serving> {
  const { config, externalUrl, log, mayBootstrap } = options
  let tls = await readTls(config)
  const loaded = await loadApp()
  const { closeApp, inboxUrlOf, openApp, openDatabase, openIdsOf, prepareModules, routerOf, startJobs } = loaded
  const registry = openRegistry(config)
  const telemetry = await startTelemetry(config, registry, log)
  const tracing = telemetry?.tracing
  const observer = {
    ...observeStore(registry, loaded.eventCounters, log),
    ...reportVersions(log, (error) => options.onOutdated?.(error)),
  }
  const store = await openDatabase(config, tracing?.observe(observer) ?? observer)
  let isDraining = false
  const readiness = openReadiness(
    () => store.ping(),
    () => isDraining,
  )
  const isReady = async () => (await readiness()) === 'ready'
  let ids: NodeIds | undefined
  try {
    ids = await openIdsOf(store, log)
    options.onIds?.(ids)
    const { newId, close: releaseIds } = ids
    const first = mayBootstrap ? await bootstrap(store, newId, options) : undefined
    const inboxKey = await readInboxKey(options)
    const greeting = { first, inboxUrl: await inboxUrlOf(store, externalUrl, inboxKey) }
    const hashing = telemetry?.hashing
    const app = await openApp({ config, externalUrl, log, store, ids, inboxKey, isReady, tracer: tracing, hashing })
    for (const metric of loaded.metricsOf(app)) registry.add(metric)
    addCertificateExpiry(registry, () => tls?.cert)
    addRestarts(registry, options.restarts)
    const ownMetrics = () => registry.snapshot()
    const gather = options.gatherMetrics?.(ownMetrics) ?? ownMetrics
    const probes = probePages({
      readiness,
      metrics: keepFor(METRICS_KEPT_MS, async () => formatMetrics(await gather())),
      openApi: describing((service) => loaded.openApiOf(app, service)),
      openApiServices: loaded.openApiServices,
    })
    const importing = await openImporting(app, loaded, options)
    const pages = new Map([...probes, ...importing.pages, ...(options.pages ?? [])])
    guardMainPort(pages, config)
    const onFinish = openAccessLog(registry, log.info.bind(log), {
      slowMs: config.slowRequestMs,
      warn: log.warn.bind(log),
      debug: log.debug.bind(log),
    })
    const { limits, trustedProxies } = config
    const admission = openAdmission({ ...limits, store, registry, log })
    const buildRouter = async () => {
      // On the first start on PostgreSQL, keys are generated on other threads. This lets them begin.
      await setImmediate()
      return routerOf(app, { pages, onFinish, admission, trustedProxies, tracer: tracing })
    }
    const [router] = await Promise.all([buildRouter(), prepareModules(app)])
    const port = await listen(options, { router, registry, admission }, tls)
    const metricsPort = await openMetricsPort(config, probes, log)
    await startJobs(app)
    settleAfterLoading(() => port.inFlight === 0)
    buildIndexes(store, log)
    return {
      greeting,
      async renewTls() {
        const renewed = await readTls(config)
        if (renewed === undefined) return
        port.renewTls(renewed)
        tls = renewed
        const { validTo } = new X509Certificate(renewed.cert)
        log.info({ validTo }, 'the certificate was reloaded')
      },
      async stop() {
        isDraining = true
        await sleep(config.shutdownDelayMs)
        await port.close({ graceMs: config.shutdownGraceMs })
        await metricsPort?.close({ graceMs: 0 })
        await importing.close()
        await releaseIds()
        await closeApp(app)
        await telemetry?.close()
      },
    }
  } catch (error) {
    await ids?.close()
    await store.close().catch(() => {})
    throw error
  }
}
