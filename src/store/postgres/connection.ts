/**
 * One connection to the primary. The URL may name several hosts (`postgres://a,b:5433/db`). They are tried in turn; a
 * standby or read-only server is skipped, because no decision may be based on a replica that lags.
 */
import pg from 'pg'
import { isPermanent } from './errors.ts'

/** A connection string for each host of the list, without the parameters of libpq that `pg` does not know. */
export function listTargets(url: string): readonly string[] {
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url)
  if (!match) throw new Error('the database URL must look like postgres://user@host:port/database')
  const [, scheme = '', user = '', hosts = '', path = '', query = ''] = match
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs') ?? 'read-write'
  if (!['any', 'read-write', 'primary'].includes(wanted)) {
    throw new Error(`target_session_attrs=${wanted}: only the primary can be used; set it to read-write`)
  }
  const mode = parameters.get('pool_mode') ?? 'session'
  if (!['session', 'transaction'].includes(mode)) {
    throw new Error(`pool_mode=${mode}: the modes of a pooler that Signet knows are session and transaction`)
  }
  parameters.delete('target_session_attrs')
  parameters.delete('load_balance_hosts')
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  return hosts.split(',').map((host) => `${scheme}${user}${host}${path}${rest}`)
}

/**
 * Whether a pooler gives each transaction another session of the server, as the URL says (`pool_mode=transaction`). Then
 * nothing may be kept in a session: no statement with a name, and no setting, not even a limit of time.
 */
function sharesSessions(target: string): boolean {
  return /[?&]pool_mode=transaction(&|$)/.test(target)
}

/** A client that sends each statement with its text. */
class NamelessClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config)
    const send = this.query.bind(this) as (...call: readonly unknown[]) => unknown
    const query = (first: unknown, ...rest: readonly unknown[]) =>
      send(typeof first === 'object' ? { ...first, name: undefined } : first, ...rest)
    this.query = query as typeof this.query
  }
}

export interface ConnectionOptions {
  readonly targets: readonly string[]
  readonly connectTimeoutMs: number
  /** 0 = none: for migrations and rebuilds. */
  readonly statementTimeoutMs: number
}

/** Parses columns as the store uses them: 64-bit integers as numbers (they stay below 2^53), JSON as text. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  20: Number,
  23: Number,
  1016: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)),
}
const types = { getTypeParser: (oid: number) => parsers[oid] ?? ((text: string) => text) }

/** A connected client that knows whether it is broken and how many warnings the server has sent. */
export class Connection {
  readonly client: pg.Client
  isBroken = false
  /** For the pool, which closes the connections of an older generation. */
  generation = 0
  isInTransaction = false
  /** Whether the server distributes its tables, so that some of them may be on another one (Citus). */
  isDistributed = false
  /** Whether another server of those has to make changes of the schema. */
  isWorker = false
  /** A WARNING during a commit means that the wait for the synchronous standby was cancelled. */
  warnings = 0
  onBroken: () => void = () => {}
  /** Opens another one to this server, without a time limit for statements. */
  readonly another: () => Promise<Connection>

  constructor(client: pg.Client, another: () => Promise<Connection>) {
    this.client = client
    this.another = another
    const breakDown = () => {
      if (this.isBroken) return
      this.isBroken = true
      this.onBroken()
    }
    // An error on an idle connection would otherwise end the process.
    client.on('error', breakDown)
    client.on('end', breakDown)
    client.on('notice', (notice) => {
      if (notice.severity === 'WARNING') this.warnings += 1
    })
  }

  /** Closes the connection; a running statement is aborted. */
  async end(): Promise<void> {
    this.isBroken = true
    await this.client.end().catch(() => {})
  }
}

async function connectTo(target: string, options: ConnectionOptions): Promise<Connection> {
  const { connectTimeoutMs, statementTimeoutMs } = options
  const isShared = sharesSessions(target)
  const client = new (isShared ? NamelessClient : pg.Client)({
    connectionString: target,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'signet',
    // The type of `pg` asks for several overloads; one function serves all formats that the store uses.
    types: types as pg.CustomTypesConfig,
    // The server times out first; our own timer is for a server that no longer answers at all.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 2_000 }),
    ...(statementTimeoutMs > 0 && !isShared && { statement_timeout: statementTimeoutMs }),
  })
  const connection = new Connection(client, () => connectTo(target, { ...options, statementTimeoutMs: 0 }))
  try {
    await client.connect()
    // Without `jit`: compiling the statement of a list takes longer than it gains.
    const { rows } = await client.query<{ refused: boolean; distributed: boolean }>({
      text: `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as refused,
        to_regproc('citus_version') is not null as distributed${isShared ? '' : `, set_config('jit', 'off', false)`}`,
      query_timeout: connectTimeoutMs,
    } as pg.QueryConfig)
    if (rows[0]?.refused !== false) throw new Error('the server is a standby or read-only')
    connection.isDistributed = rows[0].distributed
    if (connection.isDistributed) {
      const groups = await client.query<{ group: number }>('select groupid as "group" from pg_dist_local_group')
      connection.isWorker = groups.rows.some(({ group }) => group !== 0)
    }
    return connection
  } catch (error) {
    void connection.end()
    throw error
  }
}

/** Connects to the first host of the list that takes writes; throws the last host's error when none does. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  let failure: unknown = new Error('no host to connect to')
  for (const target of options.targets) {
    try {
      return await connectTo(target, options)
    } catch (error) {
      failure = isPermanent(failure) ? failure : error
    }
  }
  throw failure
}

/** Runs `work` in a transaction, which is rolled back when the work fails; in the one that there is already, if any. */
export function inTransaction<Value>(connection: Connection, work: () => Promise<Value>): Promise<Value> {
  return transact(connection, 'begin', work)
}

/** As above, for work that is done again when a crash of the server loses it: the commit waits for no disk and no standby. */
export function inHastyTransaction<Value>(connection: Connection, work: () => Promise<Value>): Promise<Value> {
  return transact(connection, 'begin; set local synchronous_commit = off', work)
}

async function transact<Value>(connection: Connection, begin: string, work: () => Promise<Value>): Promise<Value> {
  if (connection.isInTransaction) return work()
  const { client } = connection
  await client.query(begin)
  connection.isInTransaction = true
  try {
    const value = await work()
    await client.query('commit')
    return value
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    connection.isInTransaction = false
  }
}
