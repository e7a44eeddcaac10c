import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { ORIGIN, type PasskeyWorld, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { openWorld } from '../../../test/support/world.ts'
import { Refused } from '../../kernel/refusal.ts'
import { finishRegistration, keysOf, startRegistration } from './index.ts'

for (const engine of bothEngines) {
  suite(`many at once on ${engine.name}`, () => {
    let world: PasskeyWorld
    before(async () => {
      world = await openWorld({ engine }, withPasskeys())
    })
    after(() => world.dispose())

    const start = (userId: string) =>
      startRegistration(world.app, world.origin(), { userId, use: 'passkey', domain: '' })
    const finish = (
      userId: string,
      { passkeyId, options }: Awaited<ReturnType<typeof start>>,
      { authenticator = newAuthenticator(), app = world.app } = {},
    ) => {
      const credential = authenticator.create(options, { origin: ORIGIN })
      const given = { userId, use: 'passkey', passkeyId, credential, name: 'Racer', nameField: 'passkeyName' } as const
      return finishRegistration(app, world.origin(), given)
    }
    const winnersOf = async (racers: readonly Promise<unknown>[]): Promise<number> => {
      const results = await Promise.allSettled(racers)
      for (const result of results) {
        if (result.status === 'rejected') assert.ok(result.reason instanceof Refused, String(result.reason))
      }
      return results.filter(({ status }) => status === 'fulfilled').length
    }

    test('answers to one registration over two nodes: one key', async () => {
      const another = await world.another()
      for (let round = 0; round < 5; round++) {
        const userId = await world.addPerson()
        const begun = await start(userId)
        const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? world.app : another.app))
        assert.equal(await winnersOf(nodes.map((app) => finish(userId, begun, { app }))), 1)
        assert.equal((await keysOf(world.app, userId)).length, 1)
      }
    })

    test('people with one credential: one owner', async () => {
      const authenticator = newAuthenticator()
      const people = await Promise.all(Array.from({ length: 8 }, () => world.addPerson()))
      const begun = await Promise.all(people.map(async (userId) => [userId, await start(userId)] as const))
      assert.equal(await winnersOf(begun.map(([userId, one]) => finish(userId, one, { authenticator }))), 1)
    })
  })
}
