import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { boxes, crates } from '../../../test/support/sample-kind.ts'
import { type Seen, SeenStreams } from './seen-streams.ts'

function seen(kind: Seen['kind'], id: string, text: string): Seen {
  const nothing = { row: undefined, owner: undefined, state: () => undefined, gone: false, removed: false, events: [] }
  return { kind, id, text, ...nothing }
}

suite('the streams of a work', () => {
  test('are found, and in the order in which they were put last', () => {
    const kind = fc.constantFrom(boxes, crates)
    const steps = fc.array(fc.record({ kind, id: fc.nat({ max: 60 }).map(String) }), {
      size: 'large',
    })
    const check = (given: readonly { kind: Seen['kind']; id: string }[]) => {
      const streams = new SeenStreams()
      let expected: Seen[] = []
      for (const [index, { kind, id }] of given.entries()) {
        const now = seen(kind, id, `${index}`)
        const before = expected.find((one) => one.kind === kind && one.id === id)
        assert.equal(streams.get(kind, id), before)
        streams.put(now)
        expected = [...expected.filter((one) => one !== before), now]
      }
      assert.deepEqual([...streams], expected)
      assert.equal(streams.size, expected.length)
    }
    fc.assert(fc.property(steps, check))
  })
})
