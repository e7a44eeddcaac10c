/**
 * Streams that have been over for long enough leave the log, whole streams at a time: else it would grow with every
 * sign-in for ever. Each commit that lets some go says so in one event, with the numbers of the events that left and a
 * digest over them: every gap is accounted for, and a copy from before can be proven to be the right one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { accept } from '../kernel/decider.ts'
import { data, declareEvents, type Event, type EventData } from '../kernel/event.ts'
import { type Clock, type Instant, instant } from '../kernel/instant.ts'
import { type ForgottenRecord, recordForgotten } from './forgotten.ts'
import type { Document, Forgotten, Store, Work } from './index.ts'
import { type AnyKind, type Kind, kind } from './kind.ts'

/** How many streams of a kind have left the log, and how many events with them. */
export interface Retirement {
  readonly streams: number
  readonly events: number
}

export interface RetirementCommand {
  readonly type: 'retire'
  readonly record: ForgottenRecord
}

/** Records what streams of another kind have left. There is one such stream; it has the id of the instance. */
export type RetirementKind<Type extends string = string> = Kind<
  RetirementCommand,
  Retirement,
  Event<Type, ForgottenRecord>,
  never,
  never
>

/** Declares the kind of the records, and the type of the event that says what left. */
export function retirementKind<Type extends string>(name: string, type: Type): RetirementKind<Type> {
  return kind({
    name,
    version: 2,
    events: declareEvents({ [type]: data<ForgottenRecord>() }) as Record<Type, EventData<ForgottenRecord>>,
    decider: {
      initial: { streams: 0, events: 0 },
      evolve: ({ streams, events }, { data }) => ({ streams: streams + data.streams, events: events + data.events }),
      decide: ({ record }) => accept({ type, data: record }),
    },
    refusals: {},
    fields: {},
  })
}

/** A kind whose streams leave, and when. */
export interface Leaving<State = unknown> {
  /** It must be `forgettable`. */
  readonly kind: AnyKind
  readonly records: RetirementKind
  /** How long they stay after they are over. */
  readonly retentionMs: number
  /** So many leave with one commit at most. */
  readonly atOnce: number
  /** Ids of some that were over then, found by an index: there may be millions beside them. */
  findOver(store: Store, over: Instant, limit: number): Promise<readonly string[]>
  /** Whether one was over then; asked again where it leaves. */
  isOver(document: Document<State>, over: Instant): boolean
}

export interface RetiringNeeds {
  readonly store: Store
  readonly instanceId: string
}

/** Who stands on the events that nobody asked for. */
const SWEEPER = 'system'

async function forgetOne(
  work: Work,
  { kind, isOver }: Leaving,
  id: string,
  over: Instant,
): Promise<readonly Forgotten[]> {
  const document = await work.read(kind, id)
  // Another node may have been faster.
  return document === undefined || !isOver(document, over) ? [] : [await work.forget(kind, id)]
}

/** Lets go of all that were over for as long as they stay; answers how many there were. */
export async function retire(
  { store, instanceId }: RetiringNeeds,
  leaving: Leaving,
  at: Instant,
  signal?: AbortSignal,
): Promise<number> {
  const over = instant(at - leaving.retentionMs)
  for (let retired = 0; ; ) {
    signal?.throwIfAborted()
    const ids = await leaving.findOver(store, over, leaving.atOnce)
    if (ids.length === 0) return retired
    const { value } = await store.write({ actor: SWEEPER, at }, async (work) => {
      const left = (await Promise.all(ids.map((id) => forgetOne(work, leaving, id, over)))).flat()
      if (left.length === 0) return 0
      const command = { type: 'retire', record: recordForgotten(left) } as const
      await work.decide(leaving.records, instanceId, command, instanceId)
      return left.length
    })
    // Whoever was faster goes on.
    if (value === 0) return retired
    retired += value
  }
}

export interface RetiringOptions {
  readonly leaving: readonly Leaving[]
  readonly clock: Clock
  /** Told of what went wrong with a kind; the others leave all the same, and it is tried again the next time. */
  readonly onTrouble: (error: unknown, kind: string) => void
  /** From the start to the first time, and from one time to the next. Default: a minute, an hour. */
  readonly firstMs?: number
  readonly everyMs?: number
}

/** Does so once an hour until it is stopped. Every node does: whoever comes second finds nothing left. */
export function startRetiring(
  needs: RetiringNeeds,
  { leaving, clock, onTrouble, firstMs = 60_000, everyMs = 3_600_000 }: RetiringOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    for (let pause = firstMs; ; pause = everyMs) {
      // Not all nodes at the same moment.
      await sleep(pause * (0.5 + Math.random()), undefined, { signal, ref: false })
      for (const each of leaving) {
        await retire(needs, each, clock(), signal).catch((error) => {
          if (!signal.aborted) onTrouble(error, each.kind.name)
        })
      }
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
