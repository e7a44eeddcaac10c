/**
 * The server of `signet init --start`: it belongs to a folder, listens on this machine alone and runs until `signet stop`.
 * Everything of it is in `.signet`, which Git ignores and other users of the machine cannot read.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentWith } from '../config/index.ts'
import { PATHS } from '../kernel/page-paths.ts'
import { takeLock } from './folder-lock.ts'
import { tryListen } from './free-port.ts'

const FOLDER = '.signet'
/** What must not be set: with it, the server would have other data, or another address. */
const FORBIDDEN = [
  'SIGNET_DATABASE_URL',
  'SIGNET_DATABASE_URL_FILE',
  'SIGNET_DATA_DIR',
  'SIGNET_LISTEN',
  'SIGNET_EXTERNAL_URL',
]
const USUAL_PORT = 8080
const LONGEST_START_MS = 120_000
const LONGEST_STOP_MS = 60_000
const POLL_MS = 100

/** Why there is no server; a sentence for whoever ran the command. */
export class LocalServerFailed extends Error {}

export interface LocalServer {
  readonly url: string
  /** Makes the first administrator; undefined once there is one, or when the server ran before. */
  readonly setupUrl: string | undefined
  readonly token: string
  /** Whether this call started it. */
  readonly isNew: boolean
}

interface Written {
  readonly pid: number
  readonly port: number
}

const placesIn = (folder: string) => {
  const own = join(folder, FOLDER)
  return { own, data: join(own, 'data'), written: join(own, 'server.json'), log: join(own, 'server.log') }
}

function readWritten(file: string): Written | undefined {
  try {
    const { pid, port } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 1 && Number.isSafeInteger(port) ? { pid, port } : undefined
  } catch {
    return undefined
  }
}

/** The file can be old, or of a stranger who wrote the project: only the lock says that a server has the data. */
async function isRunning(data: string): Promise<boolean> {
  if (!existsSync(join(data, 'server.lock'))) return false
  const lock = await takeLock(join(data, 'server.lock'))
  lock?.release()
  return lock === undefined
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

async function until(isDone: () => Promise<boolean>, longestMs: number): Promise<boolean> {
  for (const end = Date.now() + longestMs; Date.now() < end; await sleep(POLL_MS)) if (await isDone()) return true
  return false
}

function lastLines(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
}

/** The usual one, or any that is free; later the same one, because apps were given its address. */
async function choosePort(before: number | undefined): Promise<number> {
  for (const port of before === undefined ? [USUAL_PORT, 0] : [before]) {
    const found = await tryListen({ host: '127.0.0.1', port }).catch(() => undefined)
    if (found !== undefined) return found
  }
  throw new LocalServerFailed(
    before === undefined
      ? 'No port is free on this machine.'
      : `Port ${before}, where the apps of this folder expect Signet, is used by another program.`,
  )
}

/** The server of this folder, started if it does not run. */
export async function startLocalServer(folder: string): Promise<LocalServer> {
  const places = placesIn(folder)
  const before = readWritten(places.written)
  const token = () => readFileSync(join(places.data, 'admin.pat'), 'utf8').trim()
  const urlOf = (port: number) => `http://localhost:${port}`
  if (before !== undefined && (await isRunning(places.data))) {
    if (!(await until(() => isReady(before.port), LONGEST_START_MS)))
      throw new LocalServerFailed(`The server of this folder does not answer: see ${places.log}`)
    return { url: urlOf(before.port), setupUrl: undefined, token: token(), isNew: false }
  }
  const environment = environmentWith({})
  const wrong = FORBIDDEN.filter((name) => (environment[name] ?? '') !== '')
  if (wrong.length > 0)
    throw new LocalServerFailed(`${wrong.join(', ')} is set: the server of a folder has its own. Unset it.`)

  const port = await choosePort(before?.port)
  mkdirSync(places.own, { recursive: true, mode: 0o700 })
  writeFileSync(join(places.own, '.gitignore'), '*\n')
  const log = openSync(places.log, 'w', 0o600)
  const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
  const child = spawn(process.execPath, [...script, 'start'], {
    detached: true,
    stdio: ['ignore', log, log],
    env: environmentWith({ SIGNET_DATA_DIR: places.data, SIGNET_LISTEN: `127.0.0.1:${port}` }),
  })
  child.unref()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const hasGreeted = () => readFileSync(places.log, 'utf8').includes(PATHS.console)
  const done = await until(async () => hasEnded() || (hasGreeted() && (await isReady(port))), LONGEST_START_MS)
  if (!done || hasEnded() || child.pid === undefined) {
    child.kill('SIGKILL')
    throw new LocalServerFailed(`The server did not start:\n${lastLines(places.log)}`)
  }
  writeFileSync(places.written, JSON.stringify({ pid: child.pid, port }), { mode: 0o600 })
  const setupUrl = new RegExp(`https?://\\S+${PATHS.setUp}\\?\\S+`).exec(readFileSync(places.log, 'utf8'))?.[0]
  return { url: urlOf(port), setupUrl, token: token(), isNew: true }
}

/** Ends the server of this folder, which keeps its data; false when none runs. */
export async function stopLocalServer(folder: string): Promise<boolean> {
  const places = placesIn(folder)
  const written = readWritten(places.written)
  if (written === undefined || !(await isRunning(places.data))) return false
  try {
    process.kill(written.pid, 'SIGTERM')
  } catch {
    throw new LocalServerFailed(`${places.data} is used by a server that another command started: stop it there.`)
  }
  if (!(await until(async () => !(await isRunning(places.data)), LONGEST_STOP_MS)))
    throw new LocalServerFailed(`The server (process ${written.pid}) has not stopped within a minute.`)
  return true
}

/** Undoes the first start of a server: what called it did not come to its end. */
export async function forgetLocalServer(folder: string): Promise<void> {
  await stopLocalServer(folder)
  rmSync(placesIn(folder).own, { recursive: true, force: true })
}
