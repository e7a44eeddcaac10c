/** Nodes with versions of the boxes on one PostgreSQL, for the tests of upgrades. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { type AnyKind, openStore, type Store } from '../../src/store/index.ts'
import { openPostgres, type PostgresOptions } from '../../src/store/postgres/index.ts'
import { openPostgresSnapshot } from '../../src/store/postgres/transfer.ts'
import { newVerification, verify } from '../../src/store/transfer/index.ts'
import { afterwards } from './afterwards.ts'
import { countedBoxes } from './box-versions.ts'
import { freshDatabase } from './postgres.ts'
import { boxes, by, crates } from './sample-kind.ts'

export type Boxes = typeof boxes | typeof countedBoxes

export interface Database {
  readonly url: string
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** A node with this version of the boxes. */
  open(of: AnyKind, options?: Partial<PostgresOptions>): Promise<Store>
}

export async function openDatabase(t: TestContext): Promise<Database> {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  const { url } = database
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  afterwards(t, () => client.end())
  return {
    url,
    query: async (sql) => (await client.query(sql)).rows,
    async open(of, options = {}) {
      const engine = await openPostgres({ url, poolSize: 3, ...options })
      afterwards(t, () => engine.close())
      return openStore(engine, [of, crates], options.observer)
    },
  }
}

export function pack(
  store: Store,
  of: Boxes,
  id: string,
  label: string,
  more: { weight?: number; note?: string } = {},
) {
  return store.write(by('ann'), (work) => work.decide(of, id, { type: 'pack', label, ...more }, 'org-1'))
}

export function relabel(store: Store, of: Boxes, id: string, label: string) {
  return store.write(by('ann'), (work) => work.decide(of, id, { type: 'label', label }))
}

export function remove(store: Store, of: Boxes, id: string, record: string) {
  return store.write(by('ann'), async (work) => {
    await work.removeStream(of, id)
    await work.decide(crates, record, { type: 'pack', label: record }, 'org-1')
  })
}

export async function labelOf(store: Store, of: Boxes, id: string) {
  return (await store.get(of, id))?.state.label
}

export async function listed(store: Store, of: Boxes) {
  const { documents, total } = await store.find(of, { orderBy: 'id', limit: 100 })
  assert.equal(total, documents.length)
  return documents.map(({ id, state }) => `${id}: ${state.label}`)
}

/** One node of each version; the documents of the second are built beside those of the first. */
export async function openBoth(t: TestContext, options: Partial<PostgresOptions> = {}) {
  const database = await openDatabase(t)
  const old = await database.open(boxes, options)
  await pack(old, boxes, 'first', 'a')
  const next = await database.open(countedBoxes, options)
  return { database, old, next }
}

/** The database says about itself that every document of every version is what its fold gives. */
export async function assertSound({ url }: Database, of: AnyKind): Promise<void> {
  const snapshot = await openPostgresSnapshot(url)
  const found = newVerification()
  await verify(snapshot, [of, crates], found).finally(() => snapshot.close())
  assert.deepEqual(found.problems, [])
}
