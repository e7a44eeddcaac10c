/** The PostgreSQL engine: many nodes on one server, each commit serialised by the row of its instance. */
import type { Engine } from '../engine.ts'
import type { StoreObserver } from '../observer.ts'
import { CachedReads } from './cached-reads.ts'
import { type Connection, listTargets } from './connection.ts'
import { sqlState, translateError, unavailable } from './errors.ts'
import { jobMethods } from './jobs.ts'
import { connectBefore, Pool } from './pool.ts'
import { readEvents, streamReader } from './read.ts'
import { rebuildKind } from './rebuild.ts'
import { prepareSchema } from './schema.ts'
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
  /** Off in one test only: shows that reads are stale without it. */
  readonly validatesCache?: boolean
  readonly observer?: StoreObserver | undefined
}

const CONNECT_TIMEOUT_MS = 3_000
/** How many statements read whole streams at once. */
const STREAM_LANES = 2

/** Connects to the primary; throws `store.unavailable` when there is none. */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const {
    url,
    poolSize = 8,
    patienceMs = 5_000,
    statementTimeoutMs = 10_000,
    validatesCache = true,
    observer,
  } = options
  const connecting = { targets: listTargets(url), connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs }
  const pool = new Pool({ ...connecting, size: poolSize, patienceMs, maxWaiting: 100 * poolSize, observer })
  const writer = new Writer({ ...connecting, patienceMs })
  const rounds = new Pool({ ...connecting, size: 1, patienceMs, maxWaiting: 1, observer })
  const reads = new CachedReads({ rounds, queries: pool, validates: validatesCache })
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

  await pool.read('ping', async ({ client }) => await client.query('select 1'))
  return {
    name: 'postgres',
    prepare: (kinds) => withConnection((connection) => prepareSchema(connection, kinds)),
    get: (kind, id) => reads.get(kind, id),
    find: (query) => reads.find(query),
    findClaimHolder: (claimKind, value) => reads.findClaimHolder(claimKind, value),
    events: (query) => readEvents(pool, query),
    stream: streamReader(pool, STREAM_LANES),
    commit(batch) {
      if (isClosed) return Promise.reject(unavailable(new Error('the store is closed')))
      const outcomes = writing.then(() => writer.commit(batch))
      writing = outcomes.catch(() => {})
      return outcomes
    },
    rebuild: (kind, fold) => withConnection((connection) => rebuildKind(connection, kind, fold)),
    ...jobMethods(pool),
    connections: () => pool.load,
    async ping() {
      const rows = await pool.read(
        'ping',
        async ({ client }) => (await client.query('select from instances where id = 1')).rows,
      )
      if (rows.length !== 1) throw new Error('The database has no instance.')
    },
    delayMs: () => Math.max(pool.delayMs(), reads.delayMs()),
    async close() {
      isClosed = true
      await writing
      await Promise.all([writer.close(), pool.close(), rounds.close()])
    },
  }
}
