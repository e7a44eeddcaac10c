/** Following the log: order, each event once, filters, several nodes, and logs that are not the same any more. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { bothEngines, type TestEngine } from '../../../test/support/engines.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { EventQuery, Store, StoredEvent } from '../index.ts'
import { openStore } from '../store.ts'
import { type FollowOptions, follow, type Portion } from './follow.ts'
import { LogTail } from './log-tail.ts'
import { positionOf, positionText, readPosition } from './position.ts'

const BEAT_MS = 60_000

async function openStores(context: TestContext, engine: TestEngine, count = 1): Promise<readonly Store[]> {
  const database = await engine.open()
  const stores: Store[] = [await openStore(database.engine, [boxes, crates])]
  while (stores.length < count) stores.push(await openStore(await database.reopen(), [boxes, crates]))
  context.after(async () => {
    for (const store of stores) await store.close()
    await database.dispose()
  })
  return stores
}

async function openOne(context: TestContext, engine: TestEngine): Promise<Store> {
  const [store] = await openStores(context, engine)
  assert.ok(store)
  return store
}

let ids = 0

/** A box with some events in one commit. */
async function pack(store: Store, weights = 0, owner = 'org-1'): Promise<string> {
  const id = `box-${++ids}`
  await store.write(by('ann'), async (work) => {
    await work.begin(boxes, id, { type: 'pack', label: id }, owner)
    const many = Array.from({ length: weights }, (_, weight) => weight)
    if (weights > 0) await work.decide(boxes, id, { type: 'weigh', weights: many })
  })
  return id
}

/** Follows until `count` events have come. */
async function collect(
  store: Pick<Store, 'follow'>,
  count: number,
  options: Partial<FollowOptions> = {},
): Promise<StoredEvent[]> {
  const ending = new AbortController()
  const events: StoredEvent[] = []
  for await (const portion of store.follow({ beatMs: BEAT_MS, signal: ending.signal, ...options })) {
    events.push(...portion.events)
    if (events.length >= count) break
  }
  return events
}

