/**
 * Commits through `store`: a machine user each (event, document, indexes, claim), at growing concurrency. Both engines and
 * bare SQLite take turns.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { users } from '../src/features/users/index.ts'
import { newId } from '../src/kernel/id.ts'
import { systemClock } from '../src/kernel/instant.ts'
import type { Engine } from '../src/store/engine.ts'
import { openStore, type Store } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { openSqlite } from '../src/store/sqlite/index.ts'
import { alternate } from './rounds.ts'
import { median, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

/** How many commits a round has. PostgreSQL takes longer; a third of it tells as much. */
interface Level {
  readonly concurrency: number
  readonly commits: number
}

const LEVELS: readonly Level[] = [
  { concurrency: 1, commits: 600 },
  { concurrency: 64, commits: 9_000 },
  { concurrency: 512, commits: 9_000 },
]
const ROUNDS = 5
const BARE_COMMITS = 15_000
const AIMS: Readonly<Record<string, string>> = { SQLite: '20 000/s', PostgreSQL: '4 000/s' }

const OWNER = newId()

/** Commits per second through the store with this many writers at once. */
async function commitRate(store: Store, { concurrency, commits }: Level): Promise<number> {
  let left = commits
  const write = async () => {
    while (left-- > 0) {
      const command = {
        type: 'add_machine',
        userName: `robot-${newId()}`,
        name: 'Robot of the warehouse',
        description: 'Moves boxes from the gate to the shelf and back again.',
        accessTokenType: 'bearer',
      } as const
      await store.write({ actor: { user: 'bench' }, at: systemClock() }, (work) =>
        work.decide(users, newId(), command, OWNER),
      )
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: concurrency }, write))
  return commits / ((performance.now() - began) / 1000)
}

/** What SQLite itself does with the same rows in batches of 50, with no checks, no threads and no decisions. */
function bareRate(file: string): number {
  const database = new DatabaseSync(file)
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
  const total = BARE_COMMITS
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
  const engines: Record<string, Engine> = { SQLite: await openSqlite({ file: join(folder, 'signet.db') }) }
  if (databaseUrl) engines.PostgreSQL = await openPostgres({ url: databaseUrl })
  const contenders: Record<string, (round: number) => Promise<number>> = {
    bare: async (round) => bareRate(join(folder, `bare-${round}.db`)),
  }
  const rows: { readonly name: string; readonly engine: string; readonly concurrency: number }[] = []
  for (const [engine, opened] of Object.entries(engines)) {
    const store = await openStore(opened, [users])
    const share = engine === 'SQLite' ? 1 : 1 / 3
    for (const { concurrency, commits } of LEVELS) {
      const name = `${engine} ${concurrency}`
      contenders[name] = () => commitRate(store, { concurrency, commits: Math.ceil(commits * share) })
      rows.push({ name, engine, concurrency })
    }
    // What V8 compiles meanwhile is not what is measured.
    await commitRate(store, { concurrency: 64, commits: 30_000 * share })
  }
  const { bare = [], ...rates } = await alternate(contenders, ROUNDS)
  for (const engine of Object.values(engines)) await engine.close()
  await rm(folder, { recursive: true })
  const figureOf = (samples: readonly number[]) => ({ figure: perSecond(median(samples)), spread: spread(samples) })
  return [
    { what: 'user rows, bare SQLite in batches of 50', ...figureOf(bare), isBare: true },
    ...rows.map(({ name, engine, concurrency }): Row => {
      const samples = rates[name] ?? []
      return {
        what: `store commits, ${engine}, ${concurrency} at once`,
        ...figureOf(samples),
        ratio: median(samples.map((rate, round) => rate / (bare[round] ?? Number.NaN))),
        of: 'bare SQLite',
        ...(concurrency === 64 ? { aim: AIMS[engine] as string } : {}),
      }
    }),
  ]
}
