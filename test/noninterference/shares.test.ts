/** What one tenant uses up is not missing to another. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { findingsWith } from '../support/planted.ts'
import { useUp } from './shares.ts'

for (const engine of engines) {
  suite(`what all use together (${engine.name})`, () => {
    test('is there for one tenant when another one has used up its share', async () => {
      const { started, refusal, afterwards } = await useUp(engine)
      assert.equal(refusal, 'intent.too_many', `${started}`)
      assert.equal(afterwards, 'passes')
    })

    test('control: a share without owner is found', async () => {
      const found = await findingsWith('a share without owner', `${import.meta.dirname}/shares.ts`)
      assert.match(found.join(), /A is refused with intent\.too_many/)
    })
  })
}
