/** Where the data live and what seals the secrets among them. */
import { readFileSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BadSetting, Secret, setting, wholeNumber } from './setting.ts'

function readDatabaseUrl(text: string | undefined): Secret | undefined {
  if (text === undefined) return undefined
  // A host list (`a,b`) is no URL in the eyes of `URL`, so only the scheme is checked here; the driver reads the rest.
  if (!/^postgres(ql)?:\/\/\S+$/.test(text))
    throw new BadSetting('must start with postgres:// (its value is not shown).')
  return new Secret(text)
}

/** Files are where container platforms put secrets; their images have no shell that could read them. */
function readDatabaseUrlFile(file: string | undefined): Secret | undefined {
  if (file === undefined) return undefined
  try {
    return readDatabaseUrl(readFileSync(file, 'utf8').trim())
  } catch (error) {
    if (error instanceof BadSetting)
      throw new BadSetting('names a file whose text must start with postgres:// (it is not shown).')
    throw new BadSetting(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** File systems of the Linux kernel that keep no files, by their magic numbers (statfs(2)). */
const PSEUDO_FILE_SYSTEMS = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x1cd1, // devpts
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x6165676c, // pstore
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x19800202, // mqueue
])

/** The file system of a folder that may not exist yet: that of the nearest one above it which does. */
function fileSystemOf(folder: string): number | undefined {
  try {
    return statfsSync(folder).type
  } catch {
    const above = dirname(folder)
    return above === folder ? undefined : fileSystemOf(above)
  }
}

function readDataDir(text = './data'): string {
  const folder = resolve(text)
  // Device nodes are on a file system that looks like any in memory; only /dev/shm is meant for files.
  const isDevice = /^\/dev(\/|$)/.test(folder) && !/^\/dev\/shm(\/|$)/.test(folder)
  const isPseudo =
    process.platform === 'linux' && (isDevice || PSEUDO_FILE_SYSTEMS.has((fileSystemOf(folder) ?? 0) >>> 0))
  if (isPseudo)
    throw new BadSetting(`must be a folder on a disk; ${folder} is on a pseudo file system, which keeps no files.`)
  return text
}

function readBackupKey(text: string | undefined): Secret | undefined {
  if (text === undefined) return undefined
  if (Buffer.from(text, 'base64').length !== 32)
    throw new BadSetting('must be 32 bytes as base64 (its value is not shown).')
  return new Secret(text)
}

const DAY_MS = 86_400_000
const readDays = wholeNumber(0, 36_500, 30)
const readRotationDays = wholeNumber(0, 3_650, 90)
const readAddressDays = wholeNumber(0, 90, 30)

export const storageSettings = {
  dataDir: setting({
    name: 'SIGNET_DATA_DIR',
    defaultText: '`./data`',
    meaning: 'Folder for the embedded database, the master key and the first token.',
    read: readDataDir,
  }),
  databaseUrl: setting({
    name: 'SIGNET_DATABASE_URL',
    defaultText: 'unset = embedded SQLite',
    meaning:
      '`postgres://user:password@host/database`. List several hosts for failover. Behind PgBouncer in transaction mode, add `?pool_mode=transaction`.',
    isSecret: true,
    read: readDatabaseUrl,
  }),
  databaseUrlFile: setting({
    name: 'SIGNET_DATABASE_URL_FILE',
    defaultText: 'unset',
    meaning: 'File that contains the URL of the database. Cannot be combined with `SIGNET_DATABASE_URL`.',
    read: readDatabaseUrlFile,
  }),
  masterKey: setting({
    name: 'SIGNET_MASTER_KEY',
    defaultText: 'created in the data folder (mode 0600) for SQLite; required for PostgreSQL',
    meaning: 'Key that encrypts secrets at rest. Prefer `SIGNET_MASTER_KEY_FILE`.',
    isSecret: true,
    read: (text) => (text === undefined ? undefined : new Secret(text)),
  }),
  masterKeyFile: setting({
    name: 'SIGNET_MASTER_KEY_FILE',
    defaultText: 'unset',
    meaning: 'File that contains the master key. Cannot be combined with `SIGNET_MASTER_KEY`.',
    read: (text) => text,
  }),
  backupKey: setting({
    name: 'SIGNET_BACKUP_KEY',
    defaultText: 'unset = backups are not encrypted',
    meaning:
      'Key that encrypts backups: 32 random bytes as base64, from `openssl rand -base64 32`. With a key, `signet restore` refuses a file that is not encrypted.',
    isSecret: true,
    read: readBackupKey,
  }),
  sessionRetentionMs: setting({
    name: 'SIGNET_SESSION_RETENTION',
    defaultText: '`30`',
    meaning:
      'Days that an ended or expired session stays in the event log before it is deleted. The deletion is recorded.',
    read: (text) => readDays(text) * DAY_MS,
  }),
  addressRetentionMs: setting({
    name: 'SIGNET_ADDRESS_RETENTION',
    defaultText: '`30`',
    meaning:
      'Days that the IP address and the browser of a sign-in are kept, at most 90, which is how long the sign-in is kept. The deletion is recorded. `0` keeps none.',
    read: (text) => readAddressDays(text) * DAY_MS,
  }),
  webKeyRotationMs: setting({
    name: 'SIGNET_WEB_KEY_ROTATION',
    defaultText: '`90`',
    meaning:
      'Days after which the key that signs tokens is replaced. The old key stays published until its tokens have expired. `0` turns the rotation off.',
    read: (text) => readRotationDays(text) * DAY_MS,
  }),
} as const

/** The file of the embedded database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'signet.db')
}
