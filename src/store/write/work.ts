/** One write while it is being built: what it has read, what it has decided, and the commit that results. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { actorText } from '../../kernel/actor.ts'
import type { AnyEvent } from '../../kernel/event.ts'
import { type Id, type NewId, newId } from '../../kernel/id.ts'
import { type Refused, refused } from '../../kernel/refusal.ts'
import { arrive, OBJECT_IMPORTED } from '../arrival.ts'
import { type CountRow, countsOf } from '../counters.ts'
import type { ClaimRow, Commit, DocumentRow, Engine, GuardRow, StreamChange } from '../engine.ts'
import { claimsOf, type EventText, eventText, foldEvents, haveSameFields, isGone, toJson } from '../fold.ts'
import type { NewJob } from '../jobs/new-job.ts'
import type { AnyKind, Kind } from '../kind.ts'
import { storeRefusals } from '../refusals.ts'
import { streamKey } from '../streams.ts'
import { isStorableText } from '../text.ts'
import type { Document, Origin, RemovedStream, Work } from '../types.ts'
import { checkDocument } from './limits.ts'
import { type Seen, SeenStreams } from './seen-streams.ts'

/** After this many streams, others get a turn: the end of thousands of sessions must not hold up every request. */
const MOST_IN_ONE_TURN = 100

/** A document with new events that the work has returned. Only the commit knows their sequences. */
interface ReturnedDocument {
  readonly kind: string
  readonly document: { readonly id: string; sequence: number }
}

/** A refusal that is thrown only after the events that came with it have been committed. */
interface RecordedRefusal {
  readonly refusal: Refused
  readonly commit: PlannedCommit
}

/** A commit, and for each of its claims the refusal to throw when another stream holds it. */
export interface PlannedCommit {
  readonly commit: Commit
  readonly taken: readonly (() => Refused)[]
}

/** The parsed state of a row. Readers share it, so it must not be changed. */
function stateOf(row: DocumentRow): unknown {
  row.parsed ??= JSON.parse(row.state)
  return row.parsed
}

/** Turns a row into the document that a reader gets. */
export function toDocument<State, Of extends string>(row: DocumentRow): Document<State, Of> {
  return {
    id: row.id,
    owner: row.owner,
    state: stateOf(row) as State,
    revision: row.revision,
    sequence: row.sequence,
    createdAt: row.createdAt,
    changedAt: row.changedAt,
  }
}

/** The work of one write. A class, because one is made for every write. */
export class OpenWork implements Work {
  readonly origin: Origin
  readonly #engine: Pick<Engine, 'get' | 'stream'>
  readonly #checkKind: (kind: AnyKind) => void
  readonly #seen = new SeenStreams()
  readonly #jobs: Commit['jobs'][number][] = []
  /** Jobs that are also kept when the work is refused and the refusal is recorded. */
  readonly #keptJobs: Commit['jobs'][number][] = []
  readonly #returned: ReturnedDocument[] = []
  #waitsForDisk = false
  #recordedRefusal: RecordedRefusal | undefined

  /** Whether it runs again, after a conflict. */
  readonly #isRepeated: boolean
  /** IDs that it has drawn without looking them up. */
  readonly #drawn: { readonly kind: string; readonly id: string }[] = []

  constructor(
    engine: Pick<Engine, 'get' | 'stream'>,
    origin: Origin,
    checkKind: (kind: AnyKind) => void,
    isRepeated = false,
  ) {
    this.origin = origin
    this.#engine = engine
    this.#checkKind = checkKind
    this.#isRepeated = isRepeated
  }

