/** One write while it is being built: what was read, what was decided, and the commit that comes of it. */
import type { AnyFact } from '../kernel/event.ts'
import { newId } from '../kernel/id.ts'
import { type Refused, refused } from '../kernel/refusal.ts'
import type { ClaimRow, Commit, DocumentRow, Engine, GuardRow, StreamChange } from './engine.ts'
import { claimsOf, type EventText, eventText, foldEvents, isGone, stateOf, toJson } from './fold.ts'
import type { Document, NewJob, Origin, Work } from './index.ts'
import type { AnyKind, Kind } from './kind.ts'
import { storeRefusals } from './refusals.ts'
import { isStorableText } from './text.ts'

/** A stream that this work has looked at. */
interface Seen {
  readonly kind: AnyKind
  readonly row: DocumentRow | undefined
  readonly owner: string | undefined
  /** The state now, parsed lazily: most streams are only looked at. */
  state(): unknown
  readonly gone: boolean
  /** It leaves with this commit; nothing more is decided on it. */
  readonly forgotten: boolean
  readonly events: readonly EventText[]
  readonly text: string
}

/** A refusal that is thrown only after what the decider wants remembered has been committed. */
interface Remembered {
  readonly refusal: Refused
  readonly commit: PlannedCommit
}

/** A commit, and the refusal that each of its claims turns into when somebody else holds it. */
export interface PlannedCommit {
  readonly commit: Commit
  readonly taken: readonly (() => Refused)[]
}

export interface OpenWork {
  readonly work: Work
  plan(): PlannedCommit
  remembered(): Remembered | undefined
}

/** Turns a stored row into what a reader gets. */
export const toDocument = <State>(row: DocumentRow): Document<State> => ({
  id: row.id,
  owner: row.owner,
  state: stateOf(row) as State,
  revision: row.revision,
  sequence: row.sequence,
  createdAt: row.createdAt,
  changedAt: row.changedAt,
})

/** Begins a work that reads through `engine`. */
export const beginWork = (
  engine: Pick<Engine, 'get' | 'stream'>,
  origin: Origin,
  checkKind: (kind: AnyKind) => void,
): OpenWork => {
  const seen = new Map<string, Seen>()
  const jobs: Commit['jobs'][number][] = []
  let lingers = false
  let remembered: Remembered | undefined

  const look = async (kind: AnyKind, id: string): Promise<Seen> => {
    checkKind(kind)
    const key = keyOf(kind, id)
    const known = seen.get(key)
    if (known !== undefined) return known
    const row = isStorableText(id) ? await engine.get(kind.name, id) : undefined
    // Another branch of the same work may have loaded it meanwhile; what it decided must not be lost.
    const meanwhile = seen.get(key)
    if (meanwhile !== undefined) return meanwhile
    const fresh = seenRow(kind, row)
    seen.set(key, fresh)
    return fresh
  }

  const document = <State>(id: string, { row, owner, events }: Seen, state: State): Document<State> => ({
    id,
    owner: owner ?? '',
    state,
    revision: (row?.revision ?? 0) + events.length,
    sequence: row?.sequence ?? 0,
    createdAt: row?.createdAt ?? origin.at,
    changedAt: events.length > 0 ? origin.at : (row?.changedAt ?? origin.at),
  })

  const decideOn = <C, S, E extends AnyFact, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
    before: Seen,
    command: C,
    owner: string | undefined,
  ): Document<S> => {
    if (before.forgotten) throw new Error(`${kind.name} ${id} is forgotten by this work and cannot be decided on`)
    const decision = kind.decider.decide(command, before.state() as S)
    const events = decision.events.map(eventText)
    if (decision.refusal !== undefined) {
      const refusal = refused(kind.refusals, decision.refusal)
      if (events.length > 0) {
        // Alone: on the stored stream, without what this work decided before.
        const base = seenRow(kind, before.row)
        const alone = append(base, id, events, before.row?.owner ?? owner)
        remembered ??= { refusal, commit: planCommit(origin, new Map([[keyOf(kind, id), alone]]), []) }
      }
      throw refusal
    }
    const after = append(before, id, events, before.owner ?? owner)
    seen.set(keyOf(kind, id), after)
    return document(id, after, after.state() as S)
  }

  const work: Work = {
    origin,
    async read<C, S, E extends AnyFact, R extends string, F extends string>(kind: Kind<C, S, E, R, F>, id: string) {
      const found = await look(kind, id)
      if (found.gone || found.forgotten || (found.row === undefined && found.events.length === 0)) return undefined
      return document(id, found, found.state() as S)
    },
    async decide<C, S, E extends AnyFact, R extends string, F extends string>(
      kind: Kind<C, S, E, R, F>,
      id: string,
      command: C,
      owner?: string,
    ) {
      await look(kind, id)
      // Asked again: while this one waited, another decision of the same work may have been made on the stream.
      return decideOn(kind, id, seen.get(keyOf(kind, id)) ?? seenRow(kind, undefined), command, owner)
    },
    async begin<C, S, E extends AnyFact, R extends string, F extends string>(
      kind: Kind<C, S, E, R, F>,
      id: string,
      command: C,
      owner: string,
    ) {
      checkKind(kind)
      if (seen.has(keyOf(kind, id))) throw new Error(`${kind.name} ${id} is known to this work and cannot begin`)
      return decideOn(kind, id, seenRow(kind, undefined), command, owner)
    },
    async forget<C, S, E extends AnyFact, R extends string, F extends string>(kind: Kind<C, S, E, R, F>, id: string) {
      if (kind.forgettable !== true) throw new Error(`${kind.name} is not a kind whose streams may be forgotten`)
      await look(kind, id)
      const before = seen.get(keyOf(kind, id)) ?? seenRow(kind, undefined)
      if (before.events.length > 0)
        throw new Error(`${kind.name} ${id} is changed by this work and cannot be forgotten`)
      seen.set(keyOf(kind, id), { ...before, forgotten: true })
      const revision = before.forgotten ? 0 : (before.row?.revision ?? 0)
      // What was appended since the document was read does not count: then the commit meets a conflict anyway.
      const events = revision === 0 ? [] : (await engine.stream(kind.name, id)).slice(0, revision)
      return { sequences: events.map(({ sequence }) => sequence), events }
    },
    enqueue({ id = newId(), kind, data, dueAt }: NewJob) {
      jobs.push({ id, kind, data: toJson(data), dueAt: dueAt ?? origin.at })
    },
    linger() {
      lingers = true
    },
  }

  return { work, plan: () => planCommit(origin, seen, jobs, lingers), remembered: () => remembered }
}

