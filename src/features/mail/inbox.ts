/**
 * The development inbox, which receives emails while there is no active SMTP server. Emails are encrypted because they
 * contain codes. Only the newest ones are kept. Callers that wait for an email are woken when it arrives in this
 * process; emails that other processes deliver are found by polling.
 */

import { foldText } from '../../kernel/fold-text.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Document, Filter, Origin, Page } from '../../store/index.ts'
import type { InboxMail as StoredMail } from './decisions/inbox-mail.ts'
import { inboxMails, isMailServerActive } from './documents.ts'
import type { InboxType } from './message-types.ts'
import type { RenderedMail } from './render.ts'

/** A decrypted email of the inbox. */
export interface InboxMail extends RenderedMail {
  readonly id: string
  readonly to: string
  readonly type: InboxType
  readonly createdAt: Instant
}

/** Selects emails; all if nothing is set. */
export interface InboxFilter {
  /** Not case-sensitive. */
  readonly recipient?: string | undefined
  readonly type?: InboxType | undefined
  readonly since?: Instant | undefined
}

export interface InboxQuery extends InboxFilter {
  readonly limit: number
  readonly offset?: number
  readonly descending?: boolean
}

export interface InboxWait extends InboxFilter {
  /** Only emails that arrived after the one with this ID. */
  readonly afterId?: string | undefined
  /** Only emails that arrived after this time. */
  readonly afterTime?: Instant | undefined
  readonly milliseconds: number
  readonly signal: AbortSignal
  /** How often to look for emails that other processes delivered. */
  readonly pollMilliseconds?: number
}

/** How many emails are kept. */
export const INBOX_SIZE = 500
const BATCH = 100
const POLL_MILLISECONDS = 500

/** Wakes the callers that wait for an email in this process. */
const waitersOf = perApp(() => new Set<() => void>())

function contentPlace(id: string) {
  return { kind: inboxMails.name, id, member: 'content' } as const
}

function filterOf({ recipient, type, since }: InboxFilter): Filter<'recipient' | 'type'> {
  return {
    all: [
      ...(recipient ? [{ field: 'recipient', equals: foldText(recipient) } as const] : []),
      ...(type === undefined ? [] : [{ field: 'type', equals: type } as const]),
      ...(since === undefined ? [] : [{ field: 'createdAt', atLeast: since } as const]),
    ],
  }
}

async function openMail({ vault }: App, document: Document<StoredMail>): Promise<InboxMail | undefined> {
  const { id, state, createdAt } = document
  if (state.status !== 'there') return undefined
  const content = JSON.parse(await vault.open(contentPlace(id), state.secret.content)) as RenderedMail
  return { id, to: state.to, type: state.type, createdAt, ...content }
}

async function removeAll({ store }: App, documents: readonly Document<StoredMail>[], origin: Origin): Promise<number> {
  const { value } = await store.write(origin, async (work) => {
    let count = 0
    for (const { id } of documents) {
      // It may have been removed since it was found.
      if ((await work.get(inboxMails, id)) === undefined) continue
      await work.decide(inboxMails, id, { type: 'remove' })
      count++
    }
    return count
  })
  return value
}

async function prune(app: App, origin: Origin): Promise<void> {
  const old = await app.store.find(inboxMails, { descending: true, offset: INBOX_SIZE, limit: BATCH })
  if (old.documents.length > 0) await removeAll(app, old.documents, origin)
}

/** Whether mail is delivered to the inbox now, because no mail server is active. */
export async function isInboxOpen(app: Pick<App, 'store'>): Promise<boolean> {
  return !(await isMailServerActive(app))
}

