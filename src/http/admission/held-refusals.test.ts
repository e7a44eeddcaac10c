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

/** The first few are answered at once; this uses them up. */
function openAfterMany() {
  const opened = openHeld()
  opened.add(0, 32)
  opened.held.release(0, 0, true)
  opened.answered.length = 0
  return opened
}

suite('refusals that are held', () => {
  test('the first few are answered at the end of the turn', () => {
    const { held, answered, add } = openHeld()
    add(0, 3)
    assert.deepEqual(answered, [])
    held.release(0, 0, true)
    assert.deepEqual(answered, [0, 1, 2])
  })

  test('while others wait, one is answered for eight requests that were started', () => {
    const { held, answered, add } = openAfterMany()
    add(1, 100)
    for (let turn = 0; turn < 10; turn++) held.release(1, 4, true)
    assert.equal(answered.length, 5)
  })

  test('when nothing waits, all are answered within a few turns', () => {
    const { held, answered, add } = openAfterMany()
    add(1, 100)
    for (let turn = 0; turn < 4; turn++) held.release(1, 0, false)
    assert.equal(answered.length, 100)
    assert.equal(held.length, 0)
  })

  test('each is answered after five seconds, or half of the time that its caller waits', () => {
    const { held, answered, add } = openAfterMany()
    add(1, 1)
    add(1, 1, 1_000)
    held.release(500, 0, true)
    assert.equal(answered.length, 0)
    held.release(700, 0, true)
    assert.deepEqual(answered, [33])
    held.release(5_100, 0, true)
    assert.deepEqual(answered, [33, 32])
  })

  test('no more than 2,000 are held: the oldest are answered at once', () => {
    const { held, answered, add } = openAfterMany()
    add(1, 2_010)
    assert.equal(held.length, 2_000)
    assert.deepEqual([answered.length, answered[0]], [10, 32])
  })

  test('callers who left cost nothing', () => {
    const { held, answered, gone, add } = openAfterMany()
    add(1, 10)
    for (let id = 32; id < 41; id++) gone.add(id)
    held.release(1, 8, true)
    assert.deepEqual(answered, [41])
  })
})
