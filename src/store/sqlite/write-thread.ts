/** The writer thread: the only connection of this process that writes. A slow disk stops it and nobody else. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { decodeBatch, type WriterReply, type WriterRequest } from './batch.ts'
import { batchWriter } from './commit.ts'
import { configureWriter, type Synchronous } from './connection.ts'
import { statisticsKeeper } from './statistics.ts'

/** What the thread is started with. */
export interface WriterOptions {
  readonly file: string
  readonly synchronous: Synchronous
  readonly busyTimeoutMilliseconds: number
}

interface Connection {
  readonly database: DatabaseSync
  readonly write: ReturnType<typeof batchWriter>
  readonly keepStatistics: ReturnType<typeof statisticsKeeper>
  readonly statements: Map<string, StatementSync>
}

const options = workerData as WriterOptions
let connection: Connection | undefined

function connect(): Connection {
  const database = new DatabaseSync(options.file, { timeout: options.busyTimeoutMilliseconds })
  try {
    configureWriter(database, options.synchronous)
    // Less than others have: at every commit SQLite walks through all pages that it keeps. The rest is in the memory of
    // the system, from where a page is read in less time than that takes.
    database.exec('pragma cache_size = -8192')
    return { database, write: batchWriter(database), keepStatistics: statisticsKeeper(database), statements: new Map() }
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
  if (statement.columns().length === 0) {
    return { type: 'done', rows: [], changes: Number(statement.run(...parameters).changes) }
  }
  const rows = statement.all(...parameters) as unknown as unknown[][]
  return { type: 'done', rows, changes: rows.length }
}

/** A connection that met an error is not trusted again: the next request opens a new one. */
function abandonConnection(): void {
  const abandoned = connection
  connection = undefined
  try {
    abandoned?.database.close()
  } catch {
    // It failed before; that it cannot even be closed tells nobody anything new.
  }
}

function answer(request: WriterRequest): WriterReply {
  try {
    if (request.type === 'close') {
      connection?.database.close()
      connection = undefined
      return { type: 'done', rows: [], changes: 0 }
    }
    connection ??= connect()
    if (request.type === 'run') return run(connection, request.sql, request.parameters)
    return { type: 'committed', outcomes: connection.write(decodeBatch(request.batch, request.count)) }
  } catch (error) {
    abandonConnection()
    const code = (error as { errcode?: unknown }).errcode
    const message = error instanceof Error ? error.message : String(error)
    return { type: 'failed', message, code: typeof code === 'number' ? code : undefined }
  }
}

/** After the answer, so that nobody waits for it. */
function tidyUp(request: WriterRequest): void {
  if (request.type === 'close') parentPort?.close()
  if (request.type !== 'commit') return
  try {
    connection?.keepStatistics(request.count)
  } catch {
    // Old statistics make slow plans and nothing worse; a disk in trouble shows at the next commit.
    abandonConnection()
  }
}

parentPort?.on('message', (request: WriterRequest) => {
  parentPort?.postMessage(answer(request))
  tidyUp(request)
})
