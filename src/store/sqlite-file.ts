/** Where an SQLite file may lie and by which SQLite it may be opened: what would lose data later is refused at start. */
import { mkdir, open, readFile, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** Older ones can corrupt a WAL database when a checkpoint and a writer meet in the wrong moment. */
const OLDEST_SQLITE = [3, 51, 3] as const

/** Says no to an SQLite that is too old. */
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

/** Numbers of linux/magic.h and of the file systems' own sources. */
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

// FUSE also serves local disks (fuseblk, virtiofs of a virtual machine); only these are known to be far away.
const NETWORK_FUSE =
  /^fuse\.(sshfs|glusterfs|s3fs|rclone|gcsfuse|goofys|geesefs|mount-s3|davfs2?|ceph|ceph-fuse|juicefs|seaweedfs|mfs|moosefs|lizardfs|curlftpfs|smbnetfs|gvfsd-fuse|blobfuse2?|azstorage|lustre|weka.*|orangefs)$/i

/** The name of the network file system that `statfs` and the mount table describe; undefined for a local one. */
export function networkFileSystem(type: number, mountType: string | undefined): string | undefined {
  const name = NETWORK_FILE_SYSTEMS.get(type >>> 0)
  if (name !== undefined) return name
  return type === FUSE && mountType !== undefined && NETWORK_FUSE.test(mountType) ? mountType : undefined
}

/** The type of the mount that holds `folder`, read from the text of /proc/self/mountinfo: the longest mount point wins. */
export function mountTypeOf(folder: string, mountinfo: string): string | undefined {
  let best = ''
  let type: string | undefined
  for (const line of mountinfo.split('\n')) {
    const [before, after] = line.split(' - ')
    // proc(5): blanks in mount points are written as octal escapes.
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

/** Makes the folder and an empty file that only its owner may read, and refuses places where SQLite is not safe. */
export async function prepareSqliteFile(file: string): Promise<void> {
  const folder = dirname(resolve(file))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'linux') {
    const mountinfo = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
    const found = networkFileSystem((await statfs(folder)).type, mountTypeOf(folder, mountinfo))
    if (found !== undefined) {
      throw new Error(
        `${folder} is on a network file system (${found}), where SQLite can lose data. Use a local disk or PostgreSQL.`,
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
