/** Group commit, tested with an engine that only records its batches. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Commit, Outcome } from '../engine.ts'
import { type CommitQueueLimits, commitQueue } from './commit-queue.ts'

interface Touches {
  readonly changes?: readonly string[]
  readonly guards?: readonly string[]
  readonly removed?: readonly string[]
  readonly claims?: readonly string[]
  readonly released?: readonly string[]
}

function commit(
  actor: string,
  { changes = [], guards = [], removed = [], claims = [], released = [] }: Touches,
): Commit {
  return {
    actor,
    at: instant(0),
    changes: changes.map((id) => ({
      ...{ kind: 'box', id, owner: 'o', expected: 0, events: [] },
      ...{ state: '{}', gone: false, sameFields: false },
    })),
    guards: guards.map((id) => ({ kind: 'box', id, expected: 0 })),
    removed: removed.map((id) => ({ kind: 'box', id, expected: 1 })),
    claims: claims.map((value) => ({ kind: 'label', value, id: actor, of: 'box' })),
    released: released.map((value) => ({ kind: 'label', value, id: actor, of: 'box' })),
    jobs: [],
    counts: [],
  }
}

/** An engine whose batches end when the test says so. */
function recordingEngine() {
  const batches: string[][] = []
  const open: { resolve(): void; reject(error: Error): void }[] = []
  return {
    batches,
    open,
    commit: (batch: readonly Commit[]) =>
      new Promise<readonly Outcome[]>((resolve, reject) => {
        batches.push(batch.map(({ actor }) => actor))
        open.push({ resolve: () => resolve(batch.map(() => ({ type: 'committed', sequence: 1 }))), reject })
      }),
  }
}

