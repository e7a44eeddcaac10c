/** The hosted pages and expired sessions, with a clock that goes back. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { engines } from '../../../test/support/engines.ts'
import {
  openSessionWorld,
  type Person,
  passwordCheck,
  type SessionWorld,
  userCheck,
} from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import { readAccount } from '../account/index.ts'
import { findPerson, showFactor, signOut } from './index.ts'

const MINUTE = 60_000

for (const engine of engines) {
  suite(`the pages on ${engine.name} and an expired session`, () => {
    let world: SessionWorld
    let person: Person
    before(async () => {
      world = await openSessionWorld(engine)
      person = await world.addPerson()
    })
    after(() => world.dispose())

    const signIn = () =>
      world.create({ checks: { ...userCheck(person), ...passwordCheck() }, lifetime: durationFromMs(MINUTE) })
    const move = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const marks = async (id: string) =>
      (await world.store.events({ kinds: ['session'], id, types: ['session.expired.v1'], limit: 10 })).length

    test('never take it for a valid one again, once they have seen it', async () => {
      const ways: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
        'opening a page': async (token) => assert.equal(await findPerson(world.app, token), undefined),
        'sending a form': async (token) =>
          assert.deepEqual(await showFactor(world.app, token, { password: 'x' }), { outcome: 'gone' }),
        'signing out': (token) => signOut(world.app, token),
      }
      for (const [way, see] of Object.entries(ways)) {
        const { sessionId, token } = await signIn()
        assert.equal((await findPerson(world.app, token))?.userId, person.userId)
        assert.equal(await marks(sessionId), 0)
        move(MINUTE)
        await see(token)
        await see(token)
        move(-MINUTE)
        await see(token)
        assert.equal(await findPerson(world.app, token), undefined, way)
        assert.equal(await marks(sessionId), 1, way)
      }
    })

    test("do not list it among one's own again", async () => {
      const [seen, own] = [await signIn(), await signIn()]
      move(MINUTE)
      await world.get(seen.sessionId)
      move(-MINUTE)
      const reader = (await findPerson(world.app, own.token)) ?? assert.fail('no person is signed in')
      const ids = (await readAccount(world.app, reader)).sessions.map(({ id }) => id)
      assert.deepEqual([ids.includes(seen.sessionId), ids.includes(own.sessionId)], [false, true])
    })
  })
}
