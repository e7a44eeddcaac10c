/**
 * A new PostgreSQL database for each test. The server is started once: by the test runner, which names it in the
 * environment, or by the first test of a file that is run by hand.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { findPostgres } from './postgres-binaries.ts'
import { startPostgres } from './postgres-server.ts'
import { watchStatements } from './statements.ts'

export { findPostgres } from './postgres-binaries.ts'
export { type PostgresServer, startPostgres } from './postgres-server.ts'

watchStatements()

/** The variable by which the runner passes its server to the test processes; `none` when there is no PostgreSQL. */
export const serverVariable = 'SIGNET_TEST_POSTGRES'

/** The variable by which the runner names the engine of a process: `sqlite` or `postgres`; both when it is not set. */
export const engineVariable = 'SIGNET_TEST_ENGINE'

/**
 * The variable by which `citus.test.ts` has each test use a schema of one database of a cluster, which the engine distributes,
 * instead of a database.
 */
export const schemasVariable = 'SIGNET_TEST_SCHEMAS'

/** Whether databases can be copied. */
export const hasTemplates = process.env[schemasVariable] !== 'on'

let lazyServer: Promise<string | undefined> | undefined

function serverUrl(): Promise<string | undefined> {
  const given = process.env[serverVariable]
  if (given) return Promise.resolve(given === 'none' ? undefined : given)
  lazyServer ??= findPostgres() ? startPostgres().then((server) => server.url()) : Promise.resolve(undefined)
  return lazyServer
}

let connected: Promise<pg.Client> | undefined

/** Runs a statement on the server, on one connection for all of them, which does not keep the process alive. */
async function runOn(url: string, sql: string): Promise<void> {
  connected ??= connect(url)
  const client = await connected
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  stream.ref()
  waiting++
  try {
    await client.query(sql)
  } finally {
    waiting--
    if (waiting === 0) stream.unref()
  }
}

let waiting = 0

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {
    connected = undefined
  })
  await client.connect()
  return client
}

/** A database of a test. */
export interface FreshDatabase {
  readonly name: string
  readonly url: string
  drop(): Promise<void>
}

async function freshSchema(server: string, name: string): Promise<FreshDatabase> {
  await runOn(server, 'set citus.enable_schema_based_sharding = on')
  await runOn(server, `create schema ${name}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${name}`)
  return { name, url: url.href, drop: () => runOn(server, `drop schema if exists ${name} cascade`) }
}

/** A new database for one test, empty or a copy of another; undefined when this machine has no PostgreSQL. */
export async function freshDatabase(template?: string): Promise<FreshDatabase | undefined> {
  const server = await serverUrl()
  if (!server) return undefined
  const name = `test_${randomBytes(8).toString('hex')}`
  if (!hasTemplates) return freshSchema(server, name)
  await runOn(server, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => runOn(server, `drop database if exists ${name} with (force)`) }
}
