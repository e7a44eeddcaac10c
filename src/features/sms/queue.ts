/** How other rooms have a text message sent: in the same commit as the event that it tells of. */
import type { NewId } from '../../kernel/id.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Store, Work } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import { hasSmsProvider } from './documents.ts'
import { smsRefusals } from './refusals.ts'
import type { SmsType } from './texts.ts'

/** The kind of the jobs that send text messages. */
export const SMS_JOB = 'sms'

/** A text message that is asked for. */
export interface SmsRequest {
  readonly type: SmsType
  /** The number as it is stored: E.164. */
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  /** The language that the user prefers, as a tag (BCP 47); empty: that of the organization. */
  readonly language: string
  readonly code: string
}

/** Has a text message sent once the work is committed; throws `sms.no_provider` when there is no way for it. */
export type EnqueueSms = (work: Work, request: SmsRequest) => Promise<void>

/** What stands in the job; the code is sealed, for this job and no other. */
export interface SmsJobData {
  readonly type: SmsType
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  readonly language: string
  readonly createdAt: number
  readonly secret: { readonly values: string }
}

/** Where the code of a message is sealed: one place for each job. */
export function codePlace(jobId: string) {
  return { kind: SMS_JOB, id: jobId, member: 'values' } as const
}

/** Throws, with what to do about it, when there is no way for text messages. */
export async function requireSmsProvider(store: Store): Promise<void> {
  if (!(await hasSmsProvider(store))) throw refused(smsRefusals, 'sms.no_provider')
}

/** The function that other rooms are given. */
export function smsQueue(store: Store, vault: Vault, newId: NewId): EnqueueSms {
  return async (work, { type, to, userId, organizationId, language, code }) => {
    await requireSmsProvider(store)
    const id = newId()
    const values = await vault.seal(work, codePlace(id), JSON.stringify({ code }))
    const about = { type, to, userId, organizationId, language, createdAt: work.origin.at }
    work.enqueue({ id, kind: SMS_JOB, data: { ...about, secret: { values } } satisfies SmsJobData })
  }
}
