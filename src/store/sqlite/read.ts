/**
 * Reads from SQLite: one read-only connection on the main thread. All uncached reads of one turn of the event loop share
 * a snapshot, because the first read after a commit finds SQLite's own cache emptied and is slow. The first read of each
 * turn checks whether any process has committed, and so does the first read after a write of this process is
 * acknowledged. So every read sees every write that was acknowledged before it.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ReadCache } from '../cache/read-cache.ts'
import type { Changed, ComputedCache, DocumentRow, FoundRows } from '../engine.ts'
import type { Stamp } from '../history.ts'
import { type CompiledQuery, queryKey } from '../query/index.ts'
import { openReadOnly, statementCache } from './connection.ts'
import { translateError } from './errors.ts'
import { historyColumn } from './rebuild.ts'
import { removedSince } from './remove-streams.ts'
import { type All, type DocumentValues, documentColumns, documentRow, searchCheap } from './search.ts'

interface Connection {
  readonly database: DatabaseSync
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly get: StatementSync
  /** A number that changes with every commit of another connection. */
  readonly dataVersion: StatementSync
  /** The instance's last sequence and the history that the documents are of. */
  readonly now: StatementSync
  readonly changesSince: StatementSync
  readonly cache: ReadCache
  readonly prepare: (sql: string) => StatementSync
  /** The `dataVersion` that the cache is up to date with. */
  commits: number | undefined
}

function connect(file: string): Connection {
  const database = openReadOnly(file)
  const prepareArrays = (sql: string) => database.prepare(sql, { returnArrays: true })
  return {
    database,
    begin: database.prepare('begin'),
    end: database.prepare('commit'),
    get: prepareArrays(`select ${documentColumns} from documents where instance = 1 and kind = ? and id = ?`),
    dataVersion: prepareArrays('pragma data_version'),
    now: prepareArrays(`select sequence, ${historyColumn} from instances where id = 1`),
    changesSince: prepareArrays(
      `select kind, id from events where instance = 1 and sequence > ? union all ${removedSince}`,
    ),
    cache: new ReadCache(),
    prepare: statementCache(database),
    commits: undefined,
  }
}

const CLAIM_HOLDER = 'select holder_kind, id from claims where instance = 1 and kind = ? and value = ?'

/** The reading connection of the main thread, with its cache; the file must be prepared. */
export class SqliteReader {
  readonly #connection: Connection
  #isCurrent = false
  #hasSnapshot = false
  /** Makes the next read see what has been written since. */
  readonly renew: () => void
  readonly computed: ComputedCache = {
    get: (key) => this.#translated(() => this.#connection.cache.computed(key)),
    begin: () => {
      const { cache } = this.#connection
      const { moment } = cache
      return (key, value, sources) => cache.keepComputed(key, value, sources, moment)
    },
  }

  constructor(file: string) {
    this.#connection = connect(file)
    this.renew = () => {
      this.#isCurrent = false
      if (this.#hasSnapshot) this.#endSnapshot()
    }
  }

  get(kind: string, id: string): DocumentRow | undefined {
    try {
      this.#catchUp()
      return this.#get(kind, id)
    } catch (error) {
      throw translateError(error)
    }
  }

  /** Undefined when the query is too slow for the main thread. */
  find(query: CompiledQuery): FoundRows | undefined {
    return this.#translated(() => this.#find(query))
  }

  findClaimHolder(claimKind: string, value: string): string | undefined {
    return this.#translated(() => {
      const kept = this.#connection.cache.holder(claimKind, value)
      if (kept !== undefined) return kept
      const [found] = this.#all(CLAIM_HOLDER, claimKind, value) as [string, string][]
      if (found === undefined) return undefined
      const [kind, id] = found
      this.#connection.cache.keepHolder(claimKind, value, { kind, id })
      return id
    })
  }

  /** Runs several statements on one snapshot; returns where it is as well. */
  read<Value>(read: (all: All) => Value): { readonly value: Value } & Stamp {
    return this.#translated(() => {
      const value = read((sql, ...parameters) => this.#all(sql, ...parameters))
      return { value, ...this.#connection.cache.stamp }
    })
  }

  close(): void {
    this.renew()
    this.#connection.database.close()
  }

  #translated<Value>(read: () => Value): Value {
    try {
      this.#catchUp()
      return read()
    } catch (error) {
      throw translateError(error)
    }
  }

  #all(sql: string, ...parameters: SQLInputValue[]): unknown[][] {
    this.#takeSnapshot()
    return this.#connection.prepare(sql).all(...parameters) as unknown as unknown[][]
  }

  /** Before a turn's first read: if no connection has committed, the cache is valid and no snapshot is needed. */
  #catchUp(): void {
    if (this.#isCurrent) return
    // Runs after this turn's callback and all its microtasks, before the next event.
    process.nextTick(this.renew)
    const checked = this.#connection
    const [commits] = checked.dataVersion.get() as unknown as [number]
    if (commits !== checked.commits) {
      this.#takeSnapshot()
      checked.commits = commits
    }
    this.#isCurrent = true
  }

  #takeSnapshot(): void {
    if (this.#hasSnapshot) return
    const { begin, now, cache, changesSince } = this.#connection
    begin.run()
    this.#hasSnapshot = true
    try {
      const [sequence, rebuilds] = now.get() as unknown as [number, number]
      const stamp = { history: String(rebuilds), sequence }
      cache.follow(stamp, (since) => changesSince.all(since, since) as unknown as Changed[])
    } catch (error) {
      this.#endSnapshot()
      throw error
    }
  }

  #endSnapshot(): void {
    this.#hasSnapshot = false
    // After some errors SQLite has already ended the transaction.
    if (this.#connection.database.isTransaction) this.#connection.end.run()
  }

  #get(kind: string, id: string): DocumentRow | undefined {
    const kept = this.#connection.cache.document(kind, id)
    if (kept !== undefined) return kept ?? undefined
    this.#takeSnapshot()
    const values = this.#connection.get.get(kind, id) as unknown as DocumentValues | undefined
    const row = values === undefined ? null : documentRow(values)
    this.#connection.cache.keepDocument(kind, id, row)
    return row ?? undefined
  }

  #find(query: CompiledQuery): FoundRows | undefined {
    const { kind, isRelated } = query
    // A cached answer is dropped when a document of its own kind changes; changes of related kinds would go unnoticed.
    const key = isRelated ? undefined : queryKey(query)
    const kept = key === undefined ? undefined : this.#connection.cache.answer(kind, key)
    // With the current sequence: nothing of the kind has changed up to it.
    if (kept !== undefined) return { ...kept, ...this.#connection.cache.stamp }
    this.#takeSnapshot()
    const { cache } = this.#connection
    const all = (sql: string, ...parameters: SQLInputValue[]) => this.#all(sql, ...parameters)
    const answer = searchCheap(all, query)
    if (answer === undefined) return undefined
    const { rows, total } = answer
    const found = { rows: rows.map(documentRow), total, ...cache.stamp }
    if (key !== undefined) cache.keepAnswer(kind, key, found)
    return found
  }
}
