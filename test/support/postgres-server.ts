/**
 * A PostgreSQL server for tests, from the installed binaries: tests start, stop, kill and restart it, copy it to a
 * standby and promote it. It uses a temporary folder and a random loopback port, and ends with this process.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { appendFile, chown, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { findOwner, findPostgres, isExecutable, type Owner } from './postgres-binaries.ts'

const run = promisify(execFile)

/** A running (or stopped, or killed) server; its data and port stay the same until `remove`. */
export interface PostgresServer {
  readonly port: number
  readonly directory: string
  /** Connection string to one of its databases. */
  url(database?: string): string
  /** Starts it again after `stop` or `kill`; resolves when it answers. */
  start(): Promise<void>
  /** `fast` ends all sessions and shuts down cleanly; `immediate` is a crash without SIGKILL. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** SIGKILL to the postmaster; resolves when it and all its children are gone. */
  kill(): Promise<void>
  /** A streaming standby of this server, already following it. Its application name is `name`. */
  standby(name: string): Promise<PostgresServer>
  /** Makes a standby the primary; resolves when it accepts writes. */
  promote(): Promise<void>
  /** Process ids of this server whose title contains `word`, for instance `walreceiver`. */
  processes(word: string): readonly number[]
  /** Runs one statement as superuser and gives its rows. */
  query(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>
  /** Appends lines to postgresql.conf and reloads. */
  configure(...lines: string[]): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

// Cheap, but as durable as in production: fsync stays on.
const settings = [
  'shared_buffers=64MB',
  'max_connections=100',
  'max_wal_size=256MB',
  'wal_level=replica',
  'max_wal_senders=5',
  'max_replication_slots=5',
  'hot_standby=on',
  'autovacuum_naptime=60',
  'log_min_messages=warning',
  'jit=off',
]

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** False when the process is gone, which may happen at any moment. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/**
 * All servers that this process started and has not removed. They are stopped and deleted when it exits, whatever the
 * reason.
 */
const running = new Map<string, () => void>()
let isWatchingExit = false

function watchExit(): void {
  if (isWatchingExit) return
  isWatchingExit = true
  process.on('exit', () => {
    for (const end of running.values()) end()
  })
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.on(signal, () => process.exit(128 + number))
  }
}

function newFolder(owner: Owner | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'signet-postgres-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** Starts a new, empty server; throws when the machine has no PostgreSQL (see `findPostgres`). */
export async function startPostgres(...extraSettings: string[]): Promise<PostgresServer> {
  const bin = findPostgres()
  if (!bin) throw new Error('PostgreSQL is not installed on this machine')
  const owner = findOwner()
  const directory = newFolder(owner)
  const password = randomBytes(18).toString('base64url')
  const passwordFile = join(directory, 'password')
  const data = join(directory, 'data')
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (owner) await chown(passwordFile, owner.uid, owner.gid)
    const common = [
      '-D',
      data,
      '-U',
      'signet',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-sync',
      '--no-instructions',
    ]
    // A language's sort order, so that a forgotten `collate "C"` shows; plain C where the build has no ICU.
    await run(join(bin, 'initdb'), [...common, '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'], {
      ...owner,
    }).catch(async () => {
      await rm(data, { recursive: true, force: true })
      await run(join(bin, 'initdb'), [...common, '--locale=C'], { ...owner })
    })
    await appendFile(join(data, 'postgresql.conf'), `\n${[...settings, ...extraSettings].join('\n')}\n`)
    return await serve({ bin, owner, directory, data, password, port: await freePort() })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

interface Place {
  readonly bin: string
  readonly owner: Owner | undefined
  readonly directory: string
  readonly data: string
  readonly password: string
  readonly port: number
}

async function serve(place: Place): Promise<PostgresServer> {
  const { bin, owner, directory, data, password, port } = place
  const log = join(directory, 'log')
  let child: ChildProcess | undefined

  const url = (database = 'postgres') => `postgres://signet:${password}@127.0.0.1:${port}/${database}`

  const connect = async (database?: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url(database), connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  const query = async (sql: string, database?: string): Promise<readonly Record<string, unknown>[]> => {
    const client = await connect(database)
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows
    } finally {
      await client.end()
    }
  }

  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null

  const start = async (): Promise<void> => {
    const output = openSync(log, 'a')
    const command = [join(bin, 'postgres'), '-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '']
    // Linux: if this process is killed without cleaning up, the kernel stops the server.
    const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable)
    const [program, ...rest] = setpriv ? [setpriv, '--pdeathsig', 'INT', ...command] : command
    // Its own process group: Ctrl-C in a terminal reaches only this process, which decides how the server ends.
    child = spawn(program ?? '', rest, { ...owner, stdio: ['ignore', output, output], detached: true, cwd: directory })
    child.unref()
    for (;;) {
      if (hasEnded()) throw new Error(`PostgreSQL did not start: ${await readFile(log, 'utf8')}`)
      try {
        await query('select 1')
        return
      } catch (error) {
        // 57P03: still starting up; a refused connection: not listening yet.
        const code = (error as { code?: string }).code
        if (code !== '57P03' && code !== 'ECONNREFUSED' && code !== 'ECONNRESET') throw error
        await sleep(20)
      }
    }
  }

  const ended = async (): Promise<void> => {
    while (!hasEnded()) await sleep(5)
  }

  const processes = (word: string): readonly number[] => {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    return stdout
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((match) => match?.[2] === String(child?.pid) && match[3]?.includes(word))
      .map((match) => Number(match?.[1]))
  }

  const stop = async (mode: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    if (hasEnded()) return
    for (const pid of processes('')) signal(pid, 'SIGCONT')
    child?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended()
  }

  const remove = async (): Promise<void> => {
    await stop('immediate')
    running.delete(directory)
    await rm(directory, { recursive: true, force: true })
  }

  running.set(directory, () => {
    if (!hasEnded()) spawnSync(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w'], { ...owner })
    rmSync(directory, { recursive: true, force: true })
  })
  watchExit()

  const server: PostgresServer = {
    port,
    directory,
    url,
    start,
    stop,
    processes,
    query,
    remove,
    async kill() {
      const children = processes('')
      child?.kill('SIGKILL')
      await ended()
      // Children notice that their postmaster is gone. A stopped one cannot, so it is killed.
      for (const pid of children) signal(pid, 'SIGKILL')
      while (children.some((pid) => signal(pid, 0))) await sleep(5)
    },
    async standby(name) {
      const copy = newFolder(owner)
      const target = join(copy, 'data')
      const source = `host=127.0.0.1 port=${port} user=signet application_name=${name}`
      try {
        await run(join(bin, 'pg_basebackup'), ['-D', target, '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source], {
          ...owner,
          env: { ...process.env, PGPASSWORD: password },
        })
        await appendFile(
          join(target, 'postgresql.conf'),
          `\nprimary_conninfo='${source} password=${password}'\nwal_retrieve_retry_interval=200ms\nsynchronous_standby_names=''\n`,
        )
        await writeFile(join(target, 'standby.signal'), '')
        const follower = await serve({ ...place, directory: copy, data: target, port: await freePort() })
        while (
          (await query(`select 1 from pg_stat_replication where application_name = '${name}' and state = 'streaming'`))
            .length === 0
        )
          await sleep(20)
        return follower
      } catch (error) {
        await rm(copy, { recursive: true, force: true })
        throw error
      }
    },
    async promote() {
      for (;;) {
        try {
          await query('select pg_promote(true, 30)')
          if ((await query('select pg_is_in_recovery() as standby'))[0]?.standby === false) return
        } catch (error) {
          // 55000: it is no longer a standby.
          if ((error as { code?: string }).code !== '55000') throw error
        }
        await sleep(20)
      }
    },
    async configure(...lines) {
      await appendFile(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`)
      await query('select pg_reload_conf()')
      await sleep(50)
    },
  }
  await start()
  return server
}