function numbersOf(events: readonly StoredEvent[]): number[] {
  return events.map(({ sequence }) => sequence)
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

const START = { sequence: 0, mark: '' }

function isRefused(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

for (const engine of bothEngines) {
  suite(`following the log on ${engine.name}`, () => {
    test('what is there comes first, then what is added, in order and each event once, while many write', async (context) => {
      const store = await openOne(context, engine)
      for (let box = 0; box < 5; box++) await pack(store, 60)
      const total = 5 * 61 + 40 * 6
      const readers = [START, { sequence: 100, mark: '' }, undefined].map((after) =>
        collect(store, total - (after === undefined ? 305 : after.sequence), { after }),
      )
      const beat = store.follow({ beatMs: BEAT_MS, signal: new AbortController().signal })
      assert.equal((await beat.next()).value?.position.sequence, 305)
      await beat.return(undefined)
      await Promise.all(Array.from({ length: 40 }, () => pack(store, 5)))
      const [all = [], later = [], live = []] = await Promise.all(readers)
      assert.deepEqual(numbersOf(all), numbers(1, total))
      assert.deepEqual(numbersOf(later), numbers(101, total))
      assert.deepEqual(numbersOf(live), numbers(306, total))
      assert.deepEqual(all, await store.events({ limit: 1000 }))
    })

    test('a position continues where it was, with every event exactly once', async (context) => {
      const store = await openOne(context, engine)
      const total = 600
      const writing = Array.from({ length: total / 6 }, () => pack(store, 5))
      const events: StoredEvent[] = []
      let after = readPosition('0')
      while (events.length < total) {
        const signal = new AbortController().signal
        for await (const portion of store.follow({ after, beatMs: BEAT_MS, signal })) {
          events.push(...portion.events)
          after = readPosition(positionText(portion.position))
          if (portion.events.length > 0) break
        }
      }
      await Promise.all(writing)
      assert.deepEqual(numbersOf(events), numbers(1, total))
    })

    test('filters choose by kind, type, owner and object, from the log and from memory', async (context) => {
      const store = await openOne(context, engine)
      const write = async () => {
        const id = await pack(store, 3, 'org-1')
        await pack(store, 1, 'org-2')
        await store.write(by('bob'), (work) => work.begin(crates, id, { type: 'pack', label: id }, 'org-2'))
        return id
      }
      const id = await write()
      const filters: Omit<EventQuery, 'limit'>[] = [
        { kinds: ['crate'] },
        { types: ['box.weighed.v1'] },
        { owner: 'org-2' },
        { id },
        { id, kinds: ['box'] },
        { owner: 'org-2', types: ['box.packed.v1'] },
      ]
      const beats = new AbortController()
      const live = filters.map((filter) => store.follow({ ...filter, beatMs: BEAT_MS, signal: beats.signal }))
      for (const one of live) assert.deepEqual((await one.next()).value?.events, [])
      const { sequence } = (await store.events({ limit: 1, descending: true }))[0] as StoredEvent
      await write()
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'weigh', weights: [7] }))
      for (const [index, filter] of filters.entries()) {
        const expected = await store.events({ ...filter, limit: 100 })
        assert.deepEqual(await collect(store, expected.length, { ...filter, after: START }), expected)
        const expectedLive = expected.filter((event) => event.sequence > sequence)
        const found: StoredEvent[] = []
        while (found.length < expectedLive.length) {
          const { value } = (await (live[index] as AsyncGenerator<Portion>).next()) as { value: Portion }
          found.push(...value.events)
        }
        assert.deepEqual(found, expectedLive, JSON.stringify(filter))
      }
      beats.abort()
    })

    test('a position that the log does not have is refused, and so is one of another log', async (context) => {
      const store = await openOne(context, engine)
      await pack(store, 3)
      const [event] = await store.events({ from: 1, limit: 1 })
      assert.ok(event)
      const known = positionOf(event)
      assert.deepEqual(numbersOf(await collect(store, 2, { after: known })), [3, 4])
      for (const after of [
        { sequence: 5, mark: '' },
        { ...known, mark: '00000000' },
      ]) {
        await assert.rejects(collect(store, 1, { after }), isRefused('store.position_unknown'))
      }
    })

    test('a position stays good after its event was removed from the log', async (context) => {
      const store = await openOne(context, engine)
      const id = await pack(store, 2)
      const [, , last] = await store.events({ limit: 3 })
      assert.ok(last)
      await store.write(by('ann'), async (work) => {
        await work.removeStream(boxes, id)
        await work.begin(crates, 'record', { type: 'pack', label: 'record' }, 'org-1')
      })
      assert.deepEqual(numbersOf(await collect(store, 1, { after: positionOf(last) })), [4])
    })
  })
}

const postgres = bothEngines.find(({ name }) => name === 'postgres')

suite('following the log on two nodes', { skip: postgres === undefined && 'there is no PostgreSQL' }, () => {
  test('each has all events of both, in one order, and takes the positions of the other', async (context) => {
    const stores = await openStores(context, postgres as TestEngine, 2)
    const total = 2 * 30 * 4
    const readers = stores.map((store) => collect(store, total, { after: START }))
    // Continues at the other node after each portion.
    const changing = (async () => {
      const events: StoredEvent[] = []
      for (let turn = 0, after = START; events.length < total; turn++) {
        const signal = new AbortController().signal
        for await (const portion of stores[turn % 2]?.follow({ after, beatMs: BEAT_MS, signal }) ?? []) {
          events.push(...portion.events)
          after = portion.position
          if (portion.events.length > 0) break
        }
      }
      return events
    })()
    await Promise.all(stores.flatMap((store) => Array.from({ length: 30 }, () => pack(store, 3))))
    for (const events of await Promise.all([...readers, changing])) {
      assert.deepEqual(numbersOf(events), numbers(1, total))
    }
  })
})

/** A log in memory that tests can change. */
function memoryLog() {
  const log = { events: [] as StoredEvent[], history: 'one', reads: 0 }
  const add = (count: number, at = 1_000) => {
    for (let each = 0; each < count; each++) {
      const sequence = (log.events.at(-1)?.sequence ?? 0) + 1
      const data = { note: 'x'.repeat(800) }
      const event = { sequence, kind: 'box', id: `${sequence}`, revision: 1, type: 'box.packed.v1', data }
      log.events.push({ ...event, actor: { user: 'ann' }, owner: 'org-1', at: at as StoredEvent['at'] })
    }
  }
  const source = {
    head: async () => ({ sequence: log.events.at(-1)?.sequence ?? 0, history: log.history }),
    events: async ({ from = 0, limit }: EventQuery) => {
      log.reads++
      return log.events.filter(({ sequence }) => sequence > from).slice(0, limit)
    },
  }
  return { log, add, source }
}

