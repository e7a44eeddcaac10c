/** Counters are exact, whoever writes, and follow from the log alone. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { afterwards } from '../../test/support/afterwards.ts'
import { bothEngines } from '../../test/support/engines.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { type BoxEvent, boxes } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import type { Engine } from './engine.ts'
import { kind, openSqlite, openStore, removalKind, type Store, startRetention } from './index.ts'
import { openPostgres } from './postgres/index.ts'
import { openPostgresLoader, openPostgresSnapshot } from './postgres/transfer.ts'
import { openSqliteLoader, openSqliteSnapshot } from './sqlite/transfer.ts'
import { type Loader, newVerification, type Snapshot, verify } from './transfer/index.ts'

const HOUR = 3_600_000
const START = 500_000 * HOUR

const counted = kind({
  ...boxes,
  counts: ({ type, data }: BoxEvent, owner: string) => {
    if (type === 'box.key_refused.v1') return [{ scope: owner, name: 'refused' }]
    if (type !== 'box.packed.v1') return []
    return [
      { scope: owner, name: 'packed' },
      { scope: 'labels', name: data.note ?? '', unit: 'day', times: 2 },
    ]
  },
})
const records = removalKind('box-retirement', 'box.retired.v1')
const kinds = [counted, records]

interface Place {
  open(): Promise<Engine>
  snapshot(): Promise<Snapshot>
  load(): Promise<Loader>
}

async function openPlace(t: TestContext, engine: 'sqlite' | 'postgres'): Promise<Place> {
  if (engine === 'postgres') {
    const database = await freshDatabase()
    assert.ok(database)
    const { url, drop } = database
    afterwards(t, drop)
    const open = async () => openPostgres({ url })
    return { open, snapshot: () => openPostgresSnapshot(url), load: () => openPostgresLoader(url, kinds) }
  }
  const folder = await mkdtemp(join(tmpdir(), 'signet-counters-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'signet.db')
  const open = async () => openSqlite({ file })
  return { open, snapshot: () => openSqliteSnapshot(file), load: () => openSqliteLoader(file, kinds) }
}

function pack(store: Store, id: string, at = START, note = 'a') {
  const command = { type: 'pack', label: id, note } as const
  return store.write({ actor: { user: 'ann' }, at: instant(at) }, (work) => work.decide(counted, id, command, 'north'))
}

async function numbers(
  store: Store,
  scope = 'north',
  { step = 1, hours = 100, since = START - 50 * HOUR, now = START } = {},
) {
  const period = { since: instant(since), hours, step, now: instant(now) }
  const found = await store.counted({ kinds: ['box', 'other'], scope, ...period })
  return found.map(({ start, name, n }) => [(start - START) / HOUR, name, n]).sort()
}

async function problemsOf(place: Place): Promise<readonly string[]> {
  const snapshot = await place.snapshot()
  const found = newVerification()
  await verify(snapshot, kinds, found)
  await snapshot.close()
  return found.problems
}

for (const { name } of bothEngines) {
  suite(`counters on ${name}`, () => {
    const opened = async (t: TestContext, place: Place) => {
      const store = await openStore(await place.open(), kinds)
      afterwards(t, () => store.close())
      return store
    }

    test('count what is committed: each event once, with many writers on two nodes, and nothing that was refused', async (t) => {
      const place = await openPlace(t, name)
      const [one, other] = [await opened(t, place), await opened(t, place)]
      const writes = Array.from({ length: 300 }, (_, index) => {
        const [store, id] = [index % 2 === 0 ? one : other, String(index % 200)]
        // Every third box is packed by both: the later one is refused.
        return pack(store, id).catch((error: { code: string }) => assert.match(error.code, /exists|taken/))
      })
      await Promise.all(writes)
      assert.deepEqual(await numbers(one), [[0, 'packed', 200]])
      assert.deepEqual(await numbers(other, 'labels', { step: 24, since: START - 24 * HOUR }), [[-24, 'a', 400]])
      const open = (work: Parameters<Parameters<Store['write']>[1]>[0]) =>
        work.decide(counted, '1', { type: 'open', key: 'wrong' })
      await assert.rejects(one.write({ actor: { user: 'eve' }, at: instant(START + HOUR) }, open), {
        code: 'box.key_wrong',
      })
      assert.deepEqual(await numbers(other), [
        [0, 'packed', 200],
        [1, 'refused', 1],
      ])
      assert.deepEqual(await problemsOf(place), [])
    })

    test('are added up by steps, from any hour on', async (t) => {
      const store = await opened(t, await openPlace(t, name))
      for (const [index, hour] of [-30, -7, -6, 0, 17, 18].entries())
        await pack(store, `${index}`, START + hour * HOUR + 5)
      const days = await numbers(store, 'north', { step: 24, since: START - 30 * HOUR, hours: 48 })
      assert.deepEqual(days, [
        [-30, 'packed', 2],
        [-6, 'packed', 3],
      ])
      assert.deepEqual(await numbers(store, 'south'), [])
    })

    test('of hours that are long over are read once in an hour, and are exact for who adds to them late', async (t) => {
      const place = await openPlace(t, name)
      const engine = await place.open()
      const read: (readonly [from: number, until: number])[] = []
      const counting: Engine['counted'] = (range) => {
        read.push([range.from - START / HOUR, range.until - START / HOUR])
        return engine.counted(range)
      }
      const store = await openStore(Object.create(engine, { counted: { value: counting } }), kinds)
      afterwards(t, () => store.close())
      const days = (now = START) => {
        read.length = 0
        return numbers(store, 'north', { step: 24, since: START - 240 * HOUR, hours: 264, now })
      }
      for (const [index, hour] of [-200, -100, -49, -48, 0].entries())
        await pack(store, `${index}`, START + hour * HOUR)
      const first = await days()
      assert.deepEqual(read, [
        [-240, -48],
        [-48, 24],
      ])
      assert.deepEqual(
        first,
        [
          [-216, 'packed', 1],
          [-120, 'packed', 1],
          [-72, 'packed', 1],
          [-48, 'packed', 1],
          [0, 'packed', 1],
        ].sort(),
      )
      assert.deepEqual(await days(), first)
      assert.deepEqual(read, [[-48, 24]])
      await pack(store, 'now')
      assert.deepEqual(
        (await days()).find(([start]) => start === 0),
        [0, 'packed', 2],
      )
      assert.deepEqual(read, [[-48, 24]])
      await pack(store, 'late', START - 100 * HOUR)
      assert.deepEqual(
        (await days()).find(([start]) => start === -120),
        [-120, 'packed', 2],
      )
      const other = await opened(t, place)
      // An hour later, the step that begins at -48 has hours of both parts.
      await pack(other, 'later', START - 100 * HOUR)
      assert.deepEqual(
        (await days(START + HOUR)).find(([start]) => start === -120),
        [-120, 'packed', 3],
      )
      assert.deepEqual(
        await days(START + HOUR),
        await numbers(other, 'north', { step: 24, since: START - 240 * HOUR, hours: 264 }),
      )
      await store.removeCounts(instant(START - 50 * HOUR))
      assert.equal((await days(START + HOUR)).length, 3)
    })

    test('are the same after a restart, a rebuild, and in a database that the log was loaded into', async (t) => {
      const place = await openPlace(t, name)
      const first = await openStore(await place.open(), kinds)
      for (let index = 0; index < 40; index++) await pack(first, `${index}`, START + index * 20 * 60_000)
      const before = await numbers(first)
      assert.equal(before.length, 14)
      await first.close()
      const again = await opened(t, place)
      assert.deepEqual(await numbers(again), before)
      await again.rebuild()
      assert.deepEqual(await numbers(again), before)
      for (const target of bothEngines) {
        const copy = await openPlace(t, target.name)
        const [snapshot, loader] = [await place.snapshot(), await copy.load()]
        for await (const lines of snapshot.events()) await loader.addEvents(lines)
        await loader.finish(snapshot.sequence)
        await Promise.all([loader.close(), snapshot.close()])
        assert.deepEqual(await numbers(await opened(t, copy)), before)
        assert.deepEqual(await problemsOf(copy), [])
      }
    })

    test('of hours that are too old are removed, and a check does not miss them', async (t) => {
      const place = await openPlace(t, name)
      const store = await opened(t, place)
      await pack(store, 'old', START - 100 * 24 * HOUR)
      await pack(store, 'new')
      const jobs = {
        retentions: [],
        clock: () => instant(START),
        onFailure: () => {},
        firstMs: 0,
        pollMilliseconds: 10,
      }
      await startRetention({ store, instanceId: 'instance' }, jobs)
      const old = () => numbers(store, 'north', { since: START - 101 * 24 * HOUR, hours: 48, step: 48 })
      while ((await old()).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      assert.deepEqual(await numbers(store), [[0, 'packed', 1]])
      assert.deepEqual(await problemsOf(place), [])
    })

    test('that do not agree with the log are found by a check', async (t) => {
      const place = await openPlace(t, name)
      const store = await opened(t, place)
      await pack(store, 'one')
      await pack(store, 'two')
      await store.removeCounts(instant(START + HOUR))
      const [problem = '', ...more] = await problemsOf(place)
      assert.equal(more.length, 1)
      assert.match(problem, /The counter box \S+ \S+ of \S+ is 0, but its log has [24]\./)
    })
  })
}
