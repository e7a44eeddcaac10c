/** The front of this room: all that others may know about text messages. */
import type { Method } from '../../access/method.ts'
import type { JobHandlers, JobOptions } from '../../store/index.ts'
import { mailPause } from '../mail/index.ts'
import { newSmsCounts, type SmsCounts } from './counts.ts'
import { type SmsJobNeeds, smsJobs } from './jobs.ts'
import { type EnqueueSms, smsQueue } from './queue.ts'
import { type SmsMethodNeeds, smsMethods } from './rpc.ts'

export { countSms, type SmsCounts } from './counts.ts'
export { hasSmsProvider, smsProviders } from './documents.ts'
export type { SmsProviderEvent } from './events.ts'
export type { EnqueueSms, SmsRequest } from './queue.ts'
export { requireSmsProvider } from './queue.ts'
export { type SmsRefusal, smsRefusals } from './refusals.ts'
export { smsResealers } from './reseal.ts'
export type { SmsType } from './texts.ts'
export { openWebhook, type PostWebhook, type WebhookOptions } from './webhook.ts'

/** What this room is given by whoever wires the house. */
export type SmsNeeds = SmsMethodNeeds & Omit<SmsJobNeeds, 'counts'>

/** The room. */
export interface SmsRoom {
  readonly methods: readonly Method[]
  /** For other rooms: has a text message sent in the same commit. */
  readonly enqueueSms: EnqueueSms
  /** To be run with `jobOptions`, as those of mail. */
  readonly jobs: JobHandlers
  readonly jobOptions: Pick<JobOptions, 'pauseAfter'>
  /** What became of text messages in this process. */
  readonly counts: Readonly<SmsCounts>
}

/** Opens the room. */
export function openSms(needs: SmsNeeds): SmsRoom {
  const counts = newSmsCounts()
  return {
    methods: smsMethods(needs),
    enqueueSms: smsQueue(needs.store, needs.vault, needs.newId),
    jobs: smsJobs({ ...needs, counts }),
    jobOptions: { pauseAfter: mailPause },
    counts,
  }
}
