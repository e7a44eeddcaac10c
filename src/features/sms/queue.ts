/** Enqueues text messages in the same commit as the event that they are about. */
import type { App } from '../../module/app.ts'
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

/** Sends a text message once the work is committed: to the webhook, or to the development inbox when none is active. */
export async function enqueueSms(app: App, work: Work, request: SmsRequest): Promise<void> {
  const { type, to, userId, organizationId, language, code } = request
  const id = app.newId()
  const values = await app.vault.seal(work, codePlace(id), JSON.stringify({ code }))
  const about = { type, to, userId, organizationId, language, createdAt: work.origin.at }
  work.enqueue({ id, kind: SMS_JOB, data: { ...about, secret: { values } } satisfies SmsJobData })
}
