/**
 * Keeps the texts in memory in which slow searches look (0053). A search in them finds every document that matches: those
 * whose text matched when it was read, and all that have changed since, which the log says. The database then compares
 * each of them with the whole condition, so this needs to be complete, not exact: texts that documents no longer have stay.
 */
import { totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Engine, LastText, Stamp, Texts } from './engine.ts'
import type { AnyKind } from './kind.ts'
import { columnOf } from './query/columns.ts'
import { compileQuery } from './query/index.ts'
import type { InsideText } from './query/inside-texts.ts'
import { TextColumn } from './text-column.ts'

/** What of an engine is needed to keep texts in memory. */
export type TextEngine = Pick<Engine, 'texts' | 'changedIds' | 'dialect'>

/** Documents among which all matches of a moment are. */
export interface Candidates extends Stamp {
  readonly ids: ReadonlySet<string>
}

export interface TextLimits {
  /** For all texts together. */
  readonly bytes: number
  /** How many changed documents are looked at in each search, instead of reading their texts. */
  readonly changed: number
  /** How many texts are read at once. */
  readonly rows: number
}

const MEBIBYTE = 1_048_576

/** At most an eighth of the memory that the process may use. */
export const TEXT_LIMITS: TextLimits = {
  bytes: Math.min(512 * MEBIBYTE, Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 8),
  changed: 500,
  rows: 5_000,
}

/** No event has such a sequence. */
const END_OF_LOG = 2 ** 52

/** After so long without a search, the memory is given back. */
const KEPT_MS = 10 * 60_000
/** No search waits longer for texts that are being read. */
const LONGEST_WAIT_MS = 3_000
/** Texts that were searched so recently are not dropped in favour of others. */
const IN_USE_MS = 60_000

/** The texts of a field, complete up to a moment except for the changed documents. */
interface Known {
  readonly column: TextColumn
  readonly history: string
  sequence: number
  /** With the moment at which this was known. */
  readonly changed: Map<string, number>
  /** How many texts there were at first; as many again are mostly old ones. */
  readonly rows: number
  /** Texts of changed documents that are being read. */
  reading?: Promise<void> | undefined
  usedAt: number
}

/** Texts that are being read, and how long searches wait for them. */
interface Loading {
  readonly loaded: Promise<void>
  readonly waitMs: number
}

export class TextsInMemory {
  readonly #engine: TextEngine
  readonly #limits: TextLimits
  readonly #known = new Map<string, Known>()
  readonly #loading = new Map<string, Loading>()
  #lastLoaded: Promise<void> = Promise.resolve()
  /** Texts that did not fit, and when this is tried again. */
  readonly #notBefore = new Map<string, number>()
  #expiry: NodeJS.Timeout | undefined

  constructor(engine: TextEngine, limits = TEXT_LIMITS) {
    this.#engine = engine
    this.#limits = limits
  }

