/** The process above the workers: prepares the data once, starts them, replaces those that die, stops them in order. */
import cluster, { type Worker } from 'node:cluster'
import { isSea } from 'node:sea'
import { OUTDATED } from '../config/exit-codes.ts'
import { type Config, listenText } from '../config/index.ts'
import { type Family, METRICS_KEPT_MS } from '../http/monitoring/metrics.ts'
import { keepFor } from '../kernel/keep-for.ts'
import { loadApp } from './load-app.ts'
import type { Log } from './log.ts'
import { RestartPause } from './restart-pause.ts'
import { bootstrap, type Greeting, readInboxKey } from './serve.ts'
import { RESTARTS_OPTION } from './supervise.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

const GATHER_MS = 1_000

export interface PrimaryOptions {
  readonly config: Config
  readonly externalUrl: string
  readonly log: Log
  /** Told how to stop before the first worker is started: from then on, nothing ends in order by itself. */
  onStoppable(stop: () => Promise<void>): void
}

/** Creates the instance and the inbox key when they are missing, before workers open the database. */
async function prepareData(options: PrimaryOptions): Promise<Greeting> {
  const { inboxUrlOf, openDatabase, openIdsOf } = await loadApp()
  const store = await openDatabase(options.config)
  try {
    const ids = await openIdsOf(store, options.log)
    try {
      const first = await bootstrap(store, ids.newId, options)
      const inboxKey = await readInboxKey(options)
      return { first, inboxUrl: await inboxUrlOf(store, options.externalUrl, inboxKey) }
    } finally {
      await ids.close()
    }
  } finally {
    await store.close()
  }
}

/** Starts the workers and resolves when all of them are ready, or have been stopped; rejects when one dies before. */
export async function runPrimary(
  options: PrimaryOptions,
): Promise<{ readonly greeting: Greeting; readonly isStopping: boolean }> {
  const { config, log } = options
  const greeting = await prepareData(options)

  // The ports may have been chosen by the system; all workers share those that were.
  const ports = {
    SIGNET_LISTEN: listenText(config.listen),
    ...(config.metricsListen && { SIGNET_METRICS_LISTEN: listenText(config.metricsListen) }),
  }
  const living = new Set<Worker>()
  let isStopping = false
  const pause = new RestartPause()

  const say = (worker: Worker, message: ToWorker) => {
    if (worker.isConnected()) worker.send(message)
  }

  const startOne = (words: readonly string[] = [], restarts = 0): Promise<void> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const args = [RESTARTS_OPTION, String(restarts), ...words]
      // In the executable file there is no script to name: the command comes first.
      cluster.setupPrimary(isSea() ? { exec: 'start', args, execArgv: [] } : { args: ['start', ...args] })
      const worker = cluster.fork(ports)
      living.add(worker)
      worker.on('error', (error) => log.error({ error, worker: worker.id }, 'worker not reachable'))
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'ready') resolve()
        else if (message.type === 'ask_metrics')
          void gather().then((snapshots) => say(worker, { ...message, type: 'all_metrics', snapshots }))
      })
      worker.on('exit', (code, signal) => {
        living.delete(worker)
        reject(new Error(`a worker exited during startup (${signal ?? `code ${code}`})`))
        if (isStopping || !isStarted) return
        // All workers have the same version.
        if (code === OUTDATED) return void stop().then(() => process.exit(OUTDATED))
        const pauseMs = pause.after(performance.now() - startedAt)
        log.error({ worker: worker.id, code, signal, pauseMs }, 'worker exited, starting a new one')
        setTimeout(() => {
          if (!isStopping) startOne(['--died-of', signal ?? `exit code ${code}`], restarts + 1).catch(() => {})
        }, pauseMs)
      })
    })

  let lastId = 0
  // Each worker may ask once in this time, and all would be asked each time.
  const gather = keepFor(METRICS_KEPT_MS, async (): Promise<readonly (readonly Family[])[]> => {
    const id = ++lastId
    const snapshots: (readonly Family[])[] = []
    const expected = living.size
    const { promise, resolve } = Promise.withResolvers<void>()
    const receive = (_: Worker, message: ToPrimary) => {
      if (message.type !== 'own_metrics' || message.id !== id) return
      snapshots.push(message.snapshot)
      if (snapshots.length >= expected) resolve()
    }
    cluster.on('message', receive)
    const timer = setTimeout(resolve, GATHER_MS)
    for (const worker of living) say(worker, { type: 'tell_metrics', id })
    await promise
    clearTimeout(timer)
    cluster.off('message', receive)
    return snapshots
  })

  const stop = async (): Promise<void> => {
    isStopping = true
    const gone = [...living].map((worker) => {
      say(worker, { type: 'stop' })
      return new Promise((resolve) => worker.once('exit', resolve))
    })
    await Promise.all(gone)
  }

  process.on('SIGHUP', () => {
    for (const worker of living) say(worker, { type: 'renew_tls' })
  })
  // A second signal ends this process at once, and with it the workers that take their time.
  process.on('exit', () => {
    for (const worker of living) worker.process.kill('SIGKILL')
  })
  options.onStoppable(stop)
  let isStarted = false
  try {
    await Promise.all(Array.from({ length: config.workers }, () => startOne()))
    isStarted = true
  } catch (error) {
    // Workers that end because they were told to are no failure.
    if (isStopping) return { greeting, isStopping }
    await stop()
    throw error
  }
  if (!isStopping) log.info({ workers: config.workers, url: options.externalUrl }, 'ready')
  return { greeting, isStopping }
}
