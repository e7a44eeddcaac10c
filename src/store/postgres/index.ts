/** The PostgreSQL engine: many nodes on one server, each commit serialised by the row of its instance. */
import type { Engine, FoundRows } from '../engine.ts'
import { queryKey } from '../query/index.ts'
import { type Connection, listTargets } from './connection.ts'
import { sqlState, translateError, unavailable } from './errors.ts'
import { jobMethods } from './jobs.ts'
import { connectBefore, Pool } from './pool.ts'
import { documentReader, findClaimHolder, findDocuments, readEvents, streamReader } from './read.ts'
import { rebuildKind } from './rebuild.ts'
import { prepareSchema } from './schema.ts'
import { shareAnswers } from './share-answers.ts'
import { Writer } from './write.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`; several hosts, separated by commas, for failover. */
  readonly url: string
  /** Connections for reading; one more writes. */
  readonly poolSize?: number
  /** How long a call waits for a connection, for a primary to appear or for the result of a commit. */
  readonly patienceMs?: number
  /** How long one statement may take. */
  readonly statementTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 3_000
/** How many statements read documents by id at once; as many read whole streams. */
const GET_LANES = 2

/** Connects to the primary; throws `store.unavailable` when there is none. */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const { url, poolSize = 8, patienceMs = 5_000, statementTimeoutMs = 10_000 } = options
  const connecting = { targets: listTargets(url), connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs }
  const pool = new Pool({ ...connecting, size: poolSize, patienceMs, maxWaiting: 100 * poolSize })
  const writer = new Writer({ ...connecting, patienceMs })
  const share = shareAnswers<FoundRows>()
  let writing: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** A separate connection without a time limit, for rare work that takes long. */
  const withConnection = async <Value>(use: (connection: Connection) => Promise<Value>): Promise<Value> => {
    const connection = await connectBefore({ ...connecting, statementTimeoutMs: 0 }, performance.now() + patienceMs)
    try {
      return await use(connection)
    } catch (error) {
      // An error of a fold or of a check of ours is not the driver's and is thrown as it is.
      throw connection.isBroken || sqlState(error) !== undefined ? translateError(error) : error
    } finally {
      await connection.end()
    }
  }

  const get = documentReader(pool, GET_LANES)
  const stream = streamReader(pool, GET_LANES)
  await pool.read(async ({ client }) => await client.query('select 1'))
  return {
    name: 'postgres',
    prepare: (kinds) => withConnection((connection) => prepareSchema(connection, kinds)),
    get,
    find: (query) => share(queryKey(query), () => findDocuments(pool, query)),
    findClaimHolder: (kind, value) => findClaimHolder(pool, kind, value),
    events: (query) => readEvents(pool, query),
    stream,
    commit(batch) {
      if (isClosed) return Promise.reject(unavailable(new Error('the store is closed')))
      const outcomes = writing.then(() => writer.commit(batch))
      writing = outcomes.catch(() => {})
      return outcomes
    },
    rebuild: (kind, fold) => withConnection((connection) => rebuildKind(connection, kind, fold)),
    ...jobMethods(pool),
    async ping() {
      const rows = await pool.read(
        async ({ client }) => (await client.query('select from instances where id = 1')).rows,
      )
      if (rows.length !== 1) throw new Error('The database has no instance.')
    },
    delayMs: () => Math.max(pool.delayMs(), get.delayMs()),
    async close() {
      isClosed = true
      await writing
      await Promise.all([writer.close(), pool.close()])
    },
  }
}
