import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Touched, Turns } from './document-turns.ts'

const [A, B, C] = ['a', 'b', 'c'].map((id) => ({ kind: 'box', id })) as [Box, Box, Box]
interface Box {
  readonly kind: string
  readonly id: string
}

function changing(...changes: readonly Box[]): Touched {
  return { changes, guards: [] }
}
function guarding(...guards: readonly Box[]): Touched {
  return { changes: [], guards }
}

/** Takes a turn and notes when it begins; `end` ends it. */
function turnOf(turns: Turns, touched: Touched, name: string, begun: string[]) {
  const taken = turns.take(touched).then((turn) => {
    begun.push(name)
    return turn
  })
  return { taken, end: async () => (await taken).end() }
}

suite('turns', () => {
  test('are taken one after the other at a document, and at once at different ones', async () => {
    const turns = new Turns()
    const begun: string[] = []
    const [first, second] = ['first', 'second'].map((name) => turnOf(turns, changing(A), name, begun))
    const elsewhere = turnOf(turns, changing(B), 'elsewhere', begun)
    await Promise.all([first?.taken, elsewhere.taken])
    await setImmediate()
    assert.deepEqual(begun, ['first', 'elsewhere'])
    await first?.end()
    await second?.taken
    assert.deepEqual(begun, ['first', 'elsewhere', 'second'])
  })

  test('are shared by those that only guard a document, and who changes it waits for all of them', async () => {
    const turns = new Turns()
    const begun: string[] = []
    const change = turnOf(turns, changing(A), 'change', begun)
    const guards = ['one', 'two'].map((name) => turnOf(turns, guarding(A), name, begun))
    const again = turnOf(turns, changing(A), 'again', begun)
    const last = turnOf(turns, guarding(A), 'last', begun)
    await change.end()
    await Promise.all(guards.map(({ taken }) => taken))
    assert.deepEqual(begun, ['change', 'one', 'two'])
    await guards[1]?.end()
    await setImmediate()
    assert.deepEqual(begun, ['change', 'one', 'two'])
    await guards[0]?.end()
    await again.taken
    await setImmediate()
    assert.deepEqual(begun, ['change', 'one', 'two', 'again'])
    await again.end()
    await last.taken
  })

  test('at several documents never wait for each other', async () => {
    const turns = new Turns()
    const begun: string[] = []
    const all = [
      [A, B],
      [B, A],
      [B, C],
      [C, A],
    ].map((documents, index) => turnOf(turns, changing(...documents), String(index), begun))
    for (const { end } of all) await end()
    assert.deepEqual(begun, ['0', '1', '2', '3'])
    assert.deepEqual(
      [A, B, C].map((one) => turns.isAwaited(changing(one))),
      [false, false, false],
    )
  })

  test('are awaited as long as someone waits', async () => {
    const turns = new Turns()
    const begun: string[] = []
    const first = turnOf(turns, changing(A), 'first', begun)
    await first.taken
    assert.equal(turns.isAwaited(changing(A)), false)
    const second = turnOf(turns, changing(A), 'second', begun)
    assert.deepEqual([turns.isAwaited(changing(B, A)), turns.isAwaited(changing(B))], [true, false])
    await first.end()
    await second.taken
    assert.equal(turns.isAwaited(changing(A)), false)
  })

  test('last a quarter of a second at most, because a writer may wait for one behind it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const turns = new Turns()
    const begun: string[] = []
    const first = turnOf(turns, changing(A), 'first', begun)
    const others = ['second', 'third'].map((name) => turnOf(turns, changing(A), name, begun))
    await first.taken
    t.mock.timers.tick(249)
    await setImmediate()
    assert.deepEqual(begun, ['first'])
    assert.equal((await first.taken).isOver, false)
    t.mock.timers.tick(1)
    await others[0]?.taken
    assert.equal((await first.taken).isOver, true)
    await setImmediate()
    assert.deepEqual(begun, ['first', 'second'])
    await first.end()
    await setImmediate()
    assert.deepEqual(begun, ['first', 'second'])
    await others[0]?.end()
    await others[1]?.end()
    assert.deepEqual(begun, ['first', 'second', 'third'])
    assert.equal(turns.isAwaited(changing(A)), false)
  })
})
