/**
 * The databases that tests run on. A test of a module runs on those of the process, `for (const engine of engines)`: one
 * of them in `npm test`, both in `npm run test:all`. A test about storage, lists, jobs or races always runs on both,
 * `for (const engine of bothEngines)`.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/store/engine.ts'
import { type AnyKind, openStore, type Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { openingOn } from './opening.ts'
import {
  engineVariable,
  type FreshDatabase,
  findPostgres,
  freshDatabase,
  hasTemplates,
  serverVariable,
} from './postgres.ts'
import { templateFolder } from './templates.ts'

/** A database of one test. */
export interface TestDatabase {
  readonly engine: Engine
  /** The files that were made with its contents. */
  readonly files: string | undefined
  /** Another engine on the same data, as another process would open it. It is closed by `dispose`. */
  reopen(): Promise<Engine>
  dispose(): Promise<void>
}

/** What a database contains before the test: it is made once in a run, and copied. */
export interface Contents {
  /** Contents with the same key are the same. */
  readonly key: string
  /** Fills an empty database, and leaves other files in a folder. */
  make(engine: Engine, folder: string): Promise<void>
}

export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  /** Opens a new database: an empty one, or one with these contents. */
  open(contents?: Contents): Promise<TestDatabase>
}

async function openDatabase(
  open: () => Promise<Engine>,
  files: string | undefined,
  remove: () => Promise<void>,
): Promise<TestDatabase> {
  const engines: Engine[] = []
  const reopen = async (): Promise<Engine> => {
    const engine = await open()
    engines.push(engine)
    return engine
  }
  const engine = await reopen()
  return {
    engine,
    files,
    reopen,
    async dispose() {
      await Promise.allSettled(engines.map((opened) => opened.close()))
      await remove()
    },
  }
}

async function filesOf(template: string): Promise<string> {
  const folder = join(template, 'files')
  await mkdir(folder, { recursive: true })
  return folder
}

const FILE = 'signet.db'

function sqliteTemplate({ key, make }: Contents): Promise<string> {
  return templateFolder(`sqlite-${key}`, async (folder) => {
    const engine = await openSqlite({ file: join(folder, FILE) })
    await make(engine, await filesOf(folder))
    await engine.close()
  })
}

const sqlite: TestEngine = {
  name: 'sqlite',
  async open(contents) {
    const folder = await mkdtemp(join(tmpdir(), 'signet-store-'))
    const file = join(folder, FILE)
    const template = contents && (await sqliteTemplate(contents))
    if (template !== undefined) await copyFile(join(template, FILE), file)
    return openDatabase(
      () => openSqlite({ file }),
      template && (await filesOf(template)),
      () => rm(folder, { recursive: true, force: true }),
    )
  },
}

async function newDatabase(template?: string): Promise<FreshDatabase> {
  const database = await freshDatabase(template)
  if (database === undefined) throw new Error('PostgreSQL was there a moment ago')
  return database
}

const NAME = 'database'

function postgresTemplate({ key, make }: Contents): Promise<string> {
  return templateFolder(`postgres-${key}`, async (folder) => {
    const { name, url } = await newDatabase()
    const engine = await openPostgres({ url })
    await make(engine, await filesOf(folder))
    await engine.close()
    await writeFile(join(folder, NAME), name)
  })
}

/** A schema cannot be copied: its contents are made each time. */
async function openSchema(contents: Contents | undefined): Promise<TestDatabase> {
  const { url, drop } = await newDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'signet-schema-'))
  if (contents !== undefined) {
    const engine = await openPostgres({ url })
    await contents.make(engine, await filesOf(folder))
    await engine.close()
  }
  return openDatabase(
    () => openPostgres({ url }),
    await filesOf(folder),
    async () => {
      await drop()
      await rm(folder, { recursive: true, force: true })
    },
  )
}

const postgres: TestEngine = {
  name: 'postgres',
  async open(contents) {
    if (!hasTemplates) return openSchema(contents)
    const template = contents && (await postgresTemplate(contents))
    const database = await newDatabase(template && (await readFile(join(template, NAME), 'utf8')))
    return openDatabase(
      () => openPostgres({ url: database.url }),
      template && (await filesOf(template)),
      () => database.drop(),
    )
  },
}

const given = process.env[serverVariable]
const hasPostgres = given ? given !== 'none' : findPostgres() !== undefined

/** SQLite always, PostgreSQL where there is one. */
export const bothEngines: readonly TestEngine[] = hasPostgres ? [sqlite, postgres] : [sqlite]

const chosen = process.env[engineVariable]

/** The engines of this process. */
export const engines: readonly TestEngine[] = chosen ? bothEngines.filter(({ name }) => name === chosen) : bothEngines

/** A separate store for one test of a module. */
export interface TestStore {
  readonly store: Store
  /** The files that were made with its contents. */
  readonly files: string | undefined
  /** Another node on the same data. */
  another(): Promise<Store>
  /** Another bare engine on the same data. */
  engine(): Promise<Engine>
  dispose(): Promise<void>
}

/** The tables and indexes of these kinds, without any events. */
export function noEvents(kinds: readonly AnyKind[]): Contents {
  const shapes = kinds.map(({ name, version, fields }) => ({ name, version, fields }))
  return {
    key: createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 16),
    async make(engine) {
      await openStore(engine, kinds)
    },
  }
}

/** Opens a store with these kinds, empty and on the embedded database by default. */
export async function openTestStore(
  kinds: readonly AnyKind[],
  engine: TestEngine = sqlite,
  contents: Contents = noEvents(kinds),
): Promise<TestStore> {
  return openingOn(engine.open(contents), async (database) => openStoreOf(kinds, database))
}

async function openStoreOf(kinds: readonly AnyKind[], database: TestDatabase): Promise<TestStore> {
  const stores: Store[] = []
  const openOn = async (on: Engine): Promise<Store> => {
    const store = await openStore(on, kinds)
    stores.push(store)
    return store
  }
  return {
    store: await openOn(database.engine),
    files: database.files,
    another: async () => openOn(await database.reopen()),
    engine: () => database.reopen(),
    async dispose() {
      await Promise.allSettled(stores.map((store) => store.close()))
      await database.dispose()
    },
  }
}
