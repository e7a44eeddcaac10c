/**
 * The limits that kinds declare, checked inside every write, whoever makes it. Writers of one process count what others of
 * it are about to add, so together they never exceed a limit. Each further process can exceed it by what it adds in the same
 * moment.
 */
import { Refused, refused } from '../../kernel/refusal.ts'
import { asOneRequest } from '../cache/read-scope.ts'
import { valueAt } from '../fold.ts'
import type { AnyKind, CollectionLimit, Field, ListLimit } from '../kind.ts'
import { storeRefusals } from '../refusals.ts'
import type { Filter, Store } from '../types.ts'
import type { Seen } from './seen-streams.ts'

/** In characters. The largest values of the contract are half a million characters of base64. */
const LARGEST_DOCUMENT = 1_048_576

/** What a write adds to a collection. */
interface Growth {
  readonly kind: AnyKind
  readonly limit: CollectionLimit
  readonly values: readonly string[]
  number: number
  bytes: number
}

/** A write that was counted and has not ended. */
interface Pending {
  readonly growth: Growth
  readonly ended: Promise<void>
}

function isCollection(limit: CollectionLimit | ListLimit<unknown>): limit is CollectionLimit {
  return 'by' in limit
}

/** The limits of collections and of lists that a kind declares. */
function limitsOf({ limits = [] }: AnyKind): readonly (CollectionLimit | ListLimit<unknown>)[] {
  return limits
}

function reached(sentence: string): Refused {
  const [kind] = storeRefusals['store.limit_reached']
  return new Refused('store.limit_reached', kind, sentence)
}

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}

/** What is said of the number of things; also in the reference. */
function sentenceOf({ things, holder, number }: CollectionLimit | ListLimit<unknown>): string {
  return `${holder[0]?.toUpperCase()}${holder.slice(1)} can have at most ${inWords(number)} ${things}.`
}

/** Less than this is always stored: the end of something must not fail because there is much of it. */
const SMALL_CHANGE = 1_024

/** Throws when a decision made a document too large, or added to a list in it that is full. */
export function checkDocument(
  kind: AnyKind,
  before: Pick<Seen, 'text' | 'state'>,
  after: Pick<Seen, 'text' | 'state'>,
) {
  const { largest = LARGEST_DOCUMENT } = kind
  if (after.text.length > largest && after.text.length - before.text.length > SMALL_CHANGE) {
    throw refused(storeRefusals, 'store.document_too_large')
  }
  for (const limit of limitsOf(kind)) {
    if (isCollection(limit)) continue
    const count = limit.inside(after.state())
    if (count > limit.number && count > limit.inside(before.state())) throw reached(sentenceOf(limit))
  }
}

/** Throws when a limit of a kind names fields that it does not have, or none by which its documents are found. */
export function checkLimits(kind: AnyKind): void {
  for (const limit of limitsOf(kind)) {
    if (!isCollection(limit)) continue
    const fields = limit.by.filter((name) => name !== 'owner').map((name) => fieldOf(kind, name))
    if (limit.bytes) fieldOf(kind, limit.bytes.field)
    if (fields.length < limit.by.length || fields.some(({ indexed }) => indexed !== false)) continue
    throw new Error(`kind ${kind.name} finds its ${limit.things} by no index`)
  }
}

function fieldOf(kind: AnyKind, name: string): Field {
  const field: Field | undefined = kind.fields[name]
  if (field === undefined) throw new Error(`kind ${kind.name} has no field "${name}"`)
  return field
}

/** Whose collection a state belongs to; undefined when it belongs to none, as what was removed does. */
function holderOf(
  kind: AnyKind,
  { by }: CollectionLimit,
  owner: string,
  state: unknown,
): readonly string[] | undefined {
  const values = by.map((name) => (name === 'owner' ? owner : valueAt(state, fieldOf(kind, name).path)))
  return values.every((value) => typeof value === 'string') ? values : undefined
}

