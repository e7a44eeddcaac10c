/** An instance that a source is moved into, by the command itself, and what is in it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeyless } from '../../src/app.ts'
import { openSnapshot } from '../../src/cli/transfer.ts'
import { Secret } from '../../src/config/index.ts'
import { MASTER_KEY_FILE, openMasterKeyFile } from '../../src/crypto/master-key.ts'
import { readImportMark } from '../../src/features/imports/index.ts'
import { findInstance } from '../../src/features/instances/index.ts'
import { firstStart } from '../../src/features/onboarding/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { systemClock } from '../../src/kernel/instant.ts'
import type { App } from '../../src/module/app.ts'
import { kinds } from '../../src/modules.ts'
import type { AnyKind, Store } from '../../src/store/index.ts'
import { newVerification, verify } from '../../src/store/transfer/index.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { type Running, startServerProcess } from '../../test/support/server-process.ts'

export type EngineName = 'sqlite' | 'postgres'

/** The kinds that are compared: what a source has many of. */
const COMPARED = [
  ...[
    'organization',
    'organization-metadata',
    'project',
    'project-role',
    'project-grant',
    'application',
    'application-key',
  ],
  ...['user', 'user-metadata', 'password', 'passkey', 'identity-link', 'machine-key', 'personal-access-token'],
  ...['membership', 'authorization', 'message-text'],
]
/** Members that say when something was written, or are encrypted anew each time. */
const UNSTABLE: ReadonlySet<string> = new Set(['addedAt', 'since', 'nameSince', 'generation', 'changedAt', 'avatar'])

/** What is in an instance, as texts by kind and ID. */
export type Contents = ReadonlyMap<string, string>

export interface Target {
  readonly engine: EngineName
  /** Starts the command, with these words after the address of the source. */
  start(words: readonly string[]): Promise<Running>
  /** Whether everything was read once. */
  isComplete(source: string): Promise<boolean>
  /** Without what was there before. */
  contents(): Promise<Contents>
  /** Runs something on the database while no command has it open. */
  use<Value>(act: (store: Store) => Promise<Value>): Promise<Value>
  /** How many problems `signet verify` finds. */
  problems(): Promise<number>
}

function stable(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([name]) => !UNSTABLE.has(name))
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function read(store: Store, kind: AnyKind): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = []
  for (const id of await store.findIds(kind, { all: [] } as never)) {
    const state = (await store.get(kind as never, id))?.state as { readonly status?: string } | undefined
    if (state !== undefined && state.status !== 'none')
      found.push([`${kind.name} ${id}`, JSON.stringify(state, stable)])
  }
  return found
}

/** A new instance with nothing but its first administrators. */
export async function openTarget(
  engine: EngineName,
  source: { readonly url: string; readonly masterKey: string },
  cleanUp: AsyncDisposableStack,
): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-moving-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  await openMasterKeyFile(dataDir)
  const database = engine === 'postgres' ? await freshDatabase() : undefined
  if (database) cleanUp.defer(() => database.drop())
  const place = { databaseUrl: database && new Secret(database.url), dataDir }
  const keyFile = join(folder, 'source.key')
  await writeFile(keyFile, source.masterKey)
  const use = async <Value>(act: (store: Store) => Promise<Value>): Promise<Value> => {
    const store = await openKeyless(place)
    return act(store).finally(() => store.close())
  }
  const all = () =>
    use(async (store) => {
      const found = new Map<string, string>()
      // Each target has an ID of its own.
      const own = (await findInstance(store))?.id ?? ''
      const neutral = (text: string) => (own === '' ? text : text.replaceAll(own, 'instance'))
      for (const kind of kinds.filter(({ name }) => COMPARED.includes(name))) {
        for (const [key, text] of await read(store, kind)) found.set(neutral(key), neutral(text))
      }
      return found
    })
  await use((store) => firstStart({ store, newId, clock: systemClock, dataDir, externalUrl: 'http://localhost:8080' }))
  const before = await all()
  return {
    engine,
    use,
    start: (words) =>
      startServerProcess(
        'sources',
        ['import', 'zitadel', source.url, '--master-key-file', keyFile, '--json', ...words],
        {
          SIGNET_DATA_DIR: dataDir,
          SIGNET_LOG_LEVEL: 'error',
          ...(database && {
            SIGNET_DATABASE_URL: database.url,
            SIGNET_MASTER_KEY_FILE: join(dataDir, MASTER_KEY_FILE),
          }),
        },
      ),
    isComplete: (id) => use(async (store) => (await readImportMark({ store } as App, id)).isComplete),
    async contents() {
      const found = await all()
      for (const key of before.keys()) found.delete(key)
      return found
    },
    async problems() {
      const snapshot = await openSnapshot(place)
      const found = newVerification()
      await verify(snapshot, kinds, found).finally(() => snapshot.close())
      return found.problems.length
    },
  }
}
