/** Finding one user by name, and searching inside names, among few and among a million: what growth costs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { users } from '../src/features/users/index.ts'
import { newId } from '../src/kernel/id.ts'
import { systemClock } from '../src/kernel/instant.ts'
import type { Engine } from '../src/store/engine.ts'
import { openStore, type Store } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { openSqlite } from '../src/store/sqlite/index.ts'
import { median } from './load.ts'
import type { Row } from './table.ts'

const FEW = 1_000
const MANY = 1_000_000
const OWNER = newId()
function nameOf(number: number): string {
  return `worker-${number.toString(36)}-${(number * 7919) % 1_000_003}`
}

async function fill(store: Store, from: number, to: number): Promise<void> {
  let next = from
  const add = async () => {
    while (next < to) {
      const userName = nameOf(next++)
      const command = {
        type: 'add_machine',
        userName,
        name: `Worker ${userName}`,
        description: '',
        accessTokenType: 'bearer',
      } as const
      await store.write({ actor: 'bench', at: systemClock() }, (work) => work.decide(users, newId(), command, OWNER))
    }
  }
  await Promise.all(Array.from({ length: 512 }, add))
}

/** Median milliseconds of looking for `among` users by name, one after the other. */
async function timeToFind(store: Store, among: number, rounds: number, inside: boolean): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const userName = nameOf(Math.floor(Math.random() * among))
    const field = 'userName'
    const began = performance.now()
    const { documents } = await store.find(users, {
      where: inside ? { field, contains: userName.slice(2, -1) } : { field, equals: userName },
      limit: 100,
    })
    times.push(performance.now() - began)
    if (!documents.some(({ state }) => state.status === 'active' && state.userName === userName))
      throw new Error(`${userName} was not found`)
  }
  return median(times)
}

async function benchEngine(name: string, engine: Engine): Promise<Row[]> {
  const store = await openStore(engine, [users])
  await fill(store, 0, FEW)
  await timeToFind(store, FEW, 300, false)
  const few = await timeToFind(store, FEW, 500, false)
  const fewInside = await timeToFind(store, FEW, 50, true)
  await fill(store, FEW, MANY)
  await timeToFind(store, MANY, 300, false)
  const many = await timeToFind(store, MANY, 500, false)
  const manyInside = await timeToFind(store, MANY, 10, true)
  await store.close()
  const milliseconds = (time: number) => `${time.toFixed(3)} ms`
  const thousand = `${name}, among ${FEW.toLocaleString('en-US')}`
  const million = `${name}, among ${MANY.toLocaleString('en-US')}`
  return [
    { what: `user by name, ${thousand}`, figure: milliseconds(few) },
    {
      what: `user by name, ${million}`,
      figure: milliseconds(many),
      ratio: many / few,
      of: 'among 1,000',
      aim: '≤ 200 %',
    },
    { what: `part of a name, ${thousand}`, figure: milliseconds(fewInside) },
    {
      what: `part of a name, ${million}`,
      figure: milliseconds(manyInside),
      ratio: manyInside / fewInside,
      of: 'among 1,000',
    },
  ]
}

export async function benchList(databaseUrl: string | undefined): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const rows = await benchEngine('SQLite', await openSqlite({ file: join(folder, 'signet.db') }))
  await rm(folder, { recursive: true })
  if (databaseUrl) rows.push(...(await benchEngine('PostgreSQL', await openPostgres({ url: databaseUrl }))))
  return rows
}
