/**
 * Enqueues emails in the same commit as the event that they are about. Also lists and retries parked emails, which
 * could not be sent.
 */

import { isEmailAddress } from '../../kernel/email-address.ts'
import { foldText } from '../../kernel/fold-text.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { openPace } from '../../kernel/share.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import type { MessageType } from './message-types.ts'
import { mailRefusals } from './refusals.ts'
import type { MailValues } from './render.ts'

/** The kind of the jobs that send emails, and of the place where their values are encrypted. */
export const MAIL_JOB = 'mail'

/** An email to send. */
export interface MailRequest {
  readonly type: MessageType
  /** The stored email address. */
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  /** The preferred language of the user as a tag (BCP 47). If empty, that of the organization. */
  readonly language: string
  readonly values: MailValues
}

/** The data of the job. The values of the email are encrypted for this job only. */
export interface MailJobData {
  readonly type: MessageType
  readonly to: string
  readonly userId: string
  readonly organizationId: string
  readonly language: string
  readonly createdAt: number
  readonly secret: { readonly values: string }
}

/** The place for which the values of an email are encrypted: one for each job. */
export function valuesPlace(jobId: string) {
  return { kind: MAIL_JOB, id: jobId, member: 'values' } as const
}

/**
 * 500 at once, and 50 in a second after that: what an organization sends to everybody it has does not wait in front of the one
 * email that another organization sends.
 */
const mailPace = perApp(({ clock: now }) => openPace({ now, burst: 500, everyMs: 20 }))

/** Sends an email after the commit. Throws `mail.address_invalid` when `to` is not an address. */
export async function enqueueMail(app: App, work: Work, request: MailRequest): Promise<void> {
  const { type, to, userId, organizationId, language, values } = request
  if (!isEmailAddress(to)) throw refused(mailRefusals, 'mail.address_invalid')
  const id = app.newId()
  const sealed = await app.vault.seal(work, valuesPlace(id), JSON.stringify(values))
  const createdAt = work.origin.at
  const data: MailJobData = { type, to, userId, organizationId, language, createdAt, secret: { values: sealed } }
  work.enqueue({ id, kind: MAIL_JOB, data, dueAt: instant(createdAt + mailPace(app)(organizationId)) })
}

/** How many emails wait to be sent, and how many failed permanently. */
export function countMails({
  store,
}: Pick<App, 'store'>): Promise<{ readonly waiting: number; readonly parked: number }> {
  return store.jobs.count(MAIL_JOB)
}

export interface ParkedMail {
  readonly id: string
  readonly to: string
  readonly type: MessageType
  readonly userId: string
  readonly organizationId: string
  readonly createdAt: Instant
  readonly parkedAt: Instant
  readonly attempts: number
  readonly lastError: string
}

export interface ParkedQuery {
  /** Not case-sensitive. */
  readonly recipient?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly descending: boolean
}

const PAGE_SIZE = 500

/** Iterates over all parked emails in small steps, because there can be many after a long outage. */
async function* walkParked({ store }: App, descending: boolean): AsyncGenerator<ParkedMail> {
  let from: string | undefined
  for (;;) {
    const query = {
      kind: MAIL_JOB,
      parked: true,
      descending,
      limit: PAGE_SIZE,
      ...(from === undefined ? {} : { from }),
    }
    const jobs = await store.jobs.list(query)
    for (const { id, data, attempts, error, dueAt } of jobs) {
      const { to, type, userId, organizationId, createdAt } = data as MailJobData
      const about = { to, type, userId, organizationId, createdAt: instant(createdAt) }
      yield { id, ...about, parkedAt: dueAt, attempts, lastError: error }
    }
    from = jobs.at(-1)?.id
    if (jobs.length < PAGE_SIZE) return
  }
}

/** A page of the parked emails, and their total number. */
export async function listParkedMails(
  app: App,
  { recipient, limit, offset, descending }: ParkedQuery,
): Promise<{ readonly mails: readonly ParkedMail[]; readonly total: number }> {
  const sought = recipient ? foldText(recipient) : undefined
  const mails: ParkedMail[] = []
  let total = 0
  for await (const mail of walkParked(app, descending)) {
    if (sought !== undefined && foldText(mail.to) !== sought) continue
    if (total >= offset && mails.length < limit) mails.push(mail)
    total++
  }
  return { mails, total }
}

/** Retries these parked emails, or all if none is given, and returns how many. */
export async function resendParkedMails(app: App, ids: readonly string[], at: Instant): Promise<number> {
  let count = 0
  const resend = async (id: string): Promise<void> => {
    if (await app.store.jobs.unpark(id, at, MAIL_JOB)) count++
  }
  if (ids.length > 0) for (const id of ids) await resend(id)
  else {
    // Collected first. One that fails immediately would be found again.
    const parked: string[] = []
    for await (const { id } of walkParked(app, false)) parked.push(id)
    for (const id of parked) await resend(id)
  }
  return count
}
