/** The databases that storage tests run on: `for (const { name, open } of engines) suite(name, …)`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/store/engine.ts'
import { type AnyKind, openStore, type Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { findPostgres, freshDatabase, serverVariable } from './postgres.ts'

/** An empty database of one test. */
export interface TestDatabase {
  readonly engine: Engine
  /** Another engine on the same data, as another process would open it. It is closed by `dispose`. */
  reopen(): Promise<Engine>
  dispose(): Promise<void>
}

export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  open(): Promise<TestDatabase>
}

async function openDatabase(open: () => Promise<Engine>, remove: () => Promise<void>): Promise<TestDatabase> {
  const engines: Engine[] = []
  const reopen = async (): Promise<Engine> => {
    const engine = await open()
    engines.push(engine)
    return engine
  }
  const engine = await reopen()
  return {
    engine,
    reopen,
    async dispose() {
      await Promise.allSettled(engines.map((opened) => opened.close()))
      await remove()
    },
  }
}

const sqlite: TestEngine = {
  name: 'sqlite',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'signet-store-'))
    return openDatabase(
      () => openSqlite({ file: join(folder, 'signet.db') }),
      () => rm(folder, { recursive: true, force: true }),
    )
  },
}

const postgres: TestEngine = {
  name: 'postgres',
  async open() {
    const database = await freshDatabase()
    if (database === undefined) throw new Error('PostgreSQL was there a moment ago')
    return openDatabase(
      () => openPostgres({ url: database.url }),
      () => database.drop(),
    )
  },
}

const given = process.env[serverVariable]
const hasPostgres = given ? given !== 'none' : findPostgres() !== undefined

/** SQLite always, PostgreSQL where there is one. */
export const engines: readonly TestEngine[] = hasPostgres ? [sqlite, postgres] : [sqlite]

/** A separate store for one test of a module. */
export interface TestStore {
  readonly store: Store
  /** Another node on the same data. */
  another(): Promise<Store>
  /** Another bare engine on the same data. */
  engine(): Promise<Engine>
  dispose(): Promise<void>
}

/** Opens an empty store with these kinds, on the embedded database by default. */
export async function openTestStore(kinds: readonly AnyKind[], engine: TestEngine = sqlite): Promise<TestStore> {
  const database = await engine.open()
  const stores: Store[] = []
  const openOn = async (on: Engine): Promise<Store> => {
    const store = await openStore(on, kinds)
    stores.push(store)
    return store
  }
  return {
    store: await openOn(database.engine),
    another: async () => openOn(await database.reopen()),
    engine: () => database.reopen(),
    async dispose() {
      await Promise.allSettled(stores.map((store) => store.close()))
      await database.dispose()
    },
  }
}
