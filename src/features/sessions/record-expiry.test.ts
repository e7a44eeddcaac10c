import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { durationFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { bothEngines } from '../../../test/support/engines.ts'
import {
  type Held,
  openSessionWorld,
  type Person,
  passwordCheck,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Store, storeRefusals } from '../../store/index.ts'
import { identifyBearer } from '../sign-in/index.ts'
import { anonymousCaller, updateSession } from './index.ts'
import { findSession } from './session-access.ts'

const MINUTE = 60_000

for (const engine of bothEngines) {
  suite(`expired sessions, and a clock that goes back, on ${engine.name}`, () => {
    let world: SessionWorld
    let person: Person
    before(async () => {
      world = await openSessionWorld(engine)
      person = await world.addPerson()
    })
    after(() => world.dispose())

    /** A session that lives for a minute, as a bearer. */
    const signIn = () =>
      world.create({ checks: { ...userCheck(person), ...passwordCheck() }, lifetime: durationFromMs(MINUTE) })
    const move = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const identify = ({ token }: Held) => identifyBearer(world.app, token, world.clock.now)
    const marksOf = ({ sessionId: id }: Held) =>
      world.store.events({ kinds: ['session'], id, types: ['session.expired.v1'], limit: 10 })

    test('a bearer that was refused as expired stays refused, and that is written once', async () => {
      const other = await world.another()
      const held = await signIn()
      move(MINUTE - 1)
      assert.equal((await identify(held))?.userId, person.userId)
      assert.deepEqual(await marksOf(held), [])
      move(1)
      const racers = Array.from({ length: 16 }, (_, racer) =>
        identifyBearer(racer % 2 === 0 ? world.app : other.app, held.token, world.clock.now),
      )
      assert.deepEqual(new Set(await Promise.all(racers)), new Set([undefined]))
      const seenAt = world.clock.now
      move(-MINUTE)
      for (const { app } of [world, other]) {
        assert.equal(await identifyBearer(app, held.token, world.clock.now), undefined)
      }
      await isRefused(world.call(v2.listSessions, {}, { bearer: held.token }), 'access.unauthenticated')
      move(10 * MINUTE)
      assert.equal(await identify(held), undefined)
      const marks = await marksOf(held)
      assert.deepEqual(
        marks.map(({ actor, data, at }) => [actor, data, at]),
        [['server', { seenAt }, seenAt]],
      )
    })

    test('every request that sees it records it, and every answer stays the same', async () => {
      const ways: Readonly<Record<string, (held: Held) => Promise<unknown>>> = {
        'a read with the token': ({ sessionId, token }) =>
          world.call(v2.getSession, { sessionId, sessionToken: token }, world.nobody),
        'a read of a caller who may': ({ sessionId }) => world.get(sessionId),
        'an update with the token': (held) => isRefused(world.set(held, {}), 'session.expired'),
        'an update of a caller who may': ({ sessionId }) =>
          isRefused(world.call(v2.setSession, { sessionId }, world.login), 'session.expired'),
      }
      for (const [way, see] of Object.entries(ways)) {
        const held = await signIn()
        await world.get(held.sessionId)
        move(MINUTE)
        await see(held)
        await see(held)
        assert.equal((await marksOf(held)).length, 1, way)
        move(-MINUTE)
        assert.equal(await identify(held), undefined, way)
        await see(held)
        const prolonging = { sessionId: held.sessionId, lifetime: durationFromMs(MINUTE) }
        await isRefused(world.call(v2.setSession, prolonging, world.login), 'session.expired')
        assert.equal((await marksOf(held)).length, 1, way)
      }
    })

    test('requests that may not see it record nothing, and an unseen one depends on the clock', async () => {
      const held = await signIn()
      const { sessionId } = held
      const next = await world.set(held, {})
      move(MINUTE)
      await isRefused(world.set(held, {}), 'session.token_invalid')
      await isRefused(world.call(v2.getSession, { sessionId }, world.nobody), 'access.forbidden')
      assert.equal(await identify(held), undefined)
      const { sessions } = await world.call(v2.listSessions, {}, world.owner)
      assert.ok(sessions.some(({ id }) => id === sessionId))
      assert.deepEqual(await marksOf(held), [])
      move(-MINUTE)
      assert.equal((await identify(next))?.userId, person.userId)
    })

    test('it is shown, listed and ended as before; its details name the last event', async () => {
      const held = await signIn()
      const { sessionId, token } = held
      const living = await world.get(sessionId)
      const ends = world.clock.now + MINUTE
      move(MINUTE + 5)
      assert.deepEqual(await world.get(sessionId), living)
      const { changeDate, sequence, ...rest } = await world.get(sessionId)
      const { changeDate: _, sequence: before, ...same } = living
      assert.deepEqual(rest, same)
      assert.equal(changeDate && timestampMs(changeDate), ends + 5)
      assert.deepEqual(
        [sequence],
        (await marksOf(held)).map((mark) => BigInt(mark.sequence)),
      )
      assert.ok(sequence > before)
      move(-MINUTE)
      const value = { ids: [sessionId] }
      const listed = await world.call(
        v2.listSessions,
        { queries: [{ query: { case: 'idsQuery', value } }] },
        world.owner,
      )
      assert.deepEqual(listed.sessions, [await world.get(sessionId)])
      await world.call(v2.deleteSession, { sessionId, sessionToken: token }, world.nobody)
      await isRefused(world.get(sessionId), 'session.not_found')
      await isRefused(world.set(held, {}), 'session.ended')
    })

    test('a request that cannot record it answers the same', async () => {
      const held = await signIn()
      const { sessionId, token } = held
      move(MINUTE)
      const at = world.clock.now
      const failures = [new Error('the disk is full'), refused(storeRefusals, 'store.conflict')]
      for (const failure of failures) {
        // Reads work; no write is kept.
        const broken: Store = {
          ...world.store,
          write: async (origin, build) => {
            await world.store.write(origin, async (work) => {
              await build(work)
              throw failure
            })
            return assert.fail('it was written')
          },
        }
        const app = { ...world.app, store: broken }
        assert.equal(await identifyBearer(app, token, at), undefined)
        const caller = { userId: 'other', organizationId: '', grants: [] }
        const shown = await findSession(app, { caller, at }, { sessionId, token })
        assert.equal(shown.id, sessionId)
        const visitor = anonymousCaller({ actor: 'visitor', at })
        await isRefused(updateSession(app, visitor, { sessionId, token }), 'session.expired')
      }
      assert.deepEqual(await marksOf(held), [])
      await world.get(sessionId)
      assert.equal((await marksOf(held)).length, 1)
    })
  })
}
