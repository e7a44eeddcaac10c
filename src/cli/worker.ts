/** One of several processes behind the port: serves, and does what the primary says. */
import cluster from 'node:cluster'
import { OUTDATED } from '../config/exit-codes.ts'
import type { Config } from '../config/index.ts'
import { type Family, mergeSnapshots } from '../http/monitoring/metrics.ts'
import type { Pages } from '../http/page.ts'
import type { OpenLog } from './log.ts'
import { serve } from './serve.ts'
import { receiveSignals } from './stop-signals.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

/** Whether this process was started by a primary. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/** The primary answers in the time it takes to ask everybody; a monitor does not wait longer. */
const PATIENCE_MS = 2_000

/** A primary that is gone hears nothing, and that is no fault of this process: `disconnect` ends it. */
function tell(message: ToPrimary): void {
  process.send?.(message, undefined, undefined, () => {})
}

export interface WorkerOptions {
  readonly config: Config
  readonly externalUrl: string
  readonly openedLog: OpenLog
  readonly pages?: Pages | undefined
  readonly restarts?: number | undefined
}

/** Serves until the primary says stop, or is gone. */
export async function runWorker({ config, externalUrl, openedLog, pages, restarts }: WorkerOptions): Promise<void> {
  const { log, flush } = openedLog
  // A terminal sends its signals to every process; what they mean is for the primary to say.
  receiveSignals(() => {})
  process.on('SIGHUP', () => {})

  const waiting = new Map<number, (snapshots: readonly (readonly Family[])[]) => void>()
  let lastId = 0
  let ownMetrics: () => Promise<readonly Family[]> = async () => []
  const gatherMetrics = (own: () => Promise<readonly Family[]>) => {
    ownMetrics = own
    return async () => {
      const id = ++lastId
      const { promise, resolve } = Promise.withResolvers<readonly (readonly Family[])[]>()
      waiting.set(id, resolve)
      const timer = setTimeout(async () => resolve([await own()]), PATIENCE_MS)
      tell({ type: 'ask_metrics', id })
      const snapshots = await promise
      clearTimeout(timer)
      waiting.delete(id)
      return mergeSnapshots(snapshots)
    }
  }

  // The primary may speak while this process still starts: what it says is done as soon as that is over.
  const starting = serve({
    config,
    externalUrl,
    log,
    mayBootstrap: false,
    gatherMetrics,
    pages,
    restarts,
    onOutdated: () => stop(OUTDATED),
  })
  let isStopping = false
  const stop = (doneCode = 0) => {
    if (isStopping) return
    isStopping = true
    const end = (code: number) => {
      flush()
      process.exit(code)
    }
    starting
      .then((serving) => serving.stop())
      .then(
        () => end(doneCode),
        (error: unknown) => {
          log.error({ error }, 'graceful shutdown failed')
          end(1)
        },
      )
  }
  process.on('disconnect', () => stop())
  process.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'stop':
        stop()
        break
      case 'renew_tls':
        starting
          .then((serving) => serving.renewTls())
          .catch((error: unknown) => log.error({ error }, 'the certificate could not be reloaded'))
        break
      case 'tell_metrics':
        void ownMetrics().then((snapshot) => tell({ type: 'own_metrics', id: message.id, snapshot }))
        break
      case 'all_metrics':
        waiting.get(message.id)?.(message.snapshots)
        break
    }
  })
  await starting
  if (isStopping) return
  log.info('worker ready')
  tell({ type: 'ready' })
}
