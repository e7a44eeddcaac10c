/** Enqueues text messages in the same commit as the event that they are about. */
import { instant } from '../../kernel/instant.ts'
import { openPace } from '../../kernel/share.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import type { SmsType } from './texts.ts'

/** The kind of the jobs that send text messages. */
export const SMS_JOB = 'sms'

/** A text message to send. */
export interface SmsRequest {
  readonly type: SmsType
  /** The stored number in E.164 format. */
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  /** The preferred language of the user as a tag (BCP 47). If empty, that of the organization. */
  readonly language: string
  readonly code: string
}

/** The data of the job. The code is encrypted for this job only. */
export interface SmsJobData {
  readonly type: SmsType
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  readonly language: string
  readonly createdAt: number
  readonly secret: { readonly values: string }
}

/** The place for which the code of a message is encrypted: one for each job. */
export function codePlace(jobId: string) {
  return { kind: SMS_JOB, id: jobId, member: 'values' } as const
}

/**
 * 100 at once, and 20 in a second after that: the codes that an organization sends do not wait behind all of another. A provider
 * that needs 0.3 seconds for a message is never busy with one organization alone.
 */
const smsPace = perApp(({ clock: now }) => openPace({ now, burst: 100, everyMs: 50 }))

/** How many text messages one process sends at the same time. */
export const SMS_CONCURRENCY = 8

/** Sends a text message once the work is committed: to the webhook, or to the development inbox when none is active. */
export async function enqueueSms(app: App, work: Work, request: SmsRequest): Promise<void> {
  const { type, to, userId, organizationId, language, code } = request
  const id = app.newId()
  const values = await app.vault.seal(work, codePlace(id), JSON.stringify({ code }))
  const createdAt = work.origin.at
  const data: SmsJobData = { type, to, userId, organizationId, language, createdAt, secret: { values } }
  work.enqueue({ id, kind: SMS_JOB, data, dueAt: instant(createdAt + smsPace(app)(organizationId)) })
}
