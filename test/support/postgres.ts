/**
 * A new empty PostgreSQL database for each test. The server is started once: by the test runner, which names it in the
 * environment, or by the first test of a file that is run by hand.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findPostgres } from './postgres-binaries.ts'
import { startPostgres } from './postgres-server.ts'

export { findPostgres } from './postgres-binaries.ts'
export { type PostgresServer, startPostgres } from './postgres-server.ts'

/** The variable by which the runner passes its server to the test processes; `none` when there is no PostgreSQL. */
export const serverVariable = 'SIGNET_TEST_POSTGRES'

let lazyServer: Promise<string | undefined> | undefined

function serverUrl(): Promise<string | undefined> {
  const given = process.env[serverVariable]
  if (given) return Promise.resolve(given === 'none' ? undefined : given)
  lazyServer ??= findPostgres() ? startPostgres().then((server) => server.url()) : Promise.resolve(undefined)
  return lazyServer
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A new, empty database for one test; undefined when this machine has no PostgreSQL. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const server = await serverUrl()
  if (!server) return undefined
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(server, `drop database if exists ${name} with (force)`) }
}
