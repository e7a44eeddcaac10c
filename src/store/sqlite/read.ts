/**
 * The reading side of SQLite: one read-only connection on the main thread. All reads of one turn of the event loop that
 * are not answered by what is kept share a snapshot, because the first read after somebody's commit finds SQLite's cache
 * emptied and pays for it. Whether anybody has committed is asked after everything that this turn serves has arrived, and
 * again when a write of our own is acknowledged, so that every read sees every write that was acknowledged before it was
 * asked for.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Instant } from '../../kernel/instant.ts'
import type { CompiledQuery, DocumentRow, FoundRows } from '../engine.ts'
import type { EventQuery, StoredEvent } from '../index.ts'
import { questionOf } from '../query/index.ts'
import { type Changed, ReadCache } from './cache.ts'
import { eventsOfStream, forgottenSince } from './remove-streams.ts'
import { type DocumentValues, documentColumns, documentRow, isShort, searchShort, statementCache } from './search.ts'
import { statisticsVersion } from './statistics.ts'
import { translateSqliteError } from './write.ts'

const EVENT = 'sequence, kind, id, revision, type, data, actor, owner, at'
const STREAM = `select ${EVENT} from ${eventsOfStream} order by revision`
/** A row of `events` in the order of the columns of `eventColumns`. */
export type EventValues = [number, string, string, number, string, string, string, string, number]
export const eventColumns = EVENT

export function storedEvent(values: EventValues): StoredEvent {
  const [sequence, kind, id, revision, type, data, actor, owner, at] = values
  return { sequence, kind, id, revision, type, data: JSON.parse(data), actor, owner, at: at as Instant }
}

export interface SqliteReader {
  get(kind: string, id: string): DocumentRow | undefined
  /** Undefined when the way is long: other reads would have to wait for it. */
  find(query: CompiledQuery): FoundRows | undefined
  holder(claimKind: string, value: string): string | undefined
  events(query: EventQuery): readonly StoredEvent[]
  stream(kind: string, id: string): readonly StoredEvent[]
  /** Lets the next read see what was written meanwhile. */
  renew(): void
  all(sql: string, ...parameters: SQLInputValue[]): readonly (readonly unknown[])[]
  close(): void
}

interface Connection {
  readonly database: DatabaseSync
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly get: StatementSync
  /** A number that is another one after every commit of others. */
  readonly dataVersion: StatementSync
  /** The instance's last sequence, and which statistics there are. */
  readonly now: StatementSync
  readonly changesSince: StatementSync
  readonly cache: ReadCache
  readonly prepare: (sql: string) => StatementSync
  /** Which statistics its plans are made with, and after which rebuild its cache was begun. */
  statistics: number
  /** The `dataVersion` that its cache was brought up to. */
  commits: number | undefined
}