/** What the streams of a work add to collections; those that get smaller are left out. */
function growthsOf(streams: Iterable<Seen>): readonly (readonly [string, Growth])[] {
  let growths: Map<string, Growth> | undefined
  for (const stream of streams) {
    const { kind, row, owner = '', events, removed, gone } = stream
    if (kind.limits === undefined || (events.length === 0 && !removed)) continue
    for (const limit of limitsOf(kind)) {
      if (!isCollection(limit)) continue
      growths ??= new Map()
      const count = (state: unknown, sign: 1 | -1) => {
        const values = holderOf(kind, limit, owner, state)
        if (values === undefined) return
        const key = JSON.stringify([kind.name, limit.by, values])
        const growth = growths?.get(key) ?? { kind, limit, values, number: 0, bytes: 0 }
        growth.number += sign
        if (limit.bytes) growth.bytes += sign * Number(valueAt(state, fieldOf(kind, limit.bytes.field).path) ?? 0)
        growths?.set(key, growth)
      }
      if (row !== undefined && !row.gone) {
        row.parsed ??= JSON.parse(row.state)
        count(row.parsed, -1)
      }
      if (!removed && !gone) count(stream.state(), 1)
    }
  }
  if (growths === undefined) return []
  return [...growths].filter(([, { number, bytes }]) => number > 0 || bytes > 0)
}

export class CollectionLimits {
  readonly #find: Store['find']
  readonly #findValues: Store['findValues']
  /** By collection, in the order in which they were counted. */
  readonly #pending = new Map<string, Set<Pending>>()

  constructor(find: Store['find'], findValues: Store['findValues']) {
    this.#find = find
    this.#findValues = findValues
  }

  /** Commits what a work has decided, unless it exceeds a limit. */
  during<Value>(streams: Iterable<Seen>, commit: () => Promise<Value>): Promise<Value> {
    const growths = growthsOf(streams)
    return growths.length === 0 ? commit() : this.#during(growths, commit)
  }

  async #during<Value>(growths: ReturnType<typeof growthsOf>, commit: () => Promise<Value>): Promise<Value> {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const joined = growths.map(([key, growth]) => {
      const pending = this.#pending.get(key) ?? new Set()
      this.#pending.set(key, pending)
      const earlier = [...pending]
      const own = { growth, ended }
      pending.add(own)
      return { key, pending, earlier, own }
    })
    try {
      // Those of an earlier moment of the same request are not enough: others may have added something since.
      await asOneRequest(() => Promise.all(joined.map(({ earlier, own }) => this.#check(own.growth, earlier))))
      return await commit()
    } finally {
      for (const { key, pending, own } of joined) {
        pending.delete(own)
        if (pending.size === 0) this.#pending.delete(key)
      }
      resolve()
    }
  }

  /** `earlier`: writes of this process that have not ended; what they add may be stored by now or not. */
  async #check(growth: Growth, earlier: readonly Pending[]): Promise<void> {
    const problem = await this.#problem(growth, earlier)
    if (problem === undefined) return
    if (earlier.length === 0) throw reached(problem)
    await Promise.all(earlier.map(({ ended }) => ended))
    await asOneRequest(() => this.#check(growth, []))
  }

  async #problem({ kind, limit, values, number, bytes }: Growth, earlier: readonly Pending[]) {
    const where: Filter = { all: limit.by.map((field, index) => ({ field, equals: values[index] ?? '' })) }
    const others = (what: 'number' | 'bytes') => earlier.reduce((sum, { growth }) => sum + growth[what], 0)
    if (number > 0) {
      const { total } = await this.#find(kind, { where, limit: 0 })
      if (total + others('number') + number > limit.number) return sentenceOf(limit)
    }
    if (limit.bytes === undefined || bytes <= 0) return undefined
    const sizes = await this.#findValues(kind, where, limit.bytes.field)
    const total = sizes.reduce<number>((sum, size) => sum + Number(size ?? 0), 0)
    if (total + others('bytes') + bytes <= limit.bytes.most) return undefined
    return `The ${limit.things} of ${limit.holder} can have at most ${inWords(limit.bytes.most)} bytes together.`
  }
}
