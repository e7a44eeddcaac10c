/** The key that signs is made when SAML is first used, however many ask at once. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { openOpenIdWorld } from '../support/openid-world.ts'

for (const engine of engines) {
  suite(`the keys of SAML on ${engine.name}`, () => {
    test('are the same for all who ask first', async () => {
      const world = await openOpenIdWorld({ engine })
      try {
        const ask = async (url: string) => {
          const answer = await fetch(`${url}/saml/v2/certificate`)
          return { status: answer.status, certificate: await answer.text() }
        }
        const another = await world.serveAnother()
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, at) => ask(at % 2 === 0 ? world.url : another.url)),
        )
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.equal(new Set(answers.map(({ certificate }) => certificate)).size, 1)
        assert.deepEqual(world.faults, [])
      } finally {
        await world.dispose()
      }
    })
  })
}
