/** The writer thread: the connection of this process that writes, so that a slow disk does not block the main thread. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { decodeBatch, type WriterReply, type WriterRequest } from './batch.ts'
import { BatchWriter } from './commit.ts'
import { BUSY_TIMEOUT_MS, configureWriter, type Synchronous } from './connection.ts'
import { describeFailure } from './errors.ts'

/** What the thread is told before its first request. */
export interface WriterOptions {
  readonly file: string
  readonly synchronous: Synchronous
  /** Default: `BUSY_TIMEOUT_MS`. */
  readonly busyTimeoutMs?: number
}

/** `configure` comes first and has no reply. */
export type WriterMessage = WriterRequest | { readonly type: 'configure'; readonly options: WriterOptions }

interface Connection {
  readonly database: DatabaseSync
  readonly writer: BatchWriter
  readonly statements: Map<string, StatementSync>
}

let options: WriterOptions | undefined
let connection: Connection | undefined

function connect(): Connection {
  if (options === undefined) throw new Error('The writer thread was not configured.')
  const database = new DatabaseSync(options.file, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS })
  try {
    configureWriter(database, options.synchronous)
    // A smaller cache than that of readers: at every commit SQLite walks through all cached pages. Other pages are in the
    // system's page cache, and reading one from there takes less time than that walk.
    database.exec('pragma cache_size = -8192')
    return {
      database,
      writer: new BatchWriter(database),
      statements: new Map(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function run({ database, statements }: Connection, sql: string, parameters: readonly SQLInputValue[]): WriterReply {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = database.prepare(sql, { returnArrays: true })
    statements.set(sql, statement)
  }
  return { type: 'done', rows: statement.all(...parameters) as unknown as unknown[][] }
}

/** After an error the connection is not used again: the next request opens a new one. */
function abandonConnection(): void {
  const abandoned = connection
  connection = undefined
  try {
    abandoned?.database.close()
  } catch {
    // The first error is reported; this one adds nothing.
  }
}

function answer(request: WriterRequest): WriterReply {
  try {
    if (request.type === 'close') {
      connection?.database.close()
      connection = undefined
      return { type: 'done', rows: [] }
    }
    connection ??= connect()
    if (request.type === 'run') return run(connection, request.sql, request.parameters)
    return { type: 'committed', outcomes: connection.writer.write(decodeBatch(request.batch, request.count)) }
  } catch (error) {
    abandonConnection()
    return describeFailure(error)
  }
}

parentPort?.on('message', (request: WriterMessage) => {
  if (request.type === 'configure') {
    options = request.options
    return
  }
  parentPort?.postMessage(answer(request))
  if (request.type === 'close') parentPort?.close()
})
