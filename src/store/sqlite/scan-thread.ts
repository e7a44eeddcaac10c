/** The scan thread: a read-only connection for slow queries, so that they do not block the main thread. */
import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Stamp } from '../engine.ts'
import type { CompiledQuery } from '../query/index.ts'
import { openReadOnly, statementsOn } from './connection.ts'
import { describeFailure, type Failure } from './errors.ts'
import { type Found, type Statements, searchAll } from './search.ts'
import { statisticsVersion } from './statistics.ts'

/** What the thread is started with. */
export interface ScanOptions {
  readonly file: string
  readonly busyTimeoutMilliseconds: number
}

export type ScanRequest = { readonly type: 'find'; readonly query: CompiledQuery } | { readonly type: 'close' }

export type ScanReply = ({ readonly type: 'found' } & Stamp & Found) | Failure

interface Connection {
  readonly database: DatabaseSync
  readonly statements: Statements
  /** The version of the statistics that SQLite loaded when it opened the file. */
  readonly statistics: unknown
}

const { file, busyTimeoutMilliseconds } = workerData as ScanOptions
const NOW = `select sequence, ${statisticsVersion} from instances where id = 1`
let connection: Connection | undefined

function connect(): Connection {
  const database = openReadOnly(file, busyTimeoutMilliseconds)
  const statements = statementsOn(database)
  return { database, statements, statistics: statements.all(NOW)[0]?.[1] }
}

function disconnect(): void {
  const closed = connection
  connection = undefined
  try {
    closed?.database.close()
  } catch {
    // The first error is reported; this one adds nothing.
  }
}

function find(query: CompiledQuery): ScanReply {
  connection ??= connect()
  const { statements } = connection
  const { all } = statements
  all('begin')
  const [sequence, statistics] = all(NOW)[0] ?? []
  if (statistics !== connection.statistics) {
    disconnect()
    return find(query)
  }
  const found = searchAll(statements, query)
  all('commit')
  return { type: 'found', sequence: Number(sequence), history: String(statistics), ...found }
}

function answer(query: CompiledQuery): ScanReply {
  try {
    return find(query)
  } catch (error) {
    // After an error the connection may still be in a transaction, so it is not used again.
    disconnect()
    return describeFailure(error)
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
