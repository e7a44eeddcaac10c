/** Opens admission control as the settings say, with its metrics and its lines in the log. */
import type { Log } from '../../module/app.ts'
import type { Store } from '../../store/index.ts'
import type { Registry } from '../monitoring/metrics.ts'
import { Admission } from './admission.ts'
import { QUEUED } from './priority.ts'

export interface OpenAdmissionOptions {
  /** 0 switches admission control off. */
  readonly overloadTargetMs: number
  readonly store: Pick<Store, 'delayMs'>
  readonly registry: Registry
  readonly log: Pick<Log, 'warn'>
}

/** How often the log says that requests were refused. */
const REPORT_MS = 10_000

/** Undefined when it is switched off. */
export function openAdmission(options: OpenAdmissionOptions): Admission | undefined {
  const { overloadTargetMs: targetMs, store, registry, log } = options
  if (targetMs === 0) return undefined
  const admission = new Admission({ targetMs, storeDelayMs: () => store.delayMs() })
  registry.add({
    type: 'gauge',
    merge: 'sum',
    label: 'priority',
    name: 'signet_admission_waiting',
    help: 'Requests that wait to be worked on.',
    read: () => admission.readLoad().waiting,
  })
  registry.add({
    type: 'counter',
    merge: 'sum',
    label: 'priority',
    name: 'signet_admission_refused_total',
    help: 'Requests refused because the server was overloaded.',
    read: () => admission.readLoad().refused,
  })
  reportRefused(admission, log)
  return admission
}

function reportRefused(admission: Admission, log: Pick<Log, 'warn'>): void {
  let before = admission.readLoad().refused
  setInterval(() => {
    const { refused } = admission.readLoad()
    const since = QUEUED.map((priority) => [priority, refused[priority] - before[priority]] as const)
    before = refused
    if (since.every(([, count]) => count === 0)) return
    log.warn({ refused: Object.fromEntries(since) }, 'requests were refused because the server is overloaded')
  }, REPORT_MS).unref()
}
