/** The PostgreSQL engine: many nodes on one server, each commit serialised by the row of its instance. */
import { counterMethods } from '../counters.ts'
import type { Commit, Engine, Outcome } from '../engine.ts'
import { jobMethods } from '../jobs/job-table.ts'
import { NO_OBSERVER, type StoreObserver } from '../observer.ts'
import { CachedReads } from './cached-reads.ts'
import { type Connection, listTargets } from './connection.ts'
import { sqlState, translateError, unavailable } from './errors.ts'
import { logMethods } from './log.ts'
import { connectBefore, Pool } from './pool.ts'
import { rebuildKind } from './rebuild.ts'
import { countingIn, Totals } from './totals.ts'
import { DocumentKinds, readAnyVersion } from './versions/document-kinds.ts'
import { openVersions } from './versions/index.ts'
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
  /** Off in tests only: shows that nodes of other versions read wrong documents without it. */
  readonly marksOthers?: boolean
  /** How often a node says that it is there, and how long a version must be unused until its documents are removed. */
  readonly heartbeatMs?: number
  readonly retireAfterMs?: number
  /** The version of the program, for those who ask which nodes are running. */
  readonly release?: string
  /** Reads documents of whichever version is there, without preparing the database: for checks. */
  readonly readsAnyVersion?: boolean
  readonly observer?: StoreObserver | undefined
}

const CONNECT_TIMEOUT_MS = 3_000

/** Connects to the primary; throws `store.unavailable` when there is none. */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const {
    url,
    poolSize = 8,
    patienceMs = 5_000,
    statementTimeoutMs = 10_000,
    validatesCache = true,
    marksOthers = true,
    readsAnyVersion = false,
    observer = NO_OBSERVER,
  } = options
  const connecting = { targets: listTargets(url), connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs }
  const pool = new Pool({ ...connecting, size: poolSize, patienceMs, maxWaiting: 100 * poolSize, observer })
  const kinds = new DocumentKinds()
  const writer = new Writer({ ...connecting, patienceMs, marksOthers, documentKind: (kind) => kinds.of(kind) })
  const rounds = new Pool({ ...connecting, size: 1, patienceMs, maxWaiting: 1, observer })
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

  const versions = openVersions({ ...options, pool, kinds, observer, withConnection, node: writer.name })
  const { catchUp, check, confirm } = versions
  const reads = new CachedReads({ rounds, queries: pool, validates: validatesCache, kinds, catchUp, confirm })
  const totals = new Totals(countingIn(pool, (query) => reads.find(query)))

  const write = async (batch: readonly Commit[]): Promise<readonly Outcome[]> => {
    const outcomes = await writer.commit(batch).catch((error: unknown) => {
      throw versions.translate(error)
    })
    if (!outcomes.some(({ type }) => type === 'taken') || (await catchUp.all(kinds.claiming)) === 0) return outcomes
    // A claim that only this version makes was out of date: the decision is made again.
    return outcomes.map((outcome) => (outcome.type === 'taken' ? { type: 'conflict' } : outcome))
  }

  const runOnJobs = (text: string, ...values: readonly (string | number)[]) =>
    pool.read(
      'job',
      async ({ client }) => (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows,
    )

  await pool.read('ping', async ({ client }) => await client.query('select 1'))
  if (readsAnyVersion) await pool.read('node', (connection) => readAnyVersion(connection, kinds))
  return {
    name: 'postgres',
    get dialect() {
      return kinds.dialect
    },
    prepare: versions.prepare,
    ...readMethods(reads, check, (query) => totals.find(kinds.find(query.kind), query)),
    computed: reads.computed,
    ...logMethods(pool, kinds),
    async commit(batch) {
      if (isClosed) throw unavailable(new Error('the store is closed'))
      check()
      const outcomes = writing.then(() => write(batch))
      writing = outcomes.catch(() => {})
      return outcomes
    },
    rebuild: ({ name }, fold) =>
      withConnection((connection) => rebuildKind(connection, kinds.setOf(kinds.of(name)), fold)),
    // Nodes never wait for each other and never get the same job.
    ...jobMethods({ run: runOnJobs, read: runOnJobs, locking: 'for update skip locked' }),
    ...counterMethods({ run: runOnJobs, read: runOnJobs, readMany: runOnJobs }),
    connections: () => pool.load,
    async ping() {
      check()
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
      await versions.stop()
      await Promise.all([writer.close(), pool.close(), rounds.close()])
    },
  }
}

function readMethods(
  reads: CachedReads,
  check: () => void,
  find: Engine['find'],
): Pick<Engine, 'get' | 'find' | 'values' | 'findClaimHolder'> {
  return {
    get(kind, id) {
      check()
      return reads.get(kind, id)
    },
    find(query) {
      check()
      return find(query)
    },
    values(query, column, limit) {
      check()
      return reads.values(query, column, limit)
    },
    findClaimHolder(claimKind, value) {
      check()
      return reads.findClaimHolder(claimKind, value)
    },
  }
}
