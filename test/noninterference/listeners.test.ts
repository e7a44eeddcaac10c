/** Applications of one tenant are told nothing about people of another that they are told about their own. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { findingsWith } from '../support/planted.ts'
import { ALIKE, searchListeners, unexplained } from './listeners.ts'

for (const engine of engines) {
  suite(`listeners (${engine.name})`, () => {
    test('take nobody of another tenant for one of their own, and every row that is meant is used', async () => {
      const told = await searchListeners(engine)
      assertNone(unexplained(told))
      const unused = ALIKE.filter(({ claims }) => !told.some(({ claim }) => claims.test(claim)))
      assertNone(unused.map(({ why }) => `nothing matches: ${why}`))
    })

    test('control: a foreign group in a claim is found', async () => {
      const found = await findingsWith('a foreign group in a claim', `${import.meta.dirname}/listeners.ts`)
      assert.match(found.join('\n'), /ID token tells groups \["wiki-admins"\] about both/)
    })
  })
}
