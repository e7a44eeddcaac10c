import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { openRefusalDelay } from '../../web/page-tools.ts'
import { passwords, slowestCheckMilliseconds } from './index.ts'

function bcrypt(cost: number): string {
  return `$2b$${cost}$${'a'.repeat(53)}`
}

for (const engine of engines) {
  suite(`slow hashes on ${engine.name}`, () => {
    let world: PasswordWorld
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())

    test('delay the refusals for every name while a user has one, and no longer', async () => {
      // The answer is kept for a while, so each moment is asked of another node.
      const slowest = async () => slowestCheckMilliseconds((await world.another()).app)
      const delay = async () => {
        const waits: number[] = []
        const startedAt = performance.now()
        const refuse = openRefusalDelay(400, slowest, async (milliseconds) => waits.push(milliseconds))
        await refuse(startedAt)
        return waits[0] ?? 0
      }
      assert.equal(await slowest(), 0)
      await world.addPerson({ hash: bcrypt(10) })
      assert.equal(await slowest(), 0)
      assert.ok((await delay()) <= 400)
      await world.addPerson({ hash: bcrypt(12) })
      const userId = await world.addPerson({ hash: bcrypt(14) })
      assert.ok((await slowest()) >= 2 * 2 ** 14 * 0.075)
      assert.ok((await delay()) > 1000)
      // As the next sign-in does it.
      const hash = await world.hashing.hash('a new hash of ours')
      await world.store.write(world.origin(), (work) =>
        work.decide(passwords, userId, { type: 'rehash', from: bcrypt(14), hash }),
      )
      const left = await slowest()
      assert.ok(left >= 2 * 2 ** 12 * 0.075 && left < 2 ** 13 * 0.075 * 2)
    })

    test('are not imported when one check would take longer than refusals are ever delayed', async () => {
      const add = (hash: string) =>
        world.call(
          UserService.method.addHumanUser,
          {
            profile: { firstName: 'Ada', lastName: 'Lovelace' },
            email: { email: 'slow@example.com', verification: { case: 'isVerified', value: true } },
            passwordType: { case: 'hashedPassword', value: { hash } },
          },
          { bearer: 'boss' },
        )
      const sha512 = `$6$rounds=9000000$saltsalt$${'a'.repeat(86)}`
      await isRefused(add(sha512), 'password.hash_cost_out_of_bounds', 'hashedPassword.hash')
      await add(bcrypt(16))
    })
  })
}
