/** What became of text messages in this process since it started, for the metrics. */
import type { Store } from '../../store/index.ts'
import { SMS_JOB } from './queue.ts'

export interface SmsCounts {
  /** Taken by the webhook. */
  sent: number
  /** Tries that failed and will be repeated. */
  delayed: number
  /** Given up. */
  parked: number
}

export function newSmsCounts(): SmsCounts {
  return { sent: 0, delayed: 0, parked: 0 }
}

/** How many text messages wait and how many are parked, in the whole instance; for the metrics. */
export function countSms(store: Store): Promise<{ readonly waiting: number; readonly parked: number }> {
  return store.jobs.count(SMS_JOB)
}