  /** Whether the texts that these conditions look at are in memory, or will soon be. */
  has(kind: AnyKind, conditions: readonly InsideText[]): boolean {
    const keys = conditions.map(({ field }) => keyOf(kind, field))
    return keys.every((key) => this.#known.has(key) || this.#loading.has(key))
  }

  /** The documents that meet one of the conditions, and others; undefined when they are more than `most` or not known. */
  async candidates(kind: AnyKind, conditions: readonly InsideText[], most: number): Promise<Candidates | undefined> {
    const ids = new Set<string>()
    let moment: Stamp | undefined
    for (const condition of conditions) {
      const known = await this.#current(kind, condition.field)
      if (known === undefined) return undefined
      // Before the search: a document that changes from here on is after `sequence`.
      const { history, sequence } = known
      for (const id of known.changed.keys()) ids.add(id)
      const found = await known.column.find(condition, most)
      if (found === undefined) return undefined
      for (const id of found) ids.add(id)
      if (moment !== undefined && moment.history !== history) return undefined
      moment = { history, sequence: Math.min(sequence, moment?.sequence ?? sequence) }
    }
    return moment === undefined || ids.size > most ? undefined : { ...moment, ids }
  }

  /**
   * Reads the texts that these conditions look at, for later searches; resolves when they are in memory or do not fit.
   * Searches wait for them for `waitMs`: not longer than they would take by themselves.
   */
  async load(kind: AnyKind, conditions: readonly InsideText[], waitMs = LONGEST_WAIT_MS): Promise<void> {
    for (const field of new Set(conditions.map((condition) => condition.field))) {
      const key = keyOf(kind, field)
      if (this.#known.has(key) || performance.now() < (this.#notBefore.get(key) ?? 0)) continue
      const loading = this.#loading.get(key) ?? { loaded: this.#loadNext(kind, field), waitMs }
      this.#loading.set(key, loading)
      await loading.loaded
    }
  }

  /** One after the other: together, texts that are being read could take more memory than all may. */
  #loadNext(kind: AnyKind, field: string): Promise<void> {
    const loaded = this.#lastLoaded
      .then(() => this.#load(kind, field))
      .finally(() => this.#loading.delete(keyOf(kind, field)))
    this.#lastLoaded = loaded.catch(() => {})
    return loaded
  }

  async #load(kind: AnyKind, field: string): Promise<void> {
    // Before the first text is read: what changes from now on, the log will say.
    const now = await this.#engine.changedIds(kind, END_OF_LOG)
    if (now === undefined) return
    const column = new TextColumn()
    const { dialect } = this.#engine
    const query = compileQuery(kind, { orderBy: field, limit: this.#limits.rows }, dialect)
    let after: LastText | undefined
    do {
      const read = await this.#engine.texts(query, columnOf(kind, field), after)
      column.add(read)
      after = read.ids.length === this.#limits.rows ? lastOf(read) : undefined
      if (!this.#fits(column, keyOf(kind, field))) return
    } while (after !== undefined)
    const { history, sequence } = now
    const known = {
      column,
      history,
      sequence,
      changed: new Map<string, number>(),
      rows: column.rows,
      usedAt: performance.now(),
    }
    this.#known.set(keyOf(kind, field), known)
    this.#scheduleExpiry()
  }

  /** Drops texts that are not in use, the longest unused first, until `column` fits; false when it does not. */
  #fits(column: TextColumn, key: string): boolean {
    const unused = [...this.#known].filter(([, { usedAt }]) => performance.now() - usedAt > IN_USE_MS)
    unused.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    const isTooMuch = () => this.#bytes() + column.bytes > this.#limits.bytes
    for (const [other] of unused) if (isTooMuch()) this.#known.delete(other)
    if (!isTooMuch()) return true
    const isTooLarge = column.bytes > this.#limits.bytes
    this.#notBefore.set(key, isTooLarge ? Number.POSITIVE_INFINITY : performance.now() + IN_USE_MS)
    return false
  }

  #bytes(): number {
    return [...this.#known.values()].reduce((bytes, { column }) => bytes + column.bytes, 0)
  }

  /** What is known of a field, with the documents that have changed up to now; undefined when nothing is. */
  async #current(kind: AnyKind, field: string): Promise<Known | undefined> {
    const key = keyOf(kind, field)
    // To read all documents for a search while their texts are read as well would delay both.
    const loading = this.#loading.get(key)
    if (loading !== undefined) {
      const waitMs = Math.min(loading.waitMs, LONGEST_WAIT_MS)
      await Promise.race([loading.loaded.catch(() => {}), delay(waitMs, undefined, { ref: false })])
    }
    const known = this.#known.get(key)
    if (known === undefined) return undefined
    known.usedAt = performance.now()
    const changed = await this.#engine.changedIds(kind, known.sequence)
    if (changed?.history !== known.history) {
      this.#known.delete(key)
      return undefined
    }
    // Answers may arrive in another order than they were read; an older one says nothing that is not known.
    if (changed.sequence > known.sequence) {
      for (const id of changed.ids) known.changed.set(id, changed.sequence)
      known.sequence = changed.sequence
    }
    if (known.changed.size > this.#limits.changed) {
      known.reading ??= this.#readChanged(kind, field, known).finally(() => {
        known.reading = undefined
      })
      // Without their texts, all of them are candidates.
      await known.reading.catch(() => {})
    }
    return known
  }

  /** Adds the texts of changed documents. What changes while they are read is still after `sequence`. */
  async #readChanged(kind: AnyKind, field: string, known: Known): Promise<void> {
    const read = [...known.changed]
    const ids = read.map(([id]) => id)
    const where = { field: 'id', oneOf: ids }
    const query = compileQuery(kind, { where, orderBy: 'id', limit: ids.length }, this.#engine.dialect)
    known.column.add(await this.#engine.texts(query, columnOf(kind, field)))
    const areMostOld = known.column.rows > 2 * known.rows + this.#limits.rows
    if (areMostOld || this.#bytes() > this.#limits.bytes) this.#known.delete(keyOf(kind, field))
    // One that has changed again in the meantime stays.
    for (const [id, sequence] of read) if (known.changed.get(id) === sequence) known.changed.delete(id)
  }

  #scheduleExpiry(): void {
    this.#expiry ??= setTimeout(() => {
      this.#expiry = undefined
      for (const [key, { usedAt }] of this.#known) if (performance.now() - usedAt > KEPT_MS) this.#known.delete(key)
      if (this.#known.size > 0) this.#scheduleExpiry()
    }, KEPT_MS / 2).unref()
  }
}

function lastOf({ ids, texts }: Texts): LastText | undefined {
  const id = ids.at(-1)
  return id === undefined ? undefined : { id, text: texts.at(-1) ?? null }
}

function keyOf({ name }: AnyKind, field: string): string {
  return `${name}.${field}`
}
