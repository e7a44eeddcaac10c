import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { bothEngines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { openSessionWorld, type SessionWorld, userCheck, v2 } from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { actorText } from '../../kernel/actor.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded } from '../../store/index.ts'
import { sessionRetention, sessionRetirements } from './documents.ts'

const DAY = 86_400_000

for (const engine of bothEngines) {
  suite(`sessions that are over on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const removeAt = (at: number, { store } = world) =>
      removeEnded({ store, instanceId: world.instanceId }, sessionRetention(30 * DAY), instant(at))

    test('are deleted after their retention, and every gap in the log is recorded', async () => {
      const start = world.clock.now
      const person = await world.addPerson()
      const ended = await world.create({ checks: userCheck(person) })
      const expired = await world.create({ checks: userCheck(person), lifetime: durationFromMs(DAY) })
      const living = await world.create({ checks: userCheck(person), lifetime: durationFromMs(100 * DAY) })
      await world.call(v2.deleteSession, { sessionId: ended.sessionId, sessionToken: ended.token }, world.nobody)
      const before = await readLog(world.store)

      assert.equal(await removeAt(start + 30 * DAY - 1), 0)
      assert.equal(await removeAt(start + 30 * DAY), 1)
      assert.equal(await removeAt(start + 31 * DAY - 1), 0)
      assert.equal(await removeAt(start + 31 * DAY), 1)
      assert.equal(await removeAt(start + 31 * DAY), 0)

      await isRefused(world.call(v2.getSession, { sessionId: ended.sessionId }, world.owner), 'session.not_found')
      await isRefused(world.set(expired, {}, world.login), 'session.not_found')
      await world.get(living.sessionId)
      assert.deepEqual(await world.store.events({ kinds: ['session'], id: ended.sessionId, limit: 10 }), [])

      const after = await readLog(world.store)
      const records = recordsIn(after, 'session.retired.v1')
      assert.equal(records.length, 2)
      assert.deepEqual(gapsIn(after), toldBy(records))
      assert.deepEqual(
        records.map(({ streams, events }) => [streams, events]),
        [
          [1, 3],
          [1, 2],
        ],
      )
      // The digest proves that a copy from before is the right one.
      const hash = createHash('sha256')
      for (const { sequence, kind, id, revision, type, data, actor, owner, at } of before) {
        if (kind === 'session' && id === ended.sessionId) {
          hash.update(`${JSON.stringify([sequence, kind, id, revision, type, data, actorText(actor), owner, at])}\n`)
        }
      }
      assert.equal(records[0]?.digest, hash.digest('hex'))
      const { state } = (await world.store.get(sessionRetirements, world.instanceId)) ?? assert.fail()
      assert.deepEqual(state, { streams: 2, events: 5 })
    })

    test('are deleted in few commits, on several nodes at once', async () => {
      const start = world.clock.now
      const other = await world.another()
      await Promise.all(Array.from({ length: 450 }, () => world.create({ lifetime: durationFromMs(1) })))
      const at = start + 1 + 30 * DAY
      const [one, two] = await Promise.all([removeAt(at), removeAt(at, { ...world, ...other })])
      assert.equal(one + two, 450)
      const after = await readLog(world.store)
      assert.deepEqual(gapsIn(after), toldBy(recordsIn(after, 'session.retired.v1')))
      await world.store.rebuild()
      assert.equal(await removeAt(at), 0)
    })
  })
}
