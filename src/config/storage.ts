/** Where the data live and what seals the secrets among them. */
import { join } from 'node:path'
import { BadSetting, Secret, setting, wholeNumber } from './setting.ts'

function readDatabaseUrl(text: string | undefined): Secret | undefined {
  if (text === undefined) return undefined
  // A host list (`a,b`) is no URL in the eyes of `URL`, so only the scheme is checked here; the driver reads the rest.
  if (!/^postgres(ql)?:\/\/\S+$/.test(text))
    throw new BadSetting('must start with postgres:// (its value is not shown).')
  return new Secret(text)
}

const DAY_MS = 86_400_000
const readDays = wholeNumber(0, 36_500, 30)

export const storageSettings = {
  dataDir: setting({
    name: 'SIGNET_DATA_DIR',
    defaultText: '`./data`',
    meaning: 'Folder for the embedded database, the master key and the first token.',
    read: (text) => text ?? './data',
  }),
  databaseUrl: setting({
    name: 'SIGNET_DATABASE_URL',
    defaultText: 'unset = embedded SQLite',
    meaning: '`postgres://user:password@host/database`. List several hosts for failover.',
    isSecret: true,
    read: readDatabaseUrl,
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
  sessionRetentionMs: setting({
    name: 'SIGNET_SESSION_RETENTION',
    defaultText: '`30`',
    meaning:
      'Days that an ended or expired session stays in the event log before it is deleted. The deletion is recorded.',
    read: (text) => readDays(text) * DAY_MS,
  }),
} as const

/** The file of the embedded database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'signet.db')
}
