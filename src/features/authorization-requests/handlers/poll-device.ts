/**
 * Notices when somebody asks too early whether a user has decided (RFC 8628 §3.5, CIBA §11): a device, or an application on
 * the back channel. The process that answers remembers when it was asked; the document says which process that is. So one
 * who asks in time and at one process causes one write in all. Another process takes over with a write, and sees from the
 * document when the last question came.
 */

import type { Instant } from '../../../kernel/instant.ts'
import { type App, perApp } from '../../../module/app.ts'
import type { Origin, Reader, Work } from '../../../store/index.ts'
import { backchannelRequests } from '../backchannel/documents.ts'
import { deviceAuthorizations } from '../documents.ts'
import { isTooEarly, type Poll, type Waiting } from '../polling.ts'

/** How many of those who wait a process remembers; the oldest are dropped first, and cost one more write. */
const MAX_WAITING = 10_000

/** The last questions that this process answered, and its name in the documents. */
const memoryOf = perApp((app) => ({ by: app.newId(), asked: new Map<string, Instant>() }))

function remember(asked: Map<string, Instant>, id: string, at: Instant): void {
  asked.delete(id)
  const oldest = asked.size >= MAX_WAITING ? asked.keys().next().value : undefined
  if (oldest !== undefined) asked.delete(oldest)
  asked.set(id, at)
}

/** One kind of document that waits for a user. */
interface Kept {
  /** What waits; undefined when there is nothing, or when the user has decided. */
  find(reader: Reader): Promise<Waiting | undefined>
  poll(work: Work, poll: Poll): Promise<unknown>
}

async function pollFor(app: App, origin: Origin, id: string, { find, poll }: Kept): Promise<boolean> {
  const { by, asked } = memoryOf(app)
  const { at } = origin
  const waiting = await find(app.store)
  if (waiting === undefined) return false
  const seenAt = waiting.polled?.by === by ? asked.get(id) : undefined
  if (seenAt !== undefined && !isTooEarly(waiting, at, seenAt)) {
    remember(asked, id, at)
    return false
  }
  const { value: mustSlowDown } = await app.store.write(origin, async (work) => {
    const state = await find(work)
    if (state === undefined) return false
    // Another process may have answered since.
    const own = state.polled?.by === by && seenAt !== undefined ? { seenAt } : {}
    await poll(work, { at, by, ...own })
    return isTooEarly(state, at, own.seenAt)
  })
  remember(asked, id, at)
  return mustSlowDown
}

/** Counts a question of a device that waits; returns whether it must slow down. */
export function pollDevice(app: App, origin: Origin, id: string): Promise<boolean> {
  return pollFor(app, origin, id, {
    async find(reader) {
      const state = (await reader.get(deviceAuthorizations, id))?.state
      return state?.status === 'pending' ? state : undefined
    },
    poll: (work, poll) => work.decide(deviceAuthorizations, id, { type: 'poll', ...poll }),
  })
}

/** Counts a question about a request on the back channel; returns whether the application must slow down. */
export function pollApproval(app: App, origin: Origin, id: string): Promise<boolean> {
  return pollFor(app, origin, id, {
    async find(reader) {
      const state = (await reader.get(backchannelRequests, id))?.state
      return state?.status === 'pending' ? state : undefined
    },
    poll: (work, poll) => work.decide(backchannelRequests, id, { type: 'poll', ...poll }),
  })
}