/** Opens the connection; the file must be prepared. */
export function openReader(file: string, busyTimeoutMilliseconds: number): SqliteReader {
  const connect = (): Connection => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMilliseconds })
    database.exec('pragma cache_size = -65536; pragma temp_store = memory')
    const prepareArrays = (sql: string) => database.prepare(sql, { returnArrays: true })
    return {
      database,
      begin: database.prepare('begin'),
      end: database.prepare('commit'),
      get: prepareArrays(`select ${documentColumns} from documents where instance = 1 and kind = ? and id = ?`),
      dataVersion: prepareArrays('pragma data_version'),
      now: prepareArrays(`select sequence, ${statisticsVersion} from instances where id = 1`),
      changesSince: prepareArrays(
        `select kind, id from events where instance = 1 and sequence > ? union all ${forgottenSince}`,
      ),
      cache: new ReadCache(),
      prepare: statementCache(database),
      statistics: (prepareArrays(`select ${statisticsVersion}`).get() as unknown as [number])[0],
      commits: undefined,
    }
  }
  let connection = connect()

  const all = (sql: string, ...parameters: SQLInputValue[]): unknown[][] => {
    takeSnapshot()
    return connection.prepare(sql).all(...parameters) as unknown as unknown[][]
  }

  let hasLooked = false
  let hasSnapshot = false
  const renew = (): void => {
    hasLooked = false
    if (hasSnapshot) giveUpSnapshot()
  }
  /** Before a turn's first read: has anybody committed anything? If not, all that is kept holds, and no snapshot is needed. */
  const look = (): void => {
    if (hasLooked) return
    // Runs when this turn's callback and everything that awaits in it are done, before the next event is served.
    process.nextTick(renew)
    const looking = connection
    const [commits] = looking.dataVersion.get() as unknown as [number]
    if (commits !== looking.commits) {
      takeSnapshot()
      looking.commits = commits
    }
    hasLooked = true
  }
  const takeSnapshot = (): void => {
    if (hasSnapshot) return
    connection.begin.run()
    hasSnapshot = true
    try {
      const [sequence, statistics] = connection.now.get() as unknown as [number, number]
      if (statistics === connection.statistics) {
        const { cache, changesSince } = connection
        cache.follow(sequence, (since) => changesSince.all(since, since) as unknown as Changed[])
        return
      }
    } catch (error) {
      giveUpSnapshot()
      throw error
    }
    reconnect()
    takeSnapshot()
  }
  const giveUpSnapshot = (): void => {
    hasSnapshot = false
    // After some errors SQLite has ended it already.
    if (connection.database.isTransaction) connection.end.run()
  }

  /** SQLite loads statistics when it opens the file, and only then. */
  const reconnect = (): void => {
    giveUpSnapshot()
    const old = connection
    connection = connect()
    old.database.close()
  }

  const get = (kind: string, id: string): DocumentRow | undefined => {
    const kept = connection.cache.document(kind, id)
    if (kept !== undefined) return kept ?? undefined
    takeSnapshot()
    const values = connection.get.get(kind, id) as unknown as DocumentValues | undefined
    const row = values === undefined ? null : documentRow(values)
    connection.cache.keepDocument(kind, id, row)
    return row ?? undefined
  }

  const find = (query: CompiledQuery): FoundRows | undefined => {
    const { kind, isRelated } = query
    // What is kept holds until something of its own kind changes; of others the cache does not know.
    const key = isRelated ? undefined : questionOf(query)
    const kept = key === undefined ? undefined : connection.cache.answer(kind, key)
    // The sequence is of now: that nothing of the kind has changed since is what makes the answer hold.
    if (kept !== undefined) return { ...kept, sequence: connection.cache.sequence }
    takeSnapshot()
    const { cache } = connection
    if (!isShort(all, query)) return undefined
    const { rows, total } = searchShort(all, query)
    const found = { rows: rows.map(documentRow), total, sequence: cache.sequence }
    if (key !== undefined) cache.keepAnswer(kind, key, found)
    return found
  }

  const guarded = <Value>(read: () => Value): Value => {
    try {
      look()
      return read()
    } catch (error) {
      const code = (error as { errcode?: unknown }).errcode
      throw error instanceof Error ? translateSqliteError(error, typeof code === 'number' ? code : undefined) : error
    }
  }

  return {
    get: (kind, id) => guarded(() => get(kind, id)),
    find: (query) => guarded(() => find(query)),
    holder: (claimKind, value) =>
      guarded(
        () =>
          all('select id from claims where instance = 1 and kind = ? and value = ?', claimKind, value)[0]?.[0] as
            | string
            | undefined,
      ),
    events: (query) => guarded(() => (findEvents(all, query) as EventValues[]).map(storedEvent)),
    stream: (kind, id) => guarded(() => (all(STREAM, id, kind) as EventValues[]).map(storedEvent)),
    renew,
    all: (sql, ...parameters) => guarded(() => all(sql, ...parameters)),
    close() {
      renew()
      connection.database.close()
    },
  }
}

function findEvents(all: (sql: string, ...parameters: SQLInputValue[]) => unknown[][], query: EventQuery) {
  const conditions = ['instance = 1']
  const parameters: (string | number)[] = []
  const add = (condition: string, ...values: readonly (string | number)[]): void => {
    conditions.push(condition)
    parameters.push(...values)
  }
  const among = (column: string, values: readonly string[]): void =>
    add(`${column} in (${values.map(() => '?').join(', ')})`, ...values)
  if (query.kinds !== undefined) among('kind', query.kinds)
  if (query.id !== undefined) add('id = ?', query.id)
  if (query.types !== undefined) among('type', query.types)
  if (query.actor !== undefined) add('actor = ?', query.actor)
  if (query.owner !== undefined) add('owner = ?', query.owner)
  if (query.since !== undefined) add('at >= ?', query.since)
  if (query.until !== undefined) add('at < ?', query.until)
  if (query.from !== undefined) add(query.descending === true ? 'sequence < ?' : 'sequence > ?', query.from)
  const direction = query.descending === true ? 'desc' : 'asc'
  return all(
    `select ${EVENT} from events where ${conditions.join(' and ')} order by sequence ${direction} limit +?`,
    ...parameters,
    query.limit,
  )
}
