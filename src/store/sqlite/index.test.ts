/** What only SQLite has: a file, a writer thread, and checks of the machine. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { newId } from '../../kernel/id.ts'
import { Refused } from '../../kernel/refusal.ts'
import { openStore, type Query } from '../index.ts'
import { sqliteDialect } from '../query/dialect.ts'
import { compileQuery } from '../query/index.ts'
import { checkSqliteVersion, mountTypeOf, networkFileSystem } from './connection.ts'
import { openSqlite } from './index.ts'
import { SqliteReader } from './read.ts'
import { statisticsVersion } from './statistics.ts'
import { startThreadAhead, startWriter } from './write.ts'

suite('SQLite', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-sqlite-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const unavailable = (error: unknown) => error instanceof Refused && error.code === 'store.unavailable'

  test('the files can be read by their owner only', async () => {
    const file = join(folder, 'new', 'signet.db')
    const store = await openStore(await openSqlite({ file }), [boxes])
    await store.write(by('ann'), (work) => work.decide(boxes, 'one', { type: 'pack', label: 'a' }, 'org-1'))
    for (const path of [file, `${file}-wal`, `${file}-shm`]) assert.equal((await stat(path)).mode & 0o777, 0o600)
    await store.close()
  })

  test('a write that waits for the disk reaches it although it decides nothing, another one does not', async () => {
    const file = join(folder, 'lingering.db')
    const store = await openStore(await openSqlite({ file }), [boxes])
    const sizeOfLog = async () => (await stat(`${file}-wal`)).size
    await store.write(by('ann'), (work) => work.decide(boxes, 'one', { type: 'pack', label: 'a' }, 'org-1'))
    const before = await sizeOfLog()
    await store.write(by('ann'), (work) => work.get(boxes, 'one'))
    assert.equal(await sizeOfLog(), before)
    for (let times = 0; times < 2; times++) {
      const last = await sizeOfLog()
      await store.write(by('ann'), async (work) => work.waitForDisk())
      assert.ok((await sizeOfLog()) > last)
    }
    await store.close()
  })

  test('with a thousand documents the queries use the indexes, also in a reader opened before', async () => {
    const file = join(folder, 'plans.db')
    const store = await openStore(await openSqlite({ file }), [boxes, crates])
    const reader = new SqliteReader(file, 1000)
    const read = (sql: string) => reader.read((all) => all(sql)).value
    const compile = (query: Omit<Query<'label' | 'weight'>, 'limit'>) =>
      compileQuery(boxes, { ...(query as Query), limit: 10 }, sqliteDialect)
    const planOf = (query: Omit<Query<'label' | 'weight'>, 'limit'>) => {
      const { where, orderBy } = compile(query)
      const sql = `explain query plan select * from documents where ${where} order by ${orderBy}`
      return read(sql.replace(/\$\d+/g, `'x'`))
        .map((row) => String(row[3]))
        .join('; ')
    }
    /** Adds documents until the writer has gathered statistics that many times. */
    const addUntil = async (statistics: number, weightOf: (index: number) => number) => {
      await Promise.all(
        Array.from({ length: 1000 }, (_, index) =>
          store.write(by('ann'), (work) =>
            work.decide(boxes, newId(), { type: 'pack', label: newId(), weight: weightOf(index) }, `org-${index % 30}`),
          ),
        ),
      )
      while (read(`select ${statisticsVersion}`)[0]?.[0] !== statistics) await sleep(2)
      reader.find(compile({}))
    }
    const byWeight = { where: { field: 'weight', equals: 7 } } as const
    await addUntil(1, () => 0)
    assert.match(planOf(byWeight), /documents_by_creation/)
    // Below zero, because statistics are taken from the first thousand entries of an index.
    await addUntil(2, (index) => -1 - index)
    assert.match(planOf(byWeight), /^SEARCH .*box\.weight/)

    assert.match(
      planOf({ where: { field: 'label', equals: 'x' } }),
      /^SEARCH .*box\.label\.\w+ \(instance=\? AND <expr>=\?\)/,
    )
    const prefix = planOf({ where: { field: 'label', startsWith: 'x' }, orderBy: 'label' })
    assert.match(prefix, /^SEARCH .*box\.label\.\w+ \([^)]*<expr>>\? AND <expr><\?\)$/)
    const range = planOf({ where: { field: 'weight', atLeast: 1 }, orderBy: 'weight' })
    assert.match(range, /^SEARCH .*box\.weight\.\w+ \(instance=\? AND <expr>>\?\)$/)
    assert.match(planOf({ where: { field: 'owner', equals: 'x' } }), /^SEARCH .*documents_by_owner \([^)]*owner=\?\)$/)
    // No "USE TEMP B-TREE": the rows come out of the index in order.
    for (const query of [{}, { orderBy: 'weight' as const }, { orderBy: 'label' as const, descending: true }]) {
      assert.match(planOf(query), /^SEARCH documents USING INDEX [^;]*$/)
    }
    reader.close()
    await store.close()
  })

  test('an index that a kind no longer declares is dropped, those of other kinds stay', async () => {
    const file = join(folder, 'indexes.db')
    await (await openStore(await openSqlite({ file }), [boxes, crates])).close()
    const { label: _, ...fields } = boxes.fields
    await (await openStore(await openSqlite({ file }), [{ ...boxes, fields }])).close()
    const database = new DatabaseSync(file)
    const names = database.prepare(`select name from sqlite_schema where name like 'documents.%' order by name`).all()
    assert.deepEqual(
      names.map((row) => String(row.name).split('.').slice(1, 3).join('.')),
      ['box.searchLabel', 'box.weight', 'crate.weight'],
    )
    database.close()
  })

  test('a database of a newer program is left alone', async () => {
    const file = join(folder, 'newer.db')
    await (await openStore(await openSqlite({ file }), [boxes])).close()
    const database = new DatabaseSync(file)
    database.exec(`update versions set version = 1000 where name = 'schema'`)
    database.close()
    const engine = await openSqlite({ file })
    await assert.rejects(openStore(engine, [boxes]), /schema version 1000.*Use a newer version/)
    await engine.close()
  })

  test('a thread that was started ahead serves one writer, and the next writer gets one of its own', async () => {
    const names = ['ahead.db', 'after.db']
    const files = names.map((name) => join(folder, name))
    for (const file of files) await (await openStore(await openSqlite({ file }), [boxes])).close()
    startThreadAhead()
    const options = { synchronous: 'FULL', busyTimeoutMilliseconds: 1000 } as const
    const writers = files.map((file) => startWriter({ ...options, file }))
    const sql = `select file from pragma_database_list where name = 'main'`
    const answers = await Promise.all(writers.map((writer) => writer.ask({ type: 'run', sql, parameters: [] })))
    const opened = answers.map((answer) => answer.type === 'done' && basename(String(answer.rows[0]?.[0])))
    assert.deepEqual(opened, names)
    await Promise.all(writers.map((writer) => writer.close()))
  })

  test('when the writer thread dies, waiting and later writes fail, and ping fails', async () => {
    const file = join(folder, 'dying.db')
    const writer = startWriter({ file, synchronous: 'FULL', busyTimeoutMilliseconds: 1000 })
    // A message that the thread cannot understand ends it.
    const asked = [null as never, { type: 'run', sql: 'select 1', parameters: [] } as const].map(writer.ask)
    const [, waiting] = await Promise.allSettled(asked)
    assert.match(String(waiting?.status === 'rejected' && waiting.reason), /writer thread of the store has ended/)
    await assert.rejects(writer.ask({ type: 'run', sql: 'select 1', parameters: [] }), /has ended/)
    assert.match(writer.trouble()?.message ?? '', /has ended/)
    await writer.close()
  })

  test('a file that another process keeps locked makes writes unavailable for a while, reads go on', async () => {
    const file = join(folder, 'locked.db')
    const prepared = await openStore(await openSqlite({ file }), [boxes])
    const lock = new DatabaseSync(file)
    const writer = startWriter({ file, synchronous: 'FULL', busyTimeoutMilliseconds: 20 })
    const touch = () =>
      writer.ask({ type: 'run', sql: 'update instances set sequence = sequence where id = 1', parameters: [] })
    lock.exec('begin immediate')
    await assert.rejects(touch(), unavailable)
    assert.ok(writer.trouble() !== undefined)
    assert.equal(await prepared.get(boxes, 'none'), undefined)
    lock.exec('rollback')
    await touch()
    assert.equal(writer.trouble(), undefined)
    lock.close()
    await writer.close()
    await prepared.close()
  })

  test('an old SQLite is refused', () => {
    for (const old of ['3.51.2', '3.50.9', '3.9.99', '2.99.99']) assert.throws(() => checkSqliteVersion(old), /too old/)
    for (const good of ['3.51.3', '3.52.0', '3.100.0', '4.0.0']) checkSqliteVersion(good)
  })

  test('network file systems are refused by name, local ones are not', () => {
    assert.equal(networkFileSystem(0x6969, undefined), 'NFS')
    assert.equal(networkFileSystem(0xff534d42 | 0, 'cifs'), 'CIFS')
    assert.equal(networkFileSystem(0x65735546, 'fuse.sshfs'), 'fuse.sshfs')
    assert.equal(networkFileSystem(0x65735546, 'fuseblk'), undefined)
    assert.equal(networkFileSystem(0x65735546, 'virtiofs'), undefined)
    assert.equal(networkFileSystem(0xef53, 'ext4'), undefined)
  })

  test('the mount of a folder is the longest one that contains it', () => {
    const mountinfo = [
      '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
      '30 22 0:40 / /srv rw - xfs /dev/sdb1 rw',
      '31 30 0:41 / /srv/far\\040away rw,nosuid - fuse.sshfs host:/x rw',
    ].join('\n')
    assert.equal(mountTypeOf('/home/x', mountinfo), 'ext4')
    assert.equal(mountTypeOf('/srv', mountinfo), 'xfs')
    assert.equal(mountTypeOf('/srv2', mountinfo), 'ext4')
    assert.equal(mountTypeOf('/srv/far away/data', mountinfo), 'fuse.sshfs')
    assert.equal(mountTypeOf('/x', ''), undefined)
  })
})
