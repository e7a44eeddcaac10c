import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { boxes } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import { computation } from './computation.ts'
import type { Finder, Store } from './types.ts'

const labels = computation({
  name: 'label',
  compute: async (finder, id: string) => (await finder.get(boxes, id))?.state.label,
})
const owners = computation({
  name: 'owner of a secret',
  compute: async (_finder, _secret: string, _digest: string) => 'ada',
  key: (_secret, digest) => digest,
})

suite('a computation', () => {
  test('has no time in reach: it is declared once, and not anew for each request', () => {
    const during = (at: number) => computation({ name: 'of a request', compute: async () => at })
    during(1)
    assert.throws(() => during(2), /of a request is declared twice/)
  })

  test('is about texts, not about a time, and the store takes nothing that was not declared', () => {
    // Compiled, and not run: without the errors that are expected here, the check of types fails.
    const compiled = (store: Store) => [
      store.computed(labels, 'box'),
      // @ts-expect-error: an instant is not a text.
      store.computed(labels, instant(1)),
      // @ts-expect-error: it was not declared.
      store.computed({ keyOf: () => 'key', compute: async () => instant(1) }),
    ]
    assert.equal(compiled.length, 1)
    assert.equal(labels.keyOf(['box']), 'label\0box')
  })

  test('of a secret keeps no secret', () => {
    assert.equal(owners.keyOf(['secret', 'digest']), 'owner of a secret\0digest')
  })

  test('reads with the finder that it gets', async () => {
    const finder = { get: async () => ({ state: { label: 'a' } }) } as unknown as Finder
    assert.equal(await labels.compute(finder, ['box']), 'a')
  })
})
