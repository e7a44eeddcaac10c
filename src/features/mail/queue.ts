/** How other rooms have a mail sent: in the same commit as the event that it tells of, and never without it. */

import { isEmailAddress } from '../../kernel/email-address.ts'
import type { NewId } from '../../kernel/id.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Work } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { MessageType } from './message-types.ts'
import { mailRefusals } from './refusals.ts'
import type { MailValues } from './render.ts'

/** The kind of the jobs that send mails; also the kind of the place where their values are sealed. */
export const MAIL_JOB = 'mail'

/** A mail that is asked for. */
export interface MailRequest {
  readonly type: MessageType
  /** The address as it is stored. */
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  /** The language that the user prefers, as a tag (BCP 47); empty: that of the organization. */
  readonly language: string
  readonly values: MailValues
}

/** Has a mail sent once the work is committed; throws `mail.address_invalid` when `to` is not an address. */
export type EnqueueMail = (work: Work, request: MailRequest) => Promise<void>

/** What stands in the job. Everything that the mail tells is sealed, for this job and no other. */
export interface MailJobData {
  readonly type: MessageType
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  readonly language: string
  readonly createdAt: number
  readonly secret: { readonly values: string }
}

/** Where the values of a mail are sealed: one place for each job. */
export function valuesPlace(jobId: string) {
  return { kind: MAIL_JOB, id: jobId, member: 'values' } as const
}

/** The function that other rooms are given. */
export function mailQueue(vault: Vault, newId: NewId): EnqueueMail {
  return async (work, { type, to, userId, organizationId, language, values }) => {
    if (!isEmailAddress(to)) throw refused(mailRefusals, 'mail.address_invalid')
    const id = newId()
    const sealed = await vault.seal(work, valuesPlace(id), JSON.stringify(values))
    const createdAt = work.origin.at
    const data: MailJobData = { type, to, userId, organizationId, language, createdAt, secret: { values: sealed } }
    work.enqueue({ id, kind: MAIL_JOB, data })
  }
}