  plan(): PlannedCommit {
    return planCommit(this.origin, this.#seen, this.#jobs, this.#waitsForDisk)
  }

  /** What it has read and decided. */
  get streams(): Iterable<Seen> {
    return this.#seen
  }

  /** Sets the sequences of the returned documents, after the commit; `sequence` is that of its last event. */
  committed({ changes }: Commit, sequence: number): void {
    setSequences(this.#returned, changes, sequence)
  }

  get recordedRefusal(): RecordedRefusal | undefined {
    return this.#recordedRefusal
  }

  async get<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<Document<S, O> | undefined> {
    const found = await this.#look(kind, id)
    if (found.gone || found.removed || (found.row === undefined && found.events.length === 0)) return undefined
    return this.#document(found, found.state() as S)
  }

  async decide<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner?: string,
  ): Promise<Document<S, O>> {
    await this.#look(kind, id)
    // Looked up again: during the wait, the same work may have decided on the stream.
    return this.#decideOn(kind, this.#seen.get(kind, id) ?? seenRow(kind, id, undefined), command, owner)
  }

  async unusedId<O extends string>(kind: AnyKind<O>, next: NewId): Promise<Id<O>> {
    this.#checkKind(kind)
    let id = next()
    while (this.#seen.get(kind, id) !== undefined || (this.#isRepeated && (await this.#engine.get(kind.name, id)))) {
      id = next()
    }
    this.#seen.put(seenRow(kind, id, undefined))
    if (!this.#isRepeated) this.#drawn.push({ kind: kind.name, id })
    return id
  }

  /** Whether it has drawn an ID that somebody has: then what it was refused for may belong to them. */
  async hasDrawnTaken(): Promise<boolean> {
    for (const { kind, id } of this.#drawn) if ((await this.#engine.get(kind, id)) !== undefined) return true
    return false
  }

  async begin<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner: string,
  ): Promise<Document<S, O>> {
    this.#checkKind(kind)
    if (this.#seen.get(kind, id) !== undefined)
      throw new Error(`${kind.name} ${id} is known to this work and cannot begin`)
    return this.#decideOn(kind, seenRow(kind, id, undefined), command, owner)
  }

  async removeStream<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<RemovedStream> {
    if (kind.removable !== true) throw new Error(`streams of the kind ${kind.name} cannot be removed`)
    await this.#look(kind, id)
    const before = this.#seen.get(kind, id) ?? seenRow(kind, id, undefined)
    if (before.events.length > 0) throw new Error(`${kind.name} ${id} is changed by this work and cannot be removed`)
    this.#seen.put({ ...before, removed: true })
    const revision = before.removed ? 0 : (before.row?.revision ?? 0)
    // Events appended since the document was read do not count: with them, the commit ends in a conflict anyway.
    const events = revision === 0 ? [] : (await this.#engine.stream(kind.name, id)).slice(0, revision)
    return { events }
  }

  putLast(kind: AnyKind, id: string): void {
    const known = this.#seen.get(kind, id)
    if (known !== undefined) this.#seen.put(known)
  }

  enqueue({ id = newId(), kind, data, dueAt, keptWithRefusal = false, isOwed = false }: NewJob): void {
    // What is brought from elsewhere did not happen here: nobody is told of it, and nothing follows but what is still owed.
    if (this.origin.arrival !== undefined && !isOwed) return
    const job = { id, kind, data: toJson(data), dueAt: dueAt ?? this.origin.at }
    this.#jobs.push(job)
    if (keptWithRefusal) this.#keptJobs.push(job)
  }

  waitForDisk(): void {
    this.#waitsForDisk = true
  }

  async #look(kind: AnyKind, id: string): Promise<Seen> {
    this.#checkKind(kind)
    const before = this.#seen.get(kind, id)
    if (before !== undefined) return before
    if (this.#seen.size % MOST_IN_ONE_TURN === MOST_IN_ONE_TURN - 1) await nextTurn()
    const found = isStorableText(id) ? this.#engine.get(kind.name, id) : undefined
    const row = found instanceof Promise ? await found : found
    // Another branch of the same work may have loaded the stream meanwhile; its decisions must not be lost.
    const meanwhile = this.#seen.get(kind, id)
    if (meanwhile !== undefined) return meanwhile
    const fresh = seenRow(kind, id, row)
    this.#seen.put(fresh)
    return fresh
  }

  #document<State, Of extends string>({ kind, id, row, owner, events }: Seen, state: State): Document<State, Of> {
    const { at, arrival } = this.origin
    const isChanged = events.length > 0
    const dates = isChanged && arrival ? arrive(arrival, { kind: kind.name, id }, row) : undefined
    const document = {
      id,
      owner: owner ?? '',
      state,
      revision: (row?.revision ?? 0) + events.length + (dates === undefined ? 0 : 1),
      sequence: row?.sequence ?? 0,
      createdAt: dates?.createdAt ?? row?.createdAt ?? at,
      changedAt: dates?.changedAt ?? (isChanged ? at : (row?.changedAt ?? at)),
    }
    if (events.length > 0) this.#returned.push({ kind: kind.name, document })
    return document
  }

  #decideOn<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    before: Seen,
    command: C,
    owner: string | undefined,
  ): Document<S, O> {
    const { id } = before
    if (before.removed) throw new Error(`${kind.name} ${id} is removed by this work and cannot be decided on`)
    const decision = kind.decider.decide(command, before.state() as S)
    const events = decision.events.map(eventText)
    if (decision.refusal !== undefined) {
      const refusal = refused(kind.refusals, decision.refusal)
      if (events.length > 0) {
        // Alone: on the stored stream, without the earlier decisions of this work.
        const alone = append(seenRow(kind, id, before.row), events, before.row?.owner ?? owner)
        this.#recordedRefusal ??= { refusal, commit: planCommit(this.origin, [alone], this.#keptJobs) }
      }
      throw refusal
    }
    const after = append(before, events, before.owner ?? owner)
    if (events.length > 0) checkDocument(kind, before, after)
    if (kind.jobAfter !== undefined) {
      const about = { id, before: before.state() as S }
      for (const event of decision.events) {
        const job = kind.jobAfter(event, about)
        if (job !== undefined) this.enqueue(job)
      }
    }
    // The last decision comes last, and so do its events in the commit: those of the object that the reply is about.
    this.#seen.put(after)
    return this.#document(after, after.state() as S)
  }
}

/** The events of a commit are numbered one after the other, in the order of its changes; `last` is the last number. */
function setSequences(returned: readonly ReturnedDocument[], changes: readonly StreamChange[], last: number): void {
  const sequences = new Map<string, number>()
  let sequence = last
  for (const change of changes.toReversed()) {
    sequences.set(streamKey(change), sequence)
    sequence -= change.events.length
  }
  for (const { kind, document } of returned) {
    document.sequence = sequences.get(streamKey({ kind, id: document.id })) ?? document.sequence
  }
}

function seenRow(kind: AnyKind, id: string, row: DocumentRow | undefined): Seen {
  return {
    kind,
    id,
    row,
    owner: row?.owner,
    state: () => (row === undefined ? kind.decider.initial : stateOf(row)),
    gone: row?.gone ?? false,
    removed: false,
    events: [],
    text: row?.state ?? '',
  }
}

function append(before: Seen, events: readonly EventText[], owner: string | undefined): Seen {
  const { id } = before
  if (owner === undefined) throw new Error(`${before.kind.name} ${id} is new and was given no owner`)
  if (events.length === 0) return { ...before, owner }
  if (!isStorableText(id) || !isStorableText(owner)) throw refused(storeRefusals, 'store.text_invalid')
  const { state, text } = foldEvents(before.kind, before.state(), events)
  return {
    kind: before.kind,
    id,
    row: before.row,
    owner,
    state: () => state,
    gone: before.gone || isGone(before.kind, state),
    removed: false,
    events: [...before.events, ...events],
    text,
  }
}

function planCommit(origin: Origin, seen: Iterable<Seen>, jobs: Commit['jobs'], waitsForDisk = false): PlannedCommit {
  const changes: StreamChange[] = []
  const guards: GuardRow[] = []
  const claims: ClaimRow[] = []
  const released: ClaimRow[] = []
  const removed: GuardRow[] = []
  const counts: CountRow[] = []
  const taken: (() => Refused)[] = []
  const { actor, at, arrival } = origin
  for (const { kind, id, row, owner, events, text, gone, removed: isRemoved, state } of seen) {
    const expected = row?.revision ?? 0
    if (isRemoved && row !== undefined) {
      removed.push({ kind: kind.name, id, expected })
      for (const claim of claimsOf(kind, stateOf(row), row)) released.push(claimRow(kind, id, claim))
      continue
    }
    if (events.length === 0) {
      // No document can have such an id, and PostgreSQL would not accept it as a parameter.
      if (isStorableText(id)) guards.push({ kind: kind.name, id, expected })
      continue
    }
    const dates = arrival && arrive(arrival, { kind: kind.name, id }, row)
    changes.push({
      kind: kind.name,
      id,
      owner: owner ?? '',
      expected,
      events: dates === undefined ? events : [...events, eventText({ type: OBJECT_IMPORTED, data: dates })],
      ...(dates && { dates: { createdAt: dates.createdAt, changedAt: dates.changedAt } }),
      state: text,
      gone,
      sameFields: row !== undefined && haveSameFields(kind, stateOf(row), state()),
    })
    if (kind.counts !== undefined) {
      const about = { owner: owner ?? '', at }
      for (const { type, value } of events) counts.push(...countsOf(kind, { type, data: value }, about))
    }
    if (kind.claims === undefined) continue
    const before = row === undefined ? [] : claimsOf(kind, stateOf(row), row)
    const after = claimsOf(kind, state(), { owner: owner ?? '', gone })
    for (const claim of before) {
      if (!after.some((other) => isSameClaim(other, claim))) released.push(claimRow(kind, id, claim))
    }
    for (const claim of after) {
      if (before.some((other) => isSameClaim(other, claim))) continue
      claims.push(claimRow(kind, id, claim))
      taken.push(() => refused(kind.refusals, claim.taken))
    }
  }
  if (removed.length > 0 && changes.length === 0) throw new Error('streams are removed, but no event records it')
  return {
    commit: { actor: actorText(actor), at, changes, guards, removed, claims, released, jobs, counts, waitsForDisk },
    taken,
  }
}

interface ClaimValue {
  readonly kind: string
  readonly value: string
}

function isSameClaim(one: ClaimValue, other: ClaimValue): boolean {
  return one.kind === other.kind && one.value === other.value
}

function claimRow(kind: AnyKind, id: string, claim: ClaimValue): ClaimRow {
  return {
    kind: claim.kind,
    value: claim.value,
    id,
    of: kind.name,
  }
}
