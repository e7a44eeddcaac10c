import assert from 'node:assert/strict'
import { on } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { findByModel } from '../../../test/support/filter-model.ts'
import { boxContents, packBoxes, queries } from '../../../test/support/filter-queries.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import { type Filter, openSqlite, openStore, type Query, type Store } from '../index.ts'
import { sqliteDialect } from '../query/dialect.ts'
import { type CompiledQuery, compileQuery } from '../query/index.ts'
import { statementsOn } from './connection.ts'
import { type All, type Found, type Statements, searchAll, searchCheap, valuesStatement } from './search.ts'

const MANY = 2_500
function inside(contains: string) {
  return { where: { field: 'label', contains }, limit: 10 } as const
}
function overloaded(error: unknown) {
  return error instanceof Refused && error.code === 'store.overloaded'
}
function unavailable(error: unknown) {
  return error instanceof Refused && error.code === 'store.unavailable'
}
function pack(store: Store, id: string, label: string) {
  return store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label }, `org-${label.at(-1)}`))
}

/** A file with enough boxes that reading all of them is slow; tests add their own. */
suite('searching many documents in SQLite', () => {
  let folder: string
  let file: string
  const open = async () => openStore(await openSqlite({ file }), [boxes, crates])
  const connect = (path: string): { database: DatabaseSync } & Statements => {
    const database = new DatabaseSync(path, { readOnly: true })
    return { database, ...statementsOn(database) }
  }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-scan-'))
    file = join(folder, 'signet.db')
    const store = await open()
    await Promise.all(Array.from({ length: MANY }, (_, number) => pack(store, `box-${number}`, `label-${number}`)))
    await store.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('reads on the main thread are answered while a scan runs', async () => {
    const store = await open()
    let isFound = false
    const scan = store.find(boxes, inside('abel-24')).then((page) => {
      isFound = true
      return page
    })
    for (let number = 0; number < 100; number++) {
      assert.equal((await store.get(boxes, `box-${number}`))?.state.label, `label-${number}`)
      const page = await store.find(boxes, { where: { field: 'label', equals: `label-${number}` }, limit: 1 })
      assert.equal(page.total, 1)
    }
    // Nothing above waited for a message from another thread, so that none can have arrived.
    assert.equal(isFound, false)
    assert.equal((await scan).total, 111)
    await store.close()
  })

  test('a scan sees the write acknowledged just before, and returns the last sequence', async () => {
    const store = await open()
    for (let number = 0; number < 10; number++) {
      const before = store.find(boxes, inside('fresh'))
      const { sequence } = await pack(store, `fresh-${number}`, `a fresh one ${number}`)
      const page = await store.find(boxes, inside('fresh'))
      assert.equal(page.total, number + 1)
      assert.equal(page.sequence, sequence)
      assert.equal(page.documents.length, page.total)
      assert.ok((await before).total >= number)
    }
    await store.close()
  })

  test('a store that is closed answers the scan that runs and refuses those that wait', async () => {
    const store = await open()
    const scans = Promise.allSettled([1, 2, 3].map(() => store.find(boxes, inside('abel-24'))))
    await store.close()
    const [first, ...others] = await scans
    assert.equal(first?.status === 'fulfilled' && first.value.total, 111)
    for (const other of others) assert.ok(other.status === 'rejected' && unavailable(other.reason))
  })

  test('more scans than can wait are refused for a moment', async () => {
    const store = await open()
    const settled = await Promise.allSettled(Array.from({ length: 50 }, () => store.find(boxes, inside('abel-24'))))
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 33)
    for (const each of settled) assert.ok(each.status === 'fulfilled' || overloaded(each.reason))
    assert.equal((await store.find(boxes, inside('abel-24'))).total, 111)
    await store.close()
  })

  test('a quiet organization has its turn while another one asks again and again, and a place when all are taken', async () => {
    let owners: Owners = ['north', 'ann']
    const store = await openStore(await openSqlite({ file, currentOwners: () => owners }), [boxes, crates])
    const ended: string[] = []
    const search = (...by: Owners) => {
      owners = by
      return store.find(boxes, inside('abel-24')).then(
        ({ total }) => ended.push(`${by[0]} ${total}`),
        (error) => assert.ok(overloaded(error) && by[0] === 'loud', String(error)),
      )
    }
    const loud = Array.from({ length: 50 }, (_, number) => search('loud', `user ${number}`))
    const quiet = [search('quiet', 'eve'), search('quiet', 'eve')]
    await Promise.all([...loud, ...quiet])
    assert.equal(ended.length, 33)
    assert.deepEqual(ended.slice(0, 5), ['loud 111', 'loud 111', 'quiet 111', 'loud 111', 'quiet 111'])
    await store.close()
  })

  test('when the thread dies its scan is refused and the next one starts another', async () => {
    const store = await open()
    const births = on(process, 'worker')
    const scan = assert.rejects(store.find(boxes, inside('abel-24')), unavailable)
    const waiting = store.find(boxes, inside('abel-24'))
    for await (const [worker] of births as AsyncIterable<[Worker]>) {
      if (worker.threadName !== 'sqlite-scan') continue
      await worker.terminate()
      break
    }
    await scan
    assert.equal((await waiting).total, 111)
    await store.close()
  })

  test('a query by id, value, owner or prefix is cheap; a search inside texts, for everything or in an unindexed order is not', () => {
    const { database, all } = connect(file)
    const isCheapQuery = (query: Omit<Query, 'limit'>) =>
      searchCheap(all, compileQuery(boxes, { ...query, limit: 10 }, sqliteDialect)) !== undefined
    const isCheapFilter = (where: Filter) => isCheapQuery({ where })
    const named: Filter = { field: 'label', equals: 'label-1' }
    const part: Filter = { field: 'label', contains: 'bel-1' }
    for (const short of [
      named,
      { field: 'id', in: ['box-1', 'box-2'] },
      { field: 'owner', equals: 'org-1' },
      { field: 'label', startsWith: 'label-1' },
      { all: [part, { all: [{ field: 'owner', equals: 'org-1' }] }] },
      { any: [named, { field: 'searchLabel', equals: 'label-2' }] },
      { all: [named, { field: 'id', among: { kind: boxes, field: 'id', where: { all: [] } } }] },
      {
        all: [
          { field: 'label', startsWith: 'label' },
          { field: 'searchLabel', startsWith: 'label-1' },
        ],
      },
      { field: 'label', in: ['label-1', 'label-2'] },
    ] satisfies Filter[]) {
      assert.ok(isCheapFilter(short), JSON.stringify(short))
    }
    for (const long of [
      part,
      { not: named },
      { field: 'label', endsWith: '1' },
      { field: 'label', startsWith: 'label' },
      { field: 'note', equals: 'x' },
      { any: [named, part] },
      { all: [] },
      { field: 'id', among: { kind: crates, field: 'id', where: { all: [] } } },
    ] satisfies Filter[]) {
      assert.ok(!isCheapFilter(long), JSON.stringify(long))
    }
    assert.ok(!isCheapQuery({ orderBy: 'note' }))
    assert.ok(isCheapQuery({ where: named, orderBy: 'note' }))
    database.close()
  })

  test('however many conditions a query has, few indexes are tried out for it', () => {
    const { database, all } = connect(file)
    let asked = 0
    const listening: All = (sql, ...values) => {
      asked++
      return all(sql, ...values)
    }
    const often: Filter = { any: [{ field: 'label', startsWith: 'label' }] }
    const query = { where: { all: Array(100).fill({ any: [often, often] }) as Filter[] }, limit: 10 }
    assert.equal(searchCheap(listening, compileQuery(boxes, query, sqliteDialect)), undefined)
    assert.equal(asked, 4)
    database.close()
  })

  test('a search inside a text reads it from its index and parses no document', () => {
    const { database, all, each } = connect(file)
    const asked: string[] = []
    const listening: All = (sql, ...values) => {
      asked.push(sql)
      return all(sql, ...values)
    }
    const query = { where: { all: [{ field: 'label', contains: 'abel-24' }] }, limit: 10 } as const
    assert.equal(searchAll({ all: listening, each }, compileQuery(boxes, query, sqliteDialect)).total, 111)
    const [sql = ''] = asked
    assert.match(String(all(`explain query plan ${sql}`, 'x')[0]?.[3]), /USING INDEX documents\.box\.label/)
    assert.ok(!all(`explain ${sql}`, 'x').some((row) => String(row[5]).startsWith('->')))
    database.close()
  })

  test('every way to search finds what the model finds', async () => {
    const path = join(folder, 'model.db')
    const store = await openStore(await openSqlite({ file: path }), [boxes, crates])
    const documents = await packBoxes(store, fc.sample(boxContents, { seed: 7, numRuns: 120 }))
    const { database, ...statements } = connect(path)
    const ways = [
      (query: CompiledQuery) => searchCheap(statements.all, query) as Found,
      (query: CompiledQuery) => searchAll(statements, query),
      (query: CompiledQuery) => searchAll(statements, query, 3),
    ]
    for (const search of ways) {
      const property = fc.property(queries, (asked) => {
        const expected = findByModel(documents, asked as Query)
        const { rows, total } = search(compileQuery(boxes, asked as Query, sqliteDialect))
        assert.deepEqual({ ids: rows.map(([, id]) => id), total }, expected)
      })
      fc.assert(property, { numRuns: 400 })
    }
    database.close()
    await store.close()
  })

  test('every statement names the index by which it finds documents', async () => {
    const path = join(folder, 'named.db')
    const store = await openStore(await openSqlite({ file: path }), [boxes, crates])
    await packBoxes(store, fc.sample(boxContents, { seed: 8, numRuns: 120 }))
    const { database, all, each } = connect(path)
    const checked = (sql: string) => {
      assert.doesNotMatch(sql, /from documents (?!indexed by |not indexed where rowid in )/)
      return sql
    }
    const statements: Statements = {
      all: (sql, ...values) => all(checked(sql), ...values),
      each: (sql, ...values) => each(checked(sql), ...values),
    }
    const property = fc.property(queries, (asked) => {
      const query = compileQuery(boxes, asked as Query, sqliteDialect)
      searchCheap(statements.all, query)
      for (const few of [3, 1_000]) searchAll(statements, query, few)
      checked(valuesStatement(statements.all, query, 'id', 5).sql)
    })
    fc.assert(property, { numRuns: 400 })
    database.close()
    await store.close()
  })

  test('related documents are the same, whether each is searched for or all are listed first', async () => {
    const path = join(folder, 'related.db')
    const store = await openStore(await openSqlite({ file: path }), [boxes, crates])
    await packBoxes(store, fc.sample(boxContents, { seed: 9, numRuns: 40 }))
    const { database, ...statements } = connect(path)
    const related = fc
      .tuple(queries, fc.constantFrom('note', 'label', 'id'), fc.constantFrom('note', 'label', 'id'))
      .map(([{ where = { all: [] } }, own, field]) => {
        const among: Filter = { field: own, among: { kind: boxes, field, where: where as Filter } }
        return [among, { not: among }, { any: [among, { field: 'weight', above: 5 }] }] as const
      })
    let lists = 0
    const property = fc.property(related, (filters) => {
      for (const where of filters) {
        const query = compileQuery(boxes, { where, limit: 10 }, sqliteDialect)
        if (query.whereOfMany?.includes(' in (select ')) lists++
        const totals = [3, 1_000].map((few) => searchAll(statements, query, few).total)
        const { total } = searchAll(statements, { ...query, whereOfMany: undefined }, 1_000)
        assert.deepEqual(totals, [total, total], JSON.stringify(where))
      }
    })
    fc.assert(property, { numRuns: 300 })
    assert.ok(lists > 100, `${lists}`)
    database.close()
    await store.close()
  })

  test('a search still works when another program has dropped its index', async () => {
    const path = join(folder, 'dropped.db')
    const store = await openStore(await openSqlite({ file: path }), [boxes])
    await pack(store, 'one', 'label-1')
    const database = new DatabaseSync(path)
    for (const { name } of database.prepare(`select name from sqlite_schema where name like 'documents.%'`).all()) {
      database.exec(`drop index "${name}"`)
    }
    database.close()
    assert.equal((await store.find(boxes, { where: { field: 'label', equals: 'label-1' }, limit: 1 })).total, 1)
    await store.close()
  })
})