/** Delivers an email to the inbox. A second delivery of the same email has no effect. */
export async function deliverToInbox(
  app: App,
  { id, to, type }: Pick<InboxMail, 'id' | 'to' | 'type'>,
  { subject, text, html }: RenderedMail,
): Promise<void> {
  const origin = { actor: 'server', at: app.clock() } as const
  try {
    await app.store.write(origin, async (work) => {
      const content = await app.vault.seal(work, contentPlace(id), JSON.stringify({ subject, text, html }))
      await work.decide(inboxMails, id, { type: 'deliver', to, of: type, content }, app.instanceId)
    })
  } catch (error) {
    if (error instanceof Refused && error.code === 'mail.inbox_mail_exists') return
    throw error
  }
  for (const wake of waitersOf(app)) wake()
  await prune(app, origin)
}

/** A page of the emails in the inbox, and their total number. */
export async function listInboxMails(
  app: App,
  { limit, offset = 0, descending = true, ...filter }: InboxQuery,
): Promise<{ readonly mails: readonly InboxMail[]; readonly total: number }> {
  const page = await app.store.find(inboxMails, { where: filterOf(filter), descending, limit, offset })
  const mails = await Promise.all(page.documents.map((document) => openMail(app, document)))
  return { mails: mails.filter((mail) => mail !== undefined), total: page.total }
}

/** One mail of the inbox; undefined when there is none. */
export async function readInboxMail(app: App, id: string): Promise<InboxMail | undefined> {
  const document = await app.store.get(inboxMails, id)
  return document === undefined ? undefined : openMail(app, document)
}

/** Removes emails and returns how many it removed. */
export async function removeInboxMails(app: App, filter: InboxFilter, origin: Origin): Promise<number> {
  let count = 0
  for (;;) {
    const page = await app.store.find(inboxMails, { where: filterOf(filter), limit: BATCH })
    if (page.documents.length === 0) return count
    count += await removeAll(app, page.documents, origin)
  }
}

/** IDs are created before emails arrive, and clocks differ. So the log decides what came later. */
async function sequenceOf({ store }: App, id: string): Promise<number> {
  const [delivered] = await store.events({ kinds: [inboxMails.name], id, limit: 1 })
  return delivered?.sequence ?? 0
}

async function findOldest({ store }: App, wait: InboxWait, after: number): Promise<Document<StoredMail> | undefined> {
  const { afterTime } = wait
  const since = afterTime === undefined ? wait.since : instant(afterTime + 1)
  const page: Page<StoredMail> = await store.find(inboxMails, {
    where: filterOf({ ...wait, since }),
    limit: INBOX_SIZE + BATCH,
  })
  return page.documents
    .filter(({ sequence }) => sequence > after)
    .reduce<Document<StoredMail> | undefined>(
      (first, one) => (first === undefined || one.sequence < first.sequence ? one : first),
      undefined,
    )
}

/** Resolves when an email arrives, after the given time, or when the signal is aborted. */
function nextArrival(app: App, milliseconds: number, signal: AbortSignal) {
  const waiters = waitersOf(app)
  let wake = (): void => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  waiters.add(wake)
  signal.addEventListener('abort', wake, { once: true })
  const timer = setTimeout(wake, milliseconds)
  const release = (): void => {
    clearTimeout(timer)
    waiters.delete(wake)
    signal.removeEventListener('abort', wake)
  }
  return { woken, release }
}

/**
 * Returns the oldest matching email as soon as there is one; undefined when none arrives in time or the signal is
 * aborted.
 */
export async function waitForInboxMail(app: App, wait: InboxWait): Promise<InboxMail | undefined> {
  const { afterId, milliseconds, signal, pollMilliseconds = POLL_MILLISECONDS } = wait
  const after = afterId === undefined ? 0 : await sequenceOf(app, afterId)
  const until = performance.now() + milliseconds
  for (;;) {
    const left = until - performance.now()
    // Started before the search, so that an email that arrives meanwhile is not missed.
    const arrival = nextArrival(app, Math.max(0, Math.min(left, pollMilliseconds)), signal)
    try {
      const found = await findOldest(app, wait, after)
      if (found !== undefined) return await openMail(app, found)
      if (left <= 0 || signal.aborted) return undefined
      await arrival.woken
    } finally {
      arrival.release()
    }
  }
}
