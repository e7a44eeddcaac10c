/** Mails that could not be sent and are no longer tried: seeing them, and trying them again. */
import { foldText } from '../../kernel/fold-text.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { MessageType } from './message-types.ts'
import { MAIL_JOB, type MailJobData } from './queue.ts'

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
  /** Whatever the case. */
  readonly recipient?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly descending: boolean
}

const AT_ONCE = 500

/** Every parked mail, a few at a time: after a long outage there may be many. */
async function* walkParked(store: Store, descending: boolean): AsyncGenerator<ParkedMail> {
  let from: string | undefined
  for (;;) {
    const query = { kind: MAIL_JOB, parked: true, descending, limit: AT_ONCE, ...(from === undefined ? {} : { from }) }
    const jobs = await store.jobs.list(query)
    for (const { id, data, attempts, error, dueAt } of jobs) {
      const { to, type, userId, organizationId, createdAt } = data as MailJobData
      const about = { to, type, userId, organizationId, createdAt: instant(createdAt) }
      yield { id, ...about, parkedAt: dueAt, attempts, lastError: error }
    }
    from = jobs.at(-1)?.id
    if (jobs.length < AT_ONCE) return
  }
}

/** A part of the parked mails, and how many there are in all. */
export async function listParkedMails(
  store: Store,
  { recipient, limit, offset, descending }: ParkedQuery,
): Promise<{ readonly mails: readonly ParkedMail[]; readonly total: number }> {
  const sought = recipient ? foldText(recipient) : undefined
  const mails: ParkedMail[] = []
  let total = 0
  for await (const mail of walkParked(store, descending)) {
    if (sought !== undefined && foldText(mail.to) !== sought) continue
    if (total >= offset && mails.length < limit) mails.push(mail)
    total++
  }
  return { mails, total }
}

/** Tries these parked mails again, or all when none is named; answers how many. */
export async function resendParkedMails(store: Store, ids: readonly string[], at: Instant): Promise<number> {
  let count = 0
  const resend = async (id: string): Promise<void> => {
    if (await store.jobs.unpark(id, at, MAIL_JOB)) count++
  }
  if (ids.length > 0) for (const id of ids) await resend(id)
  else {
    // Collected first: one that fails again at once would be found again.
    const parked: string[] = []
    for await (const { id } of walkParked(store, false)) parked.push(id)
    for (const id of parked) await resend(id)
  }
  return count
}

/** How many mails wait and how many are parked, in the whole instance; for the metrics. */
export function countMails(store: Store): Promise<{ readonly waiting: number; readonly parked: number }> {
  return store.jobs.count(MAIL_JOB)
}
