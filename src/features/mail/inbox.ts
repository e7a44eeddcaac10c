/**
 * The development inbox: where mail goes as long as there is no mail server. What a mail says is sealed, since it holds
 * codes. The newest mails are kept; whoever waits for one is told at once in this process, and soon in another.
 */

import { foldText } from '../../kernel/fold-text.ts'
import { type Clock, type Instant, instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Document, Filter, Origin, Page, Store } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { InboxMail as StoredMail } from './decisions/inbox-mail.ts'
import { findSmtpConfig, inboxMails } from './documents.ts'
import type { MessageType } from './message-types.ts'
import type { RenderedMail } from './render.ts'

/** A mail as a reader of the inbox gets it. */
export interface InboxMail extends RenderedMail {
  readonly id: string
  readonly to: string
  readonly type: MessageType
  readonly createdAt: Instant
}

/** Which mails are meant; nothing given means all. */
export interface InboxFilter {
  /** Whatever the case. */
  readonly recipient?: string | undefined
  readonly type?: MessageType | undefined
  readonly since?: Instant | undefined
}

export interface InboxQuery extends InboxFilter {
  readonly limit: number
  readonly offset?: number
  readonly descending?: boolean
}

export interface InboxWait extends InboxFilter {
  /** Only mails that came after the one of this id. */
  readonly afterId?: string | undefined
  /** Only mails that came after this time. */
  readonly afterTime?: Instant | undefined
  readonly milliseconds: number
  readonly signal: AbortSignal
}

export interface Inbox {
  /** Whether mail lands here now, because there is no mail server that it could leave through. */
  isOpen(): Promise<boolean>
  /** Brings a mail; brought twice, it is there once. */
  deliver(id: string, to: string, type: MessageType, mail: RenderedMail): Promise<void>
  list(query: InboxQuery): Promise<{ readonly mails: readonly InboxMail[]; readonly total: number }>
  read(id: string): Promise<InboxMail | undefined>
  /** The oldest mail that is meant, as soon as there is one; undefined when none came in time or the signal did. */
  wait(wait: InboxWait): Promise<InboxMail | undefined>
  /** Removes mails and answers how many there were. */
  remove(filter: InboxFilter, origin: Origin): Promise<number>
}

export interface InboxNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly instanceId: string
  /** How often mails that another process brought are looked for. */
  readonly pollMilliseconds?: number
}

/** How many mails are kept. */
export const INBOX_SIZE = 500
const AT_ONCE = 100
const POLL_MILLISECONDS = 500

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

export function openInbox({
  store,
  vault,
  clock,
  instanceId,
  pollMilliseconds = POLL_MILLISECONDS,
}: InboxNeeds): Inbox {
  const waiting = new Set<() => void>()

  const opened = async (document: Document<StoredMail>): Promise<InboxMail | undefined> => {
    const { id, state, createdAt } = document
    if (state.status !== 'there') return undefined
    const content = JSON.parse(await vault.open(contentPlace(id), state.secret.content)) as RenderedMail
    return { id, to: state.to, type: state.type, createdAt, ...content }
  }

  const removeAll = async (documents: readonly Document<StoredMail>[], origin: Origin): Promise<number> => {
    const { value } = await store.write(origin, async (work) => {
      let count = 0
      for (const { id } of documents) {
        // Somebody may have removed it since it was found.
        if ((await work.get(inboxMails, id)) === undefined) continue
        await work.decide(inboxMails, id, { type: 'remove' })
        count++
      }
      return count
    })
    return value
  }

  const prune = async (origin: Origin): Promise<void> => {
    const old = await store.find(inboxMails, { descending: true, offset: INBOX_SIZE, limit: AT_ONCE })
    if (old.documents.length > 0) await removeAll(old.documents, origin)
  }

  /** Ids are made before mails arrive and clocks differ, so what came after is told by the log. */
  const sequenceOf = async (id: string): Promise<number> => {
    const [delivered] = await store.events({ kinds: [inboxMails.name], id, limit: 1 })
    return delivered?.sequence ?? 0
  }

  const oldest = async (wait: InboxWait, after: number): Promise<Document<StoredMail> | undefined> => {
    const { afterTime } = wait
    const since = afterTime === undefined ? wait.since : instant(afterTime + 1)
    const page: Page<StoredMail> = await store.find(inboxMails, {
      where: filterOf({ ...wait, since }),
      limit: INBOX_SIZE + AT_ONCE,
    })
    return page.documents
      .filter(({ sequence }) => sequence > after)
      .reduce<Document<StoredMail> | undefined>(
        (first, one) => (first === undefined || one.sequence < first.sequence ? one : first),
        undefined,
      )
  }

  /** Resolves when a mail comes, or after a while, or when the signal does. */
  const nextArrival = (milliseconds: number, signal: AbortSignal) => {
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    waiting.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    const timer = setTimeout(wake, milliseconds)
    const forget = (): void => {
      clearTimeout(timer)
      waiting.delete(wake)
      signal.removeEventListener('abort', wake)
    }
    return { woken, forget }
  }

  return {
    isOpen: async () => (await findSmtpConfig(store))?.state.status !== 'active',
    async deliver(id, to, type, { subject, text, html }) {
      const origin = { actor: 'system', at: clock() }
      try {
        await store.write(origin, async (work) => {
          const content = await vault.seal(work, contentPlace(id), JSON.stringify({ subject, text, html }))
          await work.decide(inboxMails, id, { type: 'deliver', to, of: type, content }, instanceId)
        })
      } catch (error) {
        if (error instanceof Refused && error.code === 'mail.inbox_mail_exists') return
        throw error
      }
      for (const wake of waiting) wake()
      await prune(origin)
    },
    async list({ limit, offset = 0, descending = true, ...filter }) {
      const page = await store.find(inboxMails, { where: filterOf(filter), descending, limit, offset })
      const mails = await Promise.all(page.documents.map(opened))
      return { mails: mails.filter((mail) => mail !== undefined), total: page.total }
    },
    async read(id) {
      const document = await store.get(inboxMails, id)
      return document === undefined ? undefined : opened(document)
    },
    async wait(wait) {
      const { afterId, milliseconds, signal } = wait
      const after = afterId === undefined ? 0 : await sequenceOf(afterId)
      const until = performance.now() + milliseconds
      for (;;) {
        const left = until - performance.now()
        // Before looking, so that a mail that comes meanwhile is not missed.
        const arrival = nextArrival(Math.max(0, Math.min(left, pollMilliseconds)), signal)
        try {
          const found = await oldest(wait, after)
          if (found !== undefined) return await opened(found)
          if (left <= 0 || signal.aborted) return undefined
          await arrival.woken
        } finally {
          arrival.forget()
        }
      }
    },
    async remove(filter, origin) {
      let count = 0
      for (;;) {
        const page = await store.find(inboxMails, { where: filterOf(filter), limit: AT_ONCE })
        if (page.documents.length === 0) return count
        count += await removeAll(page.documents, origin)
      }
    },
  }
}
