/** The scan thread: a read-only connection for slow queries, so that they do not block the main thread. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Stamp } from '../history.ts'
import type { CompiledQuery } from '../query/index.ts'
import { openReadOnly, statementsOn } from './connection.ts'
import { describeFailure, type Failure } from './errors.ts'
import { historyColumn } from './rebuild.ts'
import { type Found, type Statements, searchAll } from './search.ts'

export type ScanRequest =
  | { readonly type: 'find'; readonly query: CompiledQuery }
  | { readonly type: 'read'; readonly sql: string; readonly parameters: readonly SQLInputValue[] }
  | { readonly type: 'close' }

type Asked = Exclude<ScanRequest, { type: 'close' }>

export type ScanReply =
  | ({ readonly type: 'found' } & Stamp & Found)
  | { readonly type: 'rows'; readonly rows: readonly unknown[][] }
  | Failure

interface Connection {
  readonly database: DatabaseSync
  readonly statements: Statements
}

const file = workerData as string
const NOW = `select sequence, ${historyColumn} from instances where id = 1`
let connection: Connection | undefined

function connect(): Connection {
  const database = openReadOnly(file)
  return { database, statements: statementsOn(database) }
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

function run(asked: Asked): ScanReply {
  connection ??= connect()
  const { statements } = connection
  const { all } = statements
  all('begin')
  const [sequence, history] = all(NOW)[0] ?? []
  const reply: ScanReply =
    asked.type === 'read'
      ? { type: 'rows', rows: all(asked.sql, ...asked.parameters) }
      : {
          type: 'found',
          sequence: Number(sequence),
          history: String(history),
          ...searchAll(statements, asked.query),
        }
  all('commit')
  return reply
}

function answer(asked: Asked): ScanReply {
  try {
    return run(asked)
  } catch (error) {
    // After an error the connection may still be in a transaction, so it is not used again.
    disconnect()
    return describeFailure(error)
  }
}

parentPort?.on('message', (request: ScanRequest) => {
  if (request.type !== 'close') {
    parentPort?.postMessage(answer(request))
    return
  }
  disconnect()
  parentPort?.close()
})
