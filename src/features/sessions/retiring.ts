/**
 * Sessions that have been over for long enough leave the log, whole streams at a time: else it would grow with every
 * sign-in for ever. Each commit that lets some go says so in one event, with the numbers of the events that left and a
 * digest over them: every gap is accounted for, and a copy from before can be proven to be the right one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Instant } from '../../kernel/instant.ts'
import { type Forgotten, recordForgotten, type Store, type Work } from '../../store/index.ts'
import { sessionRetirements, sessions } from './documents.ts'
import type { Session } from './state.ts'

const AT_ONCE = 200
const FIRST_MILLISECONDS = 60_000
const EVERY_MILLISECONDS = 3_600_000

/** Who stands on the events that nobody asked for. */
const SWEEPER = 'system'

export interface RetiringNeeds {
  readonly store: Store
  readonly instanceId: () => string
  /** How long sessions stay after their end. */
  readonly retentionMs: number
}

/** When a session was, or will be, over. */
const endOf = (session: Session): number =>
  session.status === 'open' ? session.endsAt : session.status === 'ended' ? session.endedAt : 0

const forgetOne = async (work: Work, id: string, over: number): Promise<readonly Forgotten[]> => {
  const session = await work.read(sessions, id)
  // Another node may have been faster.
  return session === undefined || endOf(session.state) > over ? [] : [await work.forget(sessions, id)]
}

/** Some sessions that were over then: expired ones by their index, ended ones by the event that says so. */
const findOver = async (store: Store, over: number): Promise<readonly string[]> => {
  const where = { field: 'endsAt', atMost: over } as const
  const { documents } = await store.find(sessions, { where, orderBy: 'endsAt', limit: AT_ONCE })
  if (documents.length > 0) return documents.map(({ id }) => id)
  // In the order of the log: once one is too young, so are all that follow.
  const ended = await store.events({ kinds: [sessions.name], types: ['session.ended.v1'], limit: AT_ONCE })
  return ended.filter(({ at }) => at <= over).map(({ id }) => id)
}

/** Lets go of all sessions that were over `retentionMs` ago; answers how many there were. */
export const retireSessions = async (
  { store, instanceId, retentionMs }: RetiringNeeds,
  at: Instant,
  signal?: AbortSignal,
): Promise<number> => {
  const over = at - retentionMs
  for (let retired = 0; ; ) {
    signal?.throwIfAborted()
    const ids = await findOver(store, over)
    if (ids.length === 0) return retired
    const { value } = await store.write({ actor: SWEEPER, at }, async (work) => {
      const left = (await Promise.all(ids.map((id) => forgetOne(work, id, over)))).flat()
      if (left.length === 0) return 0
      const command = { type: 'retire', record: recordForgotten(left) } as const
      await work.decide(sessionRetirements, instanceId(), command, instanceId())
      return left.length
    })
    // Whoever was faster goes on.
    if (value === 0) return retired
    retired += value
  }
}

/** Does so once an hour until it is stopped. Every node does: whoever comes second finds nothing left. */
export const startRetiring = (
  needs: RetiringNeeds,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    for (let pause = FIRST_MILLISECONDS; ; pause = EVERY_MILLISECONDS) {
      // Not all nodes at the same moment.
      await sleep(pause * (0.5 + Math.random()), undefined, { signal, ref: false })
      await retireSessions(needs, clock(), signal).catch((error) => {
        if (!signal.aborted) onTrouble(error)
      })
    }
  }
  const done = run().catch(() => {})
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
