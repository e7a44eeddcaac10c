/** What only SQLite has: a file, a writer thread, and checks of the machine. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import { openStore } from '../index.ts'
import { checkSqliteVersion, mountTypeOf, networkFileSystem } from './connection.ts'
import { openSqlite } from './index.ts'
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
    const file = join(folder, 'waiting.db')
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
    const options = { synchronous: 'FULL', busyTimeoutMs: 1000 } as const
    const writers = files.map((file) => startWriter({ ...options, file }))
    const sql = `select file from pragma_database_list where name = 'main'`
    const answers = await Promise.all(writers.map((writer) => writer.ask({ type: 'run', sql, parameters: [] })))
    const opened = answers.map((answer) => answer.type === 'done' && basename(String(answer.rows[0]?.[0])))
    assert.deepEqual(opened, names)
    await Promise.all(writers.map((writer) => writer.close()))
  })

  test('when the writer thread dies, waiting and later writes fail, and ping fails', async () => {
    const file = join(folder, 'dying.db')
    const writer = startWriter({ file, synchronous: 'FULL', busyTimeoutMs: 1000 })
    // A message that the thread cannot understand ends it.
    const asked = [null as never, { type: 'run', sql: 'select 1', parameters: [] } as const].map(writer.ask)
    const [, waiting] = await Promise.allSettled(asked)
    assert.match(String(waiting?.status === 'rejected' && waiting.reason), /writer thread of the store has ended/)
    await assert.rejects(writer.ask({ type: 'run', sql: 'select 1', parameters: [] }), /has ended/)
    assert.match(writer.trouble()?.message ?? '', /has ended/)
    await writer.close()
  })

  test('a file that another process keeps locked makes writes unavailable for a while, reads continue', async () => {
    const file = join(folder, 'locked.db')
    const prepared = await openStore(await openSqlite({ file }), [boxes])
    const lock = new DatabaseSync(file)
    const writer = startWriter({ file, synchronous: 'FULL', busyTimeoutMs: 20 })
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
