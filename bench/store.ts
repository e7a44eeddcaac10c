/** Commits through `store`: a machine user each (event, document, indexes, claim), at growing concurrency. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { users } from '../src/features/users/index.ts'
import { newId } from '../src/kernel/id.ts'
import { systemClock } from '../src/kernel/instant.ts'
import type { Engine } from '../src/store/engine.ts'
import { openStore } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { openSqlite } from '../src/store/sqlite/index.ts'
import { perSecond, type Row } from './table.ts'

/** As with operation 6, what V8 compiles meanwhile is not what is measured: `warmUp` commits go before. */
interface Level {
  readonly concurrency: number
  readonly commits: number
  readonly warmUp: number
}

const LEVELS: readonly Level[] = [
  { concurrency: 1, commits: 2_000, warmUp: 500 },
  { concurrency: 64, commits: 30_000, warmUp: 30_000 },
  { concurrency: 512, commits: 30_000, warmUp: 30_000 },
]
const AIMS: Readonly<Record<string, string>> = { SQLite: '20 000/s', PostgreSQL: '4 000/s' }

const OWNER = newId()

/** Commits per second through the store with so many writers at once. */
async function commitRate(engine: Engine, { concurrency, commits, warmUp }: Level): Promise<number> {
  const store = await openStore(engine, [users])
  const addOne = (count: number) =>
    store.write({ actor: 'bench', at: systemClock() }, (work) =>
      work.decide(
        users,
        newId(),
        {
          type: 'add_machine',
          userName: `robot-${concurrency}-${count}-${newId()}`,
          name: 'Robot of the warehouse',
          description: 'Moves boxes from the gate to the shelf and back again.',
          accessTokenType: 'bearer',
        },
        OWNER,
      ),
    )
  let next = 0
  const addUntil = async (end: number) => {
    const writer = async () => {
      while (next < end) await addOne(next++)
    }
    await Promise.all(Array.from({ length: concurrency }, writer))
  }
  await addUntil(warmUp)
  const began = performance.now()
  await addUntil(warmUp + commits)
  return commits / ((performance.now() - began) / 1000)
}

/** What SQLite itself does with the same rows in batches of 50, with no checks, no threads and no decisions. */
function bareRate(folder: string): number {
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec(`
    pragma journal_mode = wal; pragma synchronous = full;
    create table events (sequence integer primary key, id text, revision integer, type text, data text, unique (id, revision));
    create table documents (id text primary key, state text) without rowid;
    create table claims (value text primary key, id text) without rowid;`)
  for (const member of ['userName', 'name', 'owner', 'status', 'type', 'createdAt'])
    database.exec(`create index documents_${member} on documents (state->>'${member}')`)
  const event = database.prepare('insert into events (id, revision, type, data) values (?, 1, ?, ?)')
  const document = database.prepare('insert into documents values (?, ?)')
  const claim = database.prepare('insert into claims values (?, ?)')
  const total = 30_000
  const began = performance.now()
  for (let count = 0; count < total; count++) {
    if (count % 50 === 0) database.exec('begin')
    const id = newId()
    const state = JSON.stringify({
      userName: `robot-${count}-${id}`,
      name: 'Robot of the warehouse',
      description: 'Moves boxes from the gate to the shelf and back again.',
      owner: OWNER,
      status: 'active',
      type: 'machine',
      createdAt: count,
    })
    event.run(id, 'user.machine_added.v1', state)
    document.run(id, state)
    claim.run(`robot-${count}-${id}`, id)
    if (count % 50 === 49) database.exec('commit')
  }
  const rate = total / ((performance.now() - began) / 1000)
  database.close()
  return rate
}

export async function benchStore(databaseUrl: string | undefined): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const bare = bareRate(folder)
  const rows: Row[] = [{ what: 'user rows, bare SQLite in batches of 50', figure: perSecond(bare) }]
  const levels = async (engine: string, open: () => Promise<Engine>) => {
    const opened = await open()
    // PostgreSQL takes longer; a third of it tells as much.
    const share = engine === 'SQLite' ? 1 : 1 / 3
    for (const { concurrency, commits, warmUp } of LEVELS) {
      const level = { concurrency, commits: Math.ceil(commits * share), warmUp: Math.ceil(warmUp * share) }
      const rate = await commitRate(opened, level)
      rows.push({
        what: `store commits, ${engine}, ${concurrency} at once`,
        figure: perSecond(rate),
        ratio: rate / bare,
        of: 'bare SQLite',
        ...(concurrency === 64 ? { aim: AIMS[engine] as string } : {}),
      })
    }
    await opened.close()
  }
  await levels('SQLite', () => openSqlite({ file: join(folder, 'signet.db') }))
  if (databaseUrl) await levels('PostgreSQL', () => openPostgres({ url: databaseUrl }))
  await rm(folder, { recursive: true })
  return rows
}
