/** Opens SQLite files. A file system or a version of SQLite on which data could be lost is refused at the start. */
import { mkdir, open, readFile, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Statements } from './search.ts'

/** Older versions can corrupt a WAL database when a checkpoint and a write coincide. */
const OLDEST_SQLITE = [3, 51, 3] as const

/** Throws when the version of SQLite is too old. */
export function checkSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number)
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `SQLite ${version} is too old, ${OLDEST_SQLITE.join('.')} or later is required. Use the Node.js version in package.json.`,
      )
    }
  }
}

/** Magic numbers from linux/magic.h and from the sources of the file systems. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB2'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
])

const FUSE = 0x65735546

// FUSE also serves local disks (fuseblk, virtiofs of a virtual machine); only these are known to be remote.
const NETWORK_FUSE =
  /^fuse\.(sshfs|glusterfs|s3fs|rclone|gcsfuse|goofys|geesefs|mount-s3|davfs2?|ceph|ceph-fuse|juicefs|seaweedfs|mfs|moosefs|lizardfs|curlftpfs|smbnetfs|gvfsd-fuse|blobfuse2?|azstorage|lustre|weka.*|orangefs)$/i

/** The name of the network file system that `statfs` and the mount table describe; undefined for a local one. */
export function networkFileSystem(type: number, mountType: string | undefined): string | undefined {
  const name = NETWORK_FILE_SYSTEMS.get(type >>> 0)
  if (name !== undefined) return name
  return type === FUSE && mountType !== undefined && NETWORK_FUSE.test(mountType) ? mountType : undefined
}

/** The type of the mount that contains `folder`, from the text of /proc/self/mountinfo; the longest mount point wins. */
export function mountTypeOf(folder: string, mountinfo: string): string | undefined {
  let best = ''
  let type: string | undefined
  for (const line of mountinfo.split('\n')) {
    const [before, after] = line.split(' - ')
    // proc(5): spaces in mount points are written as octal escapes.
    const point = before
      ?.split(' ')[4]
      ?.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
    if (point === undefined || after === undefined || point.length < best.length) continue
    if (point === '/' || folder === point || folder.startsWith(`${point}/`)) {
      best = point
      type = after.split(' ')[0]
    }
  }
  return type
}

/** Creates the folder and an empty file that only its owner may read; throws on a file system that is not safe. */
export async function prepareSqliteFile(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'linux') {
    const mountinfo = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
    const found = networkFileSystem((await statfs(folder)).type, mountTypeOf(folder, mountinfo))
    if (found !== undefined) {
      throw new Error(
        `${folder} is on a network file system (${found}), where SQLite cannot keep data safe. Use a local disk, or PostgreSQL.`,
      )
    }
  }
  // SQLite gives its -wal and -shm files the mode of the database file.
  const handle = await open(file, 'a', 0o600)
  await handle.close()
}

export type Synchronous = 'FULL' | 'OFF'

/** The settings of a connection that writes. */
export function configureWriter(database: DatabaseSync, synchronous: Synchronous): void {
  const mode = database.prepare('pragma journal_mode = wal').get()?.journal_mode
  if (mode !== 'wal') throw new Error(`SQLite cannot use a write-ahead log here (journal mode "${mode}").`)
  database.exec(`
    pragma synchronous = ${synchronous};
    pragma foreign_keys = off;
    pragma temp_store = memory;
    pragma cache_size = -65536;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
  `)
}

/** How long a connection waits for the lock of another process. */
export const BUSY_TIMEOUT_MS = 10_000

/** Opens a connection that only reads. */
export function openReadOnly(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma cache_size = -65536; pragma temp_store = memory')
  return database
}

const MAX_STATEMENTS = 200

/** Prepares each statement once and keeps the latest ones; rows come as arrays. */
export function statementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = prepare(database, sql)
      const oldest = statements.size >= MAX_STATEMENTS ? statements.keys().next().value : undefined
      if (oldest !== undefined) statements.delete(oldest)
      statements.set(sql, statement)
    }
    return statement
  }
}

/** Runs statements on a connection and keeps them prepared. */
export function statementsOn(database: DatabaseSync): Statements {
  const prepared = statementCache(database)
  return {
    all: (sql, ...parameters) => prepared(sql).all(...parameters) as unknown as unknown[][],
    each: (sql, ...parameters) => prepared(sql).iterate(...parameters) as unknown as Iterable<unknown[]>,
  }
}

const HINT = / indexed by "[^"]*"/g

function prepare(database: DatabaseSync, sql: string): StatementSync {
  try {
    return database.prepare(sql, { returnArrays: true })
  } catch (error) {
    // A newer program on the same file may have dropped the index. The query is then slower, but still correct.
    const plain = sql.replace(HINT, '')
    if (plain === sql) throw error
    return database.prepare(plain, { returnArrays: true })
  }
}
