/** `signet start`: from the settings to a serving process, or several, and orderly back again. */

import cluster from 'node:cluster'
import { resolve } from 'node:path'
import { OUTDATED } from '../config/exit-codes.ts'
import { externalUrl } from '../config/external-url.ts'
import { type Config, listenText } from '../config/index.ts'
import { version } from '../config/version.ts'
import type { NodeIds } from '../features/node-leases/index.ts'
import type { Pages } from '../http/page.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'
import { PATHS } from '../kernel/page-paths.ts'
import { lockFolder, makeFolder } from './folder-lock.ts'
import { settlePort } from './free-port.ts'
import { loadApp } from './load-app.ts'
import { type OpenLog, openLog } from './log.ts'
import { type Greeting, serve } from './serve.ts'
import { receiveSignals } from './stop-signals.ts'
import type { Serves } from './supervise.ts'
import { readTls } from './tls-files.ts'
import { isWorker, runWorker } from './worker.ts'

/** Whether this process replaces one that died, as its supervisor tells it. */
export interface Life {
  /** How often it was started again; undefined when nobody supervises it. */
  readonly restarts?: number
  /** Signal or exit code of the one before it. */
  readonly diedOf?: string
}

export interface StartOptions {
  readonly config: Config
  readonly warnings: readonly string[]
  /** Pages beside the server's own. */
  readonly pages?: Pages | undefined
  readonly life?: Life
  readonly onIds?: ((ids: NodeIds) => void) | undefined
  /** What the start prints, if it is not for an operator. */
  greet?(url: string, greeting: Greeting, listen: Config['listen']): void | Promise<void>
}

/** After an uncaught error the state of the process is unknown: the error is logged, and the process ends. */
function endOnFault({ log, flush }: OpenLog): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ error }, kind)
    flush()
    process.exit(1)
  }
  process.on('uncaughtException', end('uncaught exception'))
  process.on('unhandledRejection', end('unhandled rejection'))
}

/** What a person at the terminal wants to know; the links are secrets and go nowhere else. */
function greetOperator(url: string, { first, inboxUrl }: Greeting, { host, port }: Config['listen']): void {
  const lines = [`Signet ${version} is ready at ${url}`]
  if (first) {
    lines.push(`Set up the first administrator (one-time link, valid for 7 days): ${first.setupUrl}`)
    lines.push(`Admin API token: ${resolve(first.tokenFile)}`)
  }
  lines.push(`Admin console: ${url}${PATHS.console}`)
  if (inboxUrl !== undefined) lines.push(`Development inbox (until you configure SMTP): ${inboxUrl}`)
  if (isLoopbackHost(host.includes(':') ? `[${host}]` : host)) {
    lines.push(
      `It listens on this machine only; SIGNET_LISTEN=0.0.0.0:${port} accepts connections from other machines.`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Ctrl-C under npm arrives twice, from the terminal and from npm: within this time it is one and the same. */
const SAME_GESTURE_MS = 300

/** The first signal stops in order, a second one at once. */
function onStopSignals(openedLog: OpenLog, stop: () => Promise<void>): void {
  const { log, flush } = openedLog
  const end = (code: number) => {
    flush()
    process.exit(code)
  }
  let stoppingSince: number | undefined
  const receive = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < SAME_GESTURE_MS) return
      log.warn({ signal }, 'stopping immediately')
      end(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    stop().then(
      () => {
        log.info('stopped')
        end(0)
      },
      (error: unknown) => {
        log.error({ error }, 'graceful shutdown failed')
        end(1)
      },
    )
  }
  receiveSignals(receive)
}

/** Stops a process that is too old: what it still answers is that the store is unavailable. */
async function endOutdated({ log, flush }: OpenLog, stop: () => Promise<void>): Promise<void> {
  await stop().catch((error: unknown) => log.error({ error }, 'graceful shutdown failed'))
  flush()
  process.exit(OUTDATED)
}

/** Where both ports will listen. */
async function settlePorts({ listen, metricsListen }: Config): Promise<Pick<Config, 'listen' | 'metricsListen'>> {
  return {
    listen: await settlePort(listen),
    metricsListen: metricsListen && (await settlePort(metricsListen, 'SIGNET_METRICS_LISTEN')),
  }
}

/** Runs until it is told to stop; rejects when it cannot start. */
export async function start(options: StartOptions): Promise<void> {
  const { config: given, warnings, pages, life = {}, greet = greetOperator, onIds } = options
  const worker = isWorker() ? { worker: cluster.worker?.id } : {}
  const openedLog = openLog(given.logLevel, worker, given.logFormat)
  const { log } = openedLog
  endOnFault(openedLog)
  if (life.diedOf !== undefined) log.error(life, 'the server died and was started again')
  // Checked before anything is created: a first start that cannot listen would create a link and a token for no one.
  // The workers share the port of the primary, which has checked it.
  const config: Config = isWorker() ? given : { ...given, ...(await settlePorts(given)) }
  await readTls(config)
  if (!isWorker() && config.databaseUrl === undefined) {
    await makeFolder(config.dataDir)
    // The key comes before the lock: a start with a wrong one leaves no file.
    const { masterKeysOf } = await loadApp()
    await masterKeysOf(config)()
    await lockFolder(config.dataDir)
  }
  const url = externalUrl(config, config.listen.port)

  if (isWorker()) {
    await runWorker({ config, externalUrl: url, openedLog, pages, restarts: life.restarts })
    return
  }
  for (const warning of warnings) log.warn(warning)
  if (config.workers > 1) {
    const { runPrimary } = await import('./primary.ts')
    const onStoppable = (stop: () => Promise<void>) => onStopSignals(openedLog, stop)
    const { greeting, isStopping } = await runPrimary({ config, externalUrl: url, log, onStoppable })
    if (!isStopping) await greet(url, greeting, config.listen)
    return
  }
  const outdated = Promise.withResolvers<void>()
  const onOutdated = () => outdated.resolve()
  const { restarts } = life
  const serving = await serve({ config, externalUrl: url, log, mayBootstrap: true, pages, onOutdated, restarts, onIds })
  onStopSignals(openedLog, serving.stop)
  void outdated.promise.then(() => endOutdated(openedLog, serving.stop))
  process.on('SIGHUP', () => {
    serving.renewTls().catch((error: unknown) => log.error({ error }, 'the certificate could not be reloaded'))
  })
  if (restarts !== undefined) obeySupervisor(openedLog, { listen: listenText(config.listen) }, serving.stop)
  log.info({ version, url, engine: config.databaseUrl ? 'postgres' : 'sqlite' }, 'ready')
  if (restarts === undefined || restarts === 0) await greet(url, serving.greeting, config.listen)
  // Once more at the end, where people look: a misspelled setting counts as not set.
  for (const warning of warnings) log.warn(warning)
}

/** Tells the process above that this one serves, and ends when it is gone: nobody would stop it any more. */
function obeySupervisor({ log, flush }: OpenLog, serves: Serves, stop: () => Promise<void>): void {
  process.once('disconnect', () => {
    log.warn('the process that supervises this one is gone: stopping')
    void stop().finally(() => {
      flush()
      process.exit(0)
    })
  })
  process.send?.(serves)
}
