/** A PgBouncer in front of a test's database, where one is installed: each transaction gets another session of the server. */
import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { findOwner, isExecutable } from './postgres-binaries.ts'

/** The program; undefined where it is not installed. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
}

export interface Pgbouncer {
  /** The URL of the same database through it. */
  readonly url: string
  close(): Promise<void>
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false)).once('connect', () => socket.destroy())
  })
}

/** Starts one in the mode `transaction`, with more settings of its own. */
export async function startPgbouncer(databaseUrl: string, ...settings: readonly string[]): Promise<Pgbouncer> {
  const program = findPgbouncer()
  if (program === undefined) throw new Error('PgBouncer is not installed on this machine')
  const to = new URL(databaseUrl)
  const owner = findOwner()
  const folder = mkdtempSync(join(tmpdir(), 'signet-pgbouncer-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const place = `host=${to.hostname} port=${to.port} user=${to.username} password=${decodeURIComponent(to.password)}`
  const lines = [
    '[databases]',
    `* = ${place}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    // The session that was used longest ago, so that each transaction has another one.
    'server_round_robin = 1',
    ...settings,
  ]
  await writeFile(file, lines.join('\n'))
  if (owner) chownSync(file, owner.uid, owner.gid)
  const child = spawn(program, ['-q', file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`)
    await sleep(10)
  }
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
