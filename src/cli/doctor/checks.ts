/** The checks of the doctor, one function each. None of them writes anything that stays. */
import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, databaseFile } from '../../config/index.ts'
import { checkSqliteVersion, mountTypeOf, networkFileSystem } from '../../store/sqlite/connection.ts'
import { tryListen } from '../free-port.ts'
import { meaningOf } from '../setting-refused.ts'
import { readTls } from '../tls-files.ts'

/** What one check found: `note` is worth knowing and no hindrance. */
export interface Finding {
  readonly verdict: 'ok' | 'note' | 'wrong'
  readonly text: string
}

export type Check = (config: Config) => Promise<Finding> | Finding

const OLDEST_NODE = 26
const EARLIEST_CLOCK = Date.UTC(2026, 0, 1)
const PING_MS = 5_000
const DAY_MS = 86_400_000

function ok(text: string): Finding {
  return { verdict: 'ok', text }
}
function note(text: string): Finding {
  return { verdict: 'note', text }
}
function wrong(text: string): Finding {
  return { verdict: 'wrong', text }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

export const checkNode: Check = () => {
  const [major] = process.versions.node.split('.').map(Number)
  const isNew = (major ?? 0) >= OLDEST_NODE
  return isNew
    ? ok(process.versions.node)
    : wrong(
        `${process.versions.node} is too old, ${OLDEST_NODE} or later is required; run npm ci and start with npm start.`,
      )
}

export const checkSqlite: Check = ({ databaseUrl }) => {
  if (databaseUrl) return ok('not used')
  const version = process.versions.sqlite ?? '0'
  checkSqliteVersion(version)
  return ok(version)
}

/** The folder itself, or the nearest one above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return folder
  if (found) throw new Error(`${folder} is not a folder.`)
  return nearestFolder(dirname(folder))
}

export const checkDataDir: Check = async ({ dataDir }) => {
  const folder = resolve(dataDir)
  const existing = await nearestFolder(folder)
  try {
    await access(existing, constants.W_OK | constants.X_OK)
  } catch {
    return wrong(`${existing} is not writable by this user.`)
  }
  if (process.platform === 'linux') {
    const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
    const far = networkFileSystem((await statfs(existing)).type, mountTypeOf(existing, mounts))
    if (far) return wrong(`${existing} is on a network file system (${far}); use a local disk or PostgreSQL.`)
  }
  if (existing !== folder) return note(`${folder} will be created at the first start.`)
  const { mode } = await stat(folder)
  return (mode & 0o007) === 0 ? ok(folder) : note(`${folder} is readable by all users; run: chmod 700 ${folder}`)
}

export const checkDatabase: Check = ({ databaseUrl, dataDir }) =>
  databaseUrl ? checkPostgres(databaseUrl.reveal()) : checkSqliteFile(databaseFile(resolve(dataDir)))

async function checkPostgres(url: string): Promise<Finding> {
  const { connect, listTargets } = await import('../../store/postgres/connection.ts')
  try {
    const options = { targets: listTargets(url), connectTimeoutMs: PING_MS, statementTimeoutMs: PING_MS }
    const connection = await connect(options)
    try {
      const { rows } = await connection.client.query<{ version: string; events: string | null }>(
        `select current_setting('server_version') as version, to_regclass('events')::text as events`,
      )
      const [{ version, events } = { version: '', events: null }] = rows
      return events === null
        ? note(`PostgreSQL ${version} is reachable; the tables will be created at the first start.`)
        : ok(`PostgreSQL ${version} is reachable`)
    } finally {
      await connection.end()
    }
  } catch (error) {
    const { describeFailure } = await import('../../store/postgres/describe-failure.ts')
    return wrong(describeFailure(url, error))
  }
}

/**
 * The address under which a database file can be read and no trace is left. Who reads a file with a write-ahead log makes
 * the files of that log, and when they are those of another user, the server cannot open them.
 */
export async function tracelessly(file: string): Promise<string> {
  const isInUse = await access(`${file}-wal`).then(
    () => true,
    () => false,
  )
  return isInUse ? file : `${pathToFileURL(file).href}?immutable=1`
}

async function checkSqliteFile(file: string): Promise<Finding> {
  try {
    await access(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return note(`${file} will be created at the first start.`)
    return wrong(`${file} is not readable and writable by this user.`)
  }
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(await tracelessly(file), { readOnly: true, timeout: PING_MS })
  try {
    const answer = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0]
    return answer === 'ok' ? ok(file) : wrong(`${file} is damaged: ${String(answer)}`)
  } finally {
    database.close()
  }
}

export const checkTls: Check = async ({ tlsCertFile, tlsKeyFile }) => {
  if (tlsCertFile === undefined || tlsKeyFile === undefined)
    return note('not configured; use a TLS proxy in front of the port.')
  // Throws when they cannot be read, or do not belong together.
  const tls = await readTls({ tlsCertFile, tlsKeyFile })
  const { validToDate } = new X509Certificate(tls?.cert ?? '')
  const days = Math.floor((validToDate.getTime() - Date.now()) / DAY_MS)
  if (days < 0) return wrong(`the certificate expired on ${validToDate.toISOString()}.`)
  return days < 14
    ? note(`the certificate expires in ${days} days.`)
    : ok(`the certificate is valid for ${days} more days`)
}

export const checkClock: Check = () => {
  const now = new Date().toISOString()
  return Date.now() >= EARLIEST_CLOCK
    ? ok(`${now} (UTC)`)
    : wrong(`${now} is not the current time; set the system clock.`)
}

/** Whether the server there is one of ours: only ours answers its health check in this way. */
async function isSignet({ host, port }: Config['listen']): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const ask = (scheme: string) =>
    fetch(`${scheme}://${name}:${port}/healthz`, { signal: AbortSignal.timeout(PING_MS) }).then(
      (answer) => answer.headers.get('x-request-id') !== null,
      // A certificate for another name is an answer too; that it is ours is likely enough for a note.
      (failure: Error) => /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(codeOf(failure.cause)),
    )
  return (await ask('http')) || (await ask('https'))
}

export const checkPort: Check = async ({ listen }) => {
  const where = `${listen.host}:${listen.port}`
  try {
    await tryListen(listen)
    return ok(`${where} is free`)
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') return wrong(`${where} ${meaningOf(error)}; see SIGNET_LISTEN.`)
    return (await isSignet(listen))
      ? note(`a Signet server is running on ${where}`)
      : wrong(`${where} is in use by another program; see SIGNET_LISTEN.`)
  }
}
