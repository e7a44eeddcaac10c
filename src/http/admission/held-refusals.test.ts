import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HeldRefusals } from './held-refusals.ts'

function openHeld() {
  const held = new HeldRefusals()
  const answered: number[] = []
  const gone = new Set<number>()
  let next = 0
  const add = (now: number, count: number, timeoutMs?: number) => {
    for (let left = count; left > 0; left--) {
      const id = next++
      held.add({ timeoutMs: () => timeoutMs, refuse: () => answered.push(id), isOver: () => gone.has(id) }, now)
    }
  }
  return { held, answered, gone, add }
}

/** Callers have put up with this many refusals; the last of them was answered at 1,000 ms. */
function openAfter(count: number) {
  const opened = openHeld()
  for (let turn = 1; turn <= 10; turn++) {
    opened.add(turn * 100, count / 10)
    opened.held.release(turn * 100, 0, false)
    while (opened.held.length > 0) opened.held.release(turn * 100, 0, false)
  }
  // What may be answered at once is used up.
  opened.held.release(1_000, 0, false)
  opened.add(1_000, 32)
  opened.held.release(1_000, 0, true)
  opened.answered.length = 0
  return opened
}

/** How long the next refusal is held. */
function holdMs({ held, answered, add }: ReturnType<typeof openHeld>, from: number, timeoutMs?: number): number {
  add(from, 1, timeoutMs)
  const before = answered.length
  let now = from
  while (answered.length === before) {
    now += 10
    held.release(now, 0, true)
  }
  return now - from
}

suite('refusals that are held', () => {
  test('the first few are answered at the end of the turn', () => {
    const { held, answered, add } = openHeld()
    add(0, 3)
    assert.deepEqual(answered, [])
    held.release(0, 0, true)
    assert.deepEqual(answered, [0, 1, 2])
  })

  test('the longer callers put up with it, the longer they wait, up to five seconds', () => {
    const times = [100, 300, 1_000, 2_000].map((count) => holdMs(openAfter(count), 1_000))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok((times[0] ?? 0) < 500)
    assert.equal(Math.floor((times[3] ?? 0) / 200), 25)
  })

  test('a caller who waits less is answered in half of that time', () => {
    assert.ok(holdMs(openAfter(1_000), 1_000, 1_000) <= 600)
  })

  test('when callers leave, the next ones are answered sooner', () => {
    const opened = openAfter(2_000)
    opened.add(1_000, 1)
    opened.gone.add(2_032)
    opened.held.release(1_100, 0, true)
    assert.ok(holdMs(opened, 1_100) < 3_000)
  })

  test('when callers open other connections instead of waiting, the next ones are answered sooner', () => {
    const opened = openAfter(2_000)
    for (let count = 0; count < 100; count++) opened.held.noteConnection()
    opened.held.release(1_100, 0, true)
    assert.ok(holdMs(opened, 1_100) < 3_000)
  })

  test('while others wait, one is answered for eight requests that were started', () => {
    const { held, answered, add } = openAfter(1_000)
    add(1_000, 100)
    for (let turn = 0; turn < 10; turn++) held.release(1_000, 4, true)
    assert.equal(answered.length, 5)
  })

  test('when nothing waits, all are answered within a few turns', () => {
    const { held, answered, add } = openAfter(1_000)
    add(1_000, 100)
    for (let turn = 0; turn < 4; turn++) held.release(1_000, 0, false)
    assert.equal(answered.length, 100)
    assert.equal(held.length, 0)
  })

  test('no more than 2,000 are held: the oldest are answered at once', () => {
    const { held, answered, add } = openAfter(1_000)
    add(1_000, 2_010)
    assert.equal(held.length, 2_000)
    assert.deepEqual([answered.length, answered[0]], [10, 1_032])
  })

  test('callers who left cost nothing', () => {
    const { held, answered, gone, add } = openAfter(1_000)
    add(1_000, 10)
    for (let id = 1_032; id < 1_041; id++) gone.add(id)
    held.release(1_000, 8, true)
    assert.deepEqual(answered, [1_041])
  })
})