suite('commit queue', () => {
  test('commits that arrive while a batch is written go together in the next', async () => {
    const engine = recordingEngine()
    const queue = commitQueue(engine)
    const first = queue.commit(commit('a', { changes: ['1'] }))
    await nextTurn()
    const others = ['b', 'c', 'd'].map((actor) => queue.commit(commit(actor, { changes: [actor] })))
    await nextTurn()
    assert.deepEqual(engine.batches, [['a']])
    engine.open[0]?.resolve()
    await first
    await nextTurn()
    assert.deepEqual(engine.batches, [['a'], ['b', 'c', 'd']])
    engine.open[1]?.resolve()
    await Promise.all(others)
    await queue.drain()
  })

  const batchesOf = async (commits: readonly Commit[], limits: Partial<CommitQueueLimits> = {}) => {
    const engine = recordingEngine()
    const queue = commitQueue(engine, limits)
    const done = Promise.all(commits.map((one) => queue.commit(one)))
    const ended = { yet: false }
    void done.finally(() => {
      ended.yet = true
    })
    while (!ended.yet) {
      await nextTurn()
      for (const { resolve } of engine.open.splice(0)) resolve()
    }
    return engine.batches
  }

  test('the second change of a stream waits, and no later one overtakes it', async () => {
    const batches = await batchesOf([
      commit('a', { changes: ['1'] }),
      commit('b', { changes: ['1', '2'] }),
      commit('c', { changes: ['2'] }),
      commit('d', { changes: ['3'] }),
    ])
    assert.deepEqual(batches, [['a', 'd'], ['b'], ['c']])
  })

  test('a guard and a change of the same stream are never in one batch, two guards may be', async () => {
    const batches = await batchesOf([
      commit('a', { guards: ['1'], changes: ['2'] }),
      commit('b', { guards: ['1'], changes: ['3'] }),
      commit('c', { changes: ['1'] }),
      commit('d', { guards: ['1'] }),
    ])
    assert.deepEqual(batches, [['a', 'b'], ['c'], ['d']])
  })

  test('two commits that take or release the same claim are never in one batch', async () => {
    const batches = await batchesOf([
      commit('a', { changes: ['1'], released: ['x'] }),
      commit('b', { changes: ['2'], claims: ['x'] }),
      commit('c', { changes: ['3'], claims: ['x'] }),
    ])
    assert.deepEqual(batches, [['a'], ['b'], ['c']])
  })

  test('each commit is written once, and commits that touch each other keep their order', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { maxLength: 2 })
    const touches = fc.record({ changes: keys, guards: keys, removed: keys, claims: keys, released: keys })
    const changing = ({ changes = [], removed = [], claims = [], released = [] }: Touches) => [
      ...[...changes, ...removed].map((key) => `s${key}`),
      ...[...claims, ...released].map((key) => `c${key}`),
    ]
    const meet = (one: Touches, other: Touches): boolean => {
      const [left, right] = [changing(one), changing(other)]
      const [leftGuards, rightGuards] = [one.guards ?? [], other.guards ?? []]
      return (
        left.some((key) => right.includes(key)) ||
        leftGuards.some((key) => right.includes(`s${key}`)) ||
        rightGuards.some((key) => left.includes(`s${key}`))
      )
    }
    const check = async (all: readonly Touches[], inFlight: number) => {
      const batches = await batchesOf(
        all.map((one, index) => commit(String(index), one)),
        { batch: 3, inFlight },
      )
      assert.deepEqual(
        batches
          .flat()
          .map(Number)
          .toSorted((a, b) => a - b),
        [...all.keys()],
      )
      const batchOf = (index: number) => batches.findIndex((batch) => batch.includes(String(index)))
      for (const [later, touched] of all.entries()) {
        for (let earlier = 0; earlier < later; earlier++) {
          if (meet(all[earlier] as Touches, touched)) assert.ok(batchOf(earlier) < batchOf(later))
        }
      }
      assert.ok(batches.every((batch) => batch.length <= 3))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(touches, { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 2 }), check),
      {
        numRuns: 100,
      },
    )
  })

  test('a second batch goes ahead when it is as large as the first, and drain waits for both', async () => {
    const engine = recordingEngine()
    const queue = commitQueue(engine, { inFlight: 2 })
    let started = 0
    const send = (count: number) => {
      const commits = Array.from({ length: count }, () => commit('x', { changes: [String(started++)] }))
      return Promise.all(commits.map((one) => queue.commit(one)))
    }
    const sizes = () => engine.batches.map((batch) => batch.length)
    const first = send(20)
    await nextTurn()
    const second = send(31)
    await nextTurn()
    assert.deepEqual(sizes(), [20], 'a small one waits, so that others come along')
    const third = send(1)
    assert.deepEqual(sizes(), [20, 32])
    const fourth = send(100)
    await nextTurn()
    assert.deepEqual(sizes(), [20, 32], 'and never more than two')
    engine.open.shift()?.resolve()
    await first
    assert.deepEqual(sizes(), [20, 32, 100])
    let isDrained = false
    const drained = queue.drain().then(() => {
      isDrained = true
    })
    engine.open.shift()?.resolve()
    await Promise.all([second, third])
    const fifth = send(99)
    await nextTurn()
    assert.deepEqual([isDrained, sizes()], [false, [20, 32, 100]])
    engine.open.shift()?.resolve()
    await fourth
    engine.open.shift()?.resolve()
    await Promise.all([fifth, drained])
    assert.deepEqual(sizes(), [20, 32, 100, 99])
  })

  test('a full queue refuses at once and recovers', async () => {
    const engine = recordingEngine()
    const queue = commitQueue(engine, { batch: 1, waiting: 2 })
    const first = queue.commit(commit('a', { changes: ['1'] }))
    await nextTurn()
    const waiting = ['b', 'c'].map((actor) => queue.commit(commit(actor, { changes: [actor] })))
    const refusal = (error: unknown) =>
      error instanceof Refused && error.code === 'store.overloaded' && error.retryAfterSeconds === 1
    await assert.rejects(queue.commit(commit('d', { changes: ['4'] })), refusal)
    for (let turn = 0; turn < 10; turn++) {
      for (const { resolve } of engine.open.splice(0)) resolve()
      await nextTurn()
    }
    await Promise.all([first, ...waiting])
    const last = queue.commit(commit('e', { changes: ['5'] }))
    await nextTurn()
    engine.open[0]?.resolve()
    assert.equal((await last).type, 'committed')
  })

  test('a batch that fails rejects only its own commits', async () => {
    const engine = recordingEngine()
    const queue = commitQueue(engine)
    const first = queue.commit(commit('a', { changes: ['1'] }))
    await nextTurn()
    const second = queue.commit(commit('b', { changes: ['2'] }))
    engine.open[0]?.reject(new Error('disk'))
    await assert.rejects(first, /disk/)
    await nextTurn()
    engine.open[1]?.resolve()
    assert.equal((await second).type, 'committed')
  })
})