const keyOf = (kind: AnyKind, id: string): string => `${kind.name}\0${id}`

const seenRow = (kind: AnyKind, row: DocumentRow | undefined): Seen => {
  return {
    kind,
    row,
    owner: row?.owner,
    state: () => (row === undefined ? kind.decider.initial : stateOf(row)),
    gone: row?.gone ?? false,
    forgotten: false,
    events: [],
    text: row?.state ?? '',
  }
}

const append = (before: Seen, id: string, events: readonly EventText[], owner: string | undefined): Seen => {
  if (owner === undefined) throw new Error(`${before.kind.name} ${id} is new and was given no owner`)
  if (events.length === 0) return { ...before, owner }
  if (!isStorableText(id) || !isStorableText(owner)) throw refused(storeRefusals, 'store.text_invalid')
  const { state, text } = foldEvents(before.kind, before.state(), events)
  return {
    kind: before.kind,
    row: before.row,
    owner,
    state: () => state,
    gone: before.gone || isGone(before.kind, state),
    forgotten: false,
    events: [...before.events, ...events],
    text,
  }
}

const planCommit = (
  origin: Origin,
  seen: ReadonlyMap<string, Seen>,
  jobs: Commit['jobs'],
  lingers = false,
): PlannedCommit => {
  const changes: StreamChange[] = []
  const guards: GuardRow[] = []
  const claims: ClaimRow[] = []
  const released: ClaimRow[] = []
  const leaving: GuardRow[] = []
  const taken: (() => Refused)[] = []
  for (const [key, { kind, row, owner, events, text, gone, forgotten, state }] of seen) {
    const id = key.slice(kind.name.length + 1)
    const expected = row?.revision ?? 0
    if (forgotten && row !== undefined) {
      leaving.push({ kind: kind.name, id, expected })
      for (const claim of claimsOf(kind, stateOf(row), row.gone)) released.push(claimRow(kind, id, claim))
      continue
    }
    if (events.length === 0) {
      // Nothing can ever be there; PostgreSQL could not even be asked.
      if (isStorableText(id)) guards.push({ kind: kind.name, id, expected })
      continue
    }
    changes.push({ kind: kind.name, id, owner: owner ?? '', expected, events, state: text, gone })
    if (kind.claims === undefined) continue
    const before = row === undefined ? [] : claimsOf(kind, stateOf(row), row.gone)
    const after = claimsOf(kind, state(), gone)
    for (const claim of before) {
      if (!after.some((other) => isSameClaim(other, claim))) released.push(claimRow(kind, id, claim))
    }
    for (const claim of after) {
      if (before.some((other) => isSameClaim(other, claim))) continue
      claims.push(claimRow(kind, id, claim))
      taken.push(() => refused(kind.refusals, claim.taken))
    }
  }
  if (leaving.length > 0 && changes.length === 0) throw new Error('streams are forgotten, but no event records it')
  const { actor, at } = origin
  return { commit: { actor, at, changes, guards, forgotten: leaving, claims, released, jobs, lingers }, taken }
}

interface ClaimValue {
  readonly kind: string
  readonly value: string
}

const isSameClaim = (one: ClaimValue, other: ClaimValue): boolean =>
  one.kind === other.kind && one.value === other.value

const claimRow = (kind: AnyKind, id: string, claim: ClaimValue): ClaimRow => ({
  kind: claim.kind,
  value: claim.value,
  id,
  of: kind.name,
})
