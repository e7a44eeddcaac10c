/** Ten million ids of four processes at once: no two are equal, and each process gives them out in ascending order. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase } from '../support/postgres.ts'

const CHILD = join(import.meta.dirname, 'ids-child.ts')
const PROCESSES = 4

interface Run {
  readonly engine: 'sqlite' | 'postgres'
  /** Of each process. */
  readonly count: number
  readonly care: 'leased' | 'careless'
}

async function start(args: readonly string[]): Promise<ChildProcess> {
  const child = fork(CHILD, args)
  await once(child, 'message')
  return child
}

/** The ids of every process, in the order in which it gave them out. */
async function giveOut(t: TestContext, { engine, count, care }: Run): Promise<readonly BigUint64Array[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-ids-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const database = engine === 'postgres' ? await freshDatabase() : undefined
  if (database !== undefined) afterwards(t, database.drop)
  const place = database?.url ?? join(folder, 'signet.db')
  const files = Array.from({ length: PROCESSES }, (_, index) => join(folder, `ids-${index}`))
  const children = await Promise.all(files.map((file) => start([engine, place, String(count), file, care])))
  const done = children.map((child) => once(child, 'exit'))
  for (const child of children) child.send('go')
  for (const [code] of await Promise.all(done)) assert.equal(code, 0)
  return Promise.all(
    files.map(async (file) => {
      const { buffer, byteOffset, byteLength } = await readFile(file)
      return new BigUint64Array(buffer.slice(byteOffset, byteOffset + byteLength))
    }),
  )
}

/** How many ids are there twice; throws when those of one process do not ascend. */
function countRepeated(lists: readonly BigUint64Array[]): number {
  for (const list of lists) {
    for (let at = 1; at < list.length; at++) {
      if ((list[at] ?? 0n) <= (list[at - 1] ?? 0n)) assert.fail(`${list[at]} after ${list[at - 1]}`)
    }
  }
  const all = new BigUint64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  all.sort()
  let repeated = 0
  for (let at = 1; at < all.length; at++) if (all[at] === all[at - 1]) repeated += 1
  return repeated
}

suite('ids of several processes', () => {
  test('SQLite: ten million ids on four processes are all different', async (t) => {
    const lists = await giveOut(t, { engine: 'sqlite', count: 2_500_000, care: 'leased' })
    assert.equal(
      lists.reduce((sum, { length }) => sum + length, 0),
      10_000_000,
    )
    assert.equal(countRepeated(lists), 0)
    for (const list of lists) assert.match(String(list[0]), /^\d{18}$/)
  })

  test('PostgreSQL: so are those of four nodes', { skip: !findPostgres() }, async (t) => {
    assert.equal(countRepeated(await giveOut(t, { engine: 'postgres', count: 250_000, care: 'leased' })), 0)
  })

  test('control: processes that choose the same number repeat ids, and this test sees it', async (t) => {
    const lists = await giveOut(t, { engine: 'sqlite', count: 250_000, care: 'careless' })
    assert.ok(countRepeated(lists) > 0)
  })
})
