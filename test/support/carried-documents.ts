/** The documents of a database as an export carries them, and empty databases to import one into. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReading, type Reading } from '../../src/cli/export/reading.ts'
import { runMove } from '../../src/cli/import/move.ts'
import type { MoveSummary } from '../../src/cli/import/report.ts'
import { openSignet } from '../../src/cli/import/signet/source.ts'
import { withTarget } from '../../src/cli/import/target.ts'
import { loadApp } from '../../src/cli/load-app.ts'
import { withApp } from '../../src/cli/maintain.ts'
import { openSnapshot } from '../../src/cli/transfer.ts'
import { type Config, readConfig } from '../../src/config/index.ts'
import type { App } from '../../src/module/app.ts'
import { declaredKinds, type kinds } from '../../src/modules.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'

export const URL_OF_ALL = 'http://localhost:8080'
export const PASSPHRASE = 'correct horse battery staple'

/** Members that are not carried, because nothing depends on them in a new database. */
const NOT_CARRIED: Readonly<Record<string, readonly string[]>> = {
  // Counts passwords, to end sessions and codes from before a change: there are none.
  password: ['generation'],
  // The token that proves an unverified domain: it is asked for again.
  organization: ['domains.*.validation'],
  // Count codes that were sent.
  'one-time-codes': ['otp.*.issue', 'otp.*.isOpen', 'otp.*.issuedAt'],
  // Links to accounts from before are left behind, so that counting begins anew.
  'identity-provider': ['accountsVersion'],
  'identity-link': ['accountsVersion'],
  // Places in the log, which is another one, and the last change of a list of targets.
  executions: ['list.*.since', 'list.*.changedAt'],
  // How often a registration was changed.
  'registered-client': ['changes'],
}

function without(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || first === undefined) return value
  if (Array.isArray(value)) return value.map((one) => without(one, first === '*' ? rest : [first, ...rest]))
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (first !== '*' && name !== first) return [[name, inner]]
    return rest.length === 0 ? [] : [[name, without(inner, rest)]]
  })
  return Object.fromEntries(entries)
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** The state with digests in the place of sealed values, which are sealed anew, and without what is not carried. */
function comparable(reading: Reading, kind: (typeof kinds)[number], row: { id: string; state: object }): unknown {
  let text = JSON.stringify(row.state)
  for (const { member, text: sealed } of kind.sealed?.(row.state) ?? []) {
    const plain = reading.unseal(kind, row as never, member) ?? ''
    text = text.replaceAll(JSON.stringify(sealed), JSON.stringify(`unsealed ${digestOf(plain)}`))
  }
  const members = NOT_CARRIED[kind.name] ?? []
  return members.reduce((state, path) => without(state, path.split('.')), JSON.parse(text) as unknown)
}

const NOTHING: readonly unknown[] = ['none', 'unknown', 'removed']

/** Every living document of every kind that is carried, by kind and ID. */
export type CarriedDocuments = ReadonlyMap<string, ReadonlyMap<string, unknown>>

export async function carriedDocuments(config: Config, instanceId: string): Promise<CarriedDocuments> {
  const { masterKeysOf } = await loadApp()
  const snapshot = await openSnapshot(config)
  try {
    const reading = await openReading(snapshot, instanceId, await masterKeysOf(config)())
    const found = new Map<string, Map<string, unknown>>()
    for (const { kind, carried } of declaredKinds) {
      if ('stays' in carried) continue
      const documents = new Map<string, unknown>()
      for await (const row of reading.rows(kind)) {
        const state = row.state as { readonly status?: unknown }
        if (NOTHING.includes(state.status)) continue
        const { owner, createdAt, changedAt } = row
        documents.set(row.id, { owner, createdAt, changedAt, state: comparable(reading, kind, { id: row.id, state }) })
      }
      found.set(kind.name, documents)
    }
    return found
  } finally {
    await snapshot.close()
  }
}

/** Where empty databases are created, and removed at the end. */
export class EmptyPlaces {
  readonly folder: string
  readonly #databases: FreshDatabase[] = []

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<EmptyPlaces> {
    return new EmptyPlaces(await mkdtemp(join(tmpdir(), 'signet-round-trip-')))
  }

  /** The settings of an empty database with a key of its own. */
  async next(engine: string): Promise<Config> {
    const dataDir = await mkdtemp(join(this.folder, `${engine}-`))
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    if (database !== undefined) this.#databases.push(database)
    const { config, problems } = readConfig({
      SIGNET_DATA_DIR: dataDir,
      SIGNET_EXTERNAL_URL: URL_OF_ALL,
      SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
      ...(database && { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }),
    })
    assert.ok(config, problems.join())
    return config
  }

  async close(): Promise<void> {
    for (const database of this.#databases) await database.drop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Lets an empty database become the instance of an export. */
export async function importInto(config: Config, from: string, isDryRun = false): Promise<MoveSummary> {
  const opened = await openSignet(from, async () => PASSPHRASE, { merges: false, mustBeSealed: false })
  const restored = opened.instance && { source: opened.name, instance: opened.instance }
  const run = (app: App) => runMove(app, opened, { isQuiet: true, isDryRun })
  // The command locks the folder for as long as its process lives.
  return isDryRun ? withTarget(config, URL_OF_ALL, true, run, restored) : withApp(config, URL_OF_ALL, run, restored)
}
