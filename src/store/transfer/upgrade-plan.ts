/** What a start of this version would change in a database. Nothing is written to find it out. */
import { rebuildFold } from '../fold.ts'
import type { AnyKind } from '../kind.ts'
import { Ahead, isBefore } from './ahead.ts'
import type { Snapshot } from './types.ts'

/** A kind whose documents must be folded by this version. */
export interface KindPlan {
  readonly kind: string
  /** The versions that are there. */
  readonly from: readonly number[]
  readonly to: number
  /** How many documents have to be folded. */
  readonly documents: number
  /** Streams that would claim a value of another one; they have to be changed first. */
  readonly taken: readonly string[]
}

/** A node that was seen in the last minutes. */
export interface NodePlan {
  readonly node: string
  readonly release: string
  readonly seenSecondsAgo: number
  /** Kinds of which it uses another version, as `user@3`. */
  readonly others: readonly string[]
}

export interface UpgradePlan {
  readonly engine: 'sqlite' | 'postgres'
  readonly schema: {
    /** 0: the database is empty. */
    readonly current: number
    readonly wanted: number
    /** The oldest schema that a program must know to run on the database now, and after the upgrade. */
    readonly oldest: number
    readonly oldestAfter: number
  }
  readonly kinds: readonly KindPlan[]
  readonly indexes: { readonly build: readonly string[]; readonly drop: readonly string[] }
  readonly nodes: readonly NodePlan[]
  /** Whether running nodes of the old version continue during and after the upgrade. */
  readonly oldNodesContinue: boolean
  /** Why this version cannot start; empty when it can. */
  readonly problems: readonly string[]
}

const MOST_TAKEN = 20

/** Claims by value and the streams that would make them. */
class NewClaims {
  readonly #makers = new Map<string, string[]>()

  get isEmpty(): boolean {
    return this.#makers.size === 0
  }

  add(key: string, id: string): void {
    this.#makers.set(key, [...(this.#makers.get(key) ?? []), id])
  }

  /** Streams that lose a claim to the one that holds it, or that makes it first. */
  losers(key: string, holder: string | undefined): readonly string[] {
    const makers = this.#makers.get(key) ?? []
    return holder === undefined ? makers.slice(1) : makers.filter((id) => id !== holder)
  }

  keys(): Iterable<string> {
    return this.#makers.keys()
  }
}

/** The streams whose claims in this version other streams of the kind hold. */
async function findTaken(snapshot: Snapshot, kind: AnyKind): Promise<readonly string[]> {
  if (kind.claims === undefined) return []
  const fold = rebuildFold(kind)
  const held = new Ahead(snapshot.claims(kind))
  const added = new NewClaims()
  await held.next()
  for await (const events of snapshot.streams(kind)) {
    const id = events[0]?.id ?? ''
    const own = new Set<string>()
    while (held.current !== undefined && isBefore(held.current.id, id)) await held.next()
    for (; held.current?.id === id; await held.next()) own.add(`${held.current.kind} ${held.current.value}`)
    for (const claim of fold(events).claims) {
      const key = `${claim.kind} ${claim.value}`
      if (!own.has(key)) added.add(key, id)
    }
  }
  if (added.isEmpty) return []
  const losers = new Set<string>()
  const holders = new Map<string, string>()
  for await (const { kind: claimKind, value, id } of snapshot.claims(kind)) holders.set(`${claimKind} ${value}`, id)
  for (const key of added.keys()) for (const id of added.losers(key, holders.get(key))) losers.add(id)
  return [...losers].slice(0, MOST_TAKEN)
}

/** The kinds that have no documents of this version yet. `count` counts those of a name. */
export async function planKinds(
  snapshot: Snapshot,
  kinds: readonly AnyKind[],
  count: (documentKind: string) => Promise<number>,
): Promise<readonly KindPlan[]> {
  const plans: KindPlan[] = []
  for (const kind of kinds) {
    const versions = await snapshot.versions(kind)
    const isThere = versions.some(({ version, isReady }) => isReady && version === kind.version)
    const source = versions.find(({ isReady }) => isReady)
    if (isThere || source === undefined) continue
    const from = versions.filter(({ isReady }) => isReady).map(({ version }) => version)
    const documents = await count(source.documentKind)
    const taken = documents === 0 ? [] : await findTaken(snapshot, kind)
    plans.push({ kind: kind.name, from, to: kind.version, documents, taken })
  }
  return plans
}

/** Why the kinds refuse a start. */
export function problemsOf(kinds: readonly KindPlan[]): readonly string[] {
  return kinds
    .filter(({ taken }) => taken.length > 0)
    .map(
      ({ kind, to, taken }) =>
        `Version ${to} of ${kind} claims values that other streams hold: ${taken.join(', ')}. Change them first.`,
    )
}