suite('the end of the log in memory', () => {
  const signal = new AbortController().signal

  test('is bounded in bytes, and whoever falls behind it reads the log and misses nothing', async () => {
    const { add, source } = memoryLog()
    const keptBytes = 64 * 1024
    const tail = new LogTail(source, { everyMs: 1, keptBytes })
    const slow = follow(source, tail, { beatMs: BEAT_MS, signal })
    assert.deepEqual((await slow.next()).value?.events, [])
    const quick = follow(source, tail, { beatMs: BEAT_MS, signal })
    await quick.next()
    for (let round = 1, seen = 0; round <= 40; round++) {
      add(50)
      while (seen < round * 50) {
        const { value } = (await quick.next()) as { value: Portion }
        seen += value.events.length
        assert.ok(tail.load.keptBytes <= keptBytes, `${tail.load.keptBytes} bytes`)
      }
    }
    const found: number[] = []
    const lags: number[] = []
    while (found.length < 2_000) {
      const { value } = (await slow.next()) as { value: Portion }
      found.push(...numbersOf(value.events))
      lags.push(value.lag)
      assert.ok(value.events.length <= 250)
    }
    assert.deepEqual(found, numbers(1, 2_000))
    assert.ok((lags[0] ?? 0) > 1_000 && lags.at(-1) === 0, 'its lag is told')
    await slow.return(undefined)
    await quick.return(undefined)
    assert.deepEqual(tail.load, { followers: 0, keptBytes: 0 })
  })

  test('is read only while somebody follows, and equal filters share what they find', async () => {
    const { log, add, source } = memoryLog()
    const tail = new LogTail(source, { everyMs: 1, keptBytes: 10_000_000 })
    const filter = { owner: 'org-1', types: ['box.packed.v1'] }
    const [one, two] = [0, 1].map(() => follow(source, tail, { ...filter, beatMs: BEAT_MS, signal }))
    assert.ok(one && two)
    await Promise.all([one.next(), two.next()])
    add(5)
    const [first, second] = await Promise.all([one.next(), two.next()])
    assert.equal(first.value?.events.length, 5)
    assert.equal(first.value?.events, second.value?.events)
    await Promise.all([one.return(undefined), two.return(undefined)])
    const { reads } = log
    add(5)
    // Pause: nothing tells that nobody reads any more.
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(log.reads, reads)
  })

  test('ends all who follow when the database has another log than before, and not after a rebuild', async () => {
    const { log, add, source } = memoryLog()
    const tail = new LogTail(source, { everyMs: 1, keptBytes: 1_000 })
    add(10)
    const one = follow(source, tail, { beatMs: BEAT_MS, signal })
    await one.next()
    log.history = 'two'
    add(1)
    assert.deepEqual(numbersOf((await one.next()).value?.events ?? []), [11])
    // A failover to a replica that did not have the last events.
    log.events.splice(8)
    add(5, 2_000)
    log.history = 'three'
    await assert.rejects(one.next(), isRefused('store.log_changed'))
  })

  test('ends at once when it is to end, whether a portion is being sent or nothing is there', async () => {
    const { add, source } = memoryLog()
    const tail = new LogTail(source, { everyMs: 1, keptBytes: 1_000_000 })
    for (const isSending of [true, false]) {
      const ending = new AbortController()
      const one = follow(source, tail, { beatMs: BEAT_MS, signal: ending.signal })
      await one.next()
      add(1)
      assert.equal((await one.next()).value?.events.length, 1)
      const next = isSending ? undefined : one.next()
      ending.abort()
      assert.equal((await (next ?? one.next())).done, true)
    }
    assert.equal(tail.load.followers, 0)
  })

  test('beats tell the position, even if nothing matches, and the end of the tail ends everything', async () => {
    const { add, source } = memoryLog()
    const tail = new LogTail(source, { everyMs: 1, keptBytes: 1_000_000 })
    const one = follow(source, tail, { owner: 'nobody', beatMs: 5, signal })
    assert.equal((await one.next()).value?.position.sequence, 0)
    add(3)
    for (;;) {
      const { value } = (await one.next()) as { value: Portion }
      assert.deepEqual(value.events, [])
      if (value.position.sequence === 3) break
    }
    tail.close()
    await assert.rejects(one.next(), isRefused('store.unavailable'))
  })
})
