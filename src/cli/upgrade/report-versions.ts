/** Logs what happens to the versions of documents during an upgrade. */
import type { Log } from '../../module/app.ts'
import type { BuildProgress, NodeOutdated, StoreObserver } from '../../store/index.ts'

const EVERY_MS = 5_000

/** Logs the progress of builds now and then, and says when the process is too old. */
export function reportVersions(
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  onOutdated: (error: NodeOutdated) => void,
): Pick<StoreObserver, 'building' | 'claimsLost' | 'heartbeatFailed' | 'outdated'> {
  let loggedAt = Number.NEGATIVE_INFINITY
  let current = ''
  return {
    building({ kind, version, done, total }: BuildProgress) {
      const isNew = kind !== current
      if (!isNew && done < total && performance.now() - loggedAt < EVERY_MS) return
      current = kind
      loggedAt = performance.now()
      log.info({ kind, version, done, total }, 'folding the documents of a new version')
    },
    claimsLost(kind, ids) {
      log.warn({ kind, ids }, 'a value that only one of the running versions claims is used twice')
    },
    heartbeatFailed(error) {
      log.warn({ error }, 'the heartbeat of this node failed')
    },
    outdated(error) {
      log.error({ error }, 'this process is too old for the database')
      onOutdated(error)
    },
  }
}
