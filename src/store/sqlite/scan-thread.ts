/** The scan thread: a connection that only reads, for queries during which nobody else should have to wait. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CompiledQuery } from '../engine.ts'
import { type All, type Found, searchLong, statementCache } from './search.ts'
import { statisticsVersion } from './statistics.ts'

/** What the thread is started with. */
export interface ScanOptions {
  readonly file: string
  readonly busyTimeoutMilliseconds: number
}

export type ScanRequest = { readonly type: 'find'; readonly query: CompiledQuery } | { readonly type: 'close' }

/** `code` is SQLite's extended result code, when it was SQLite that failed. */
export type ScanReply =
  | ({ readonly type: 'found'; readonly sequence: number } & Found)
  | { readonly type: 'failed'; readonly message: string; readonly code: number | undefined }

interface Connection {
  readonly database: DatabaseSync
  readonly all: All
  /** Which statistics its plans are made with: SQLite loads them when it opens the file, and only then. */
  readonly statistics: unknown
}

const { file, busyTimeoutMilliseconds } = workerData as ScanOptions
const NOW = `select sequence, ${statisticsVersion} from instances where id = 1`
let connection: Connection | undefined

function connect(): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMilliseconds })
  database.exec('pragma cache_size = -65536; pragma temp_store = memory')
  const prepare = statementCache(database)
  const all: All = (sql, ...parameters) => prepare(sql).all(...parameters) as unknown as unknown[][]
  return { database, all, statistics: all(NOW)[0]?.[1] }
}

function disconnect(): void {
  const left = connection
  connection = undefined
  try {
    left?.database.close()
  } catch {
    // It failed before; that it cannot even be closed tells nobody anything new.
  }
}

function find(query: CompiledQuery): ScanReply {
  connection ??= connect()
  const { all } = connection
  all('begin')
  const [sequence, statistics] = all(NOW)[0] ?? []
  if (statistics !== connection.statistics) {
    disconnect()
    return find(query)
  }
  const found = searchLong(all, query)
  all('commit')
  return { type: 'found', sequence: Number(sequence), ...found }
}

function answer(query: CompiledQuery): ScanReply {
  try {
    return find(query)
  } catch (error) {
    // A connection that met an error may be in a transaction and is not trusted again.
    disconnect()
    const code = (error as { errcode?: unknown }).errcode
    const message = error instanceof Error ? error.message : String(error)
    return { type: 'failed', message, code: typeof code === 'number' ? code : undefined }
  }
}

parentPort?.on('message', (request: ScanRequest) => {
  if (request.type === 'find') {
    parentPort?.postMessage(answer(request.query))
    return
  }
  disconnect()
  parentPort?.close()
})
