import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { engines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { openSessionHouse, type SessionHouse, userCheck, v2 } from '../../../test/support/session-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded } from '../../store/index.ts'
import { leavingSessions, sessionRetirements } from './index.ts'

const DAY = 86_400_000

for (const engine of engines) {
  suite(`sessions that are over on ${engine.name}`, () => {
    let house: SessionHouse
    before(async () => {
      house = await openSessionHouse(engine)
    })
    after(() => house.dispose())

    const retire = (at: number, { store } = house) =>
      removeEnded({ store, instanceId: house.instanceId }, leavingSessions(30 * DAY), instant(at))

    test('stay for their time, then leave, and every gap in the log is accounted for', async () => {
      const start = house.clock.now
      const person = await house.addPerson()
      const ended = await house.create({ checks: userCheck(person) })
      const expired = await house.create({ checks: userCheck(person), lifetime: durationFromMs(DAY) })
      const living = await house.create({ checks: userCheck(person), lifetime: durationFromMs(100 * DAY) })
      await house.call(v2.deleteSession, { sessionId: ended.sessionId, sessionToken: ended.token }, house.nobody)
      const before = await readLog(house.store)

      assert.equal(await retire(start + 30 * DAY - 1), 0)
      assert.equal(await retire(start + 30 * DAY), 1)
      assert.equal(await retire(start + 31 * DAY - 1), 0)
      assert.equal(await retire(start + 31 * DAY), 1)
      assert.equal(await retire(start + 31 * DAY), 0)

      await isRefused(house.call(v2.getSession, { sessionId: ended.sessionId }, house.owner), 'session.not_found')
      await isRefused(house.set(expired, {}, house.login), 'session.not_found')
      await house.get(living.sessionId)
      assert.deepEqual(await house.store.events({ kinds: ['session'], id: ended.sessionId, limit: 10 }), [])

      const after = await readLog(house.store)
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
      // Whoever has the log from before can prove that it is the right one.
      const hash = createHash('sha256')
      for (const { sequence, kind, id, revision, type, data, actor, owner, at } of before) {
        if (id === ended.sessionId) {
          hash.update(`${JSON.stringify([sequence, kind, id, revision, type, data, actor, owner, at])}\n`)
        }
      }
      assert.equal(records[0]?.digest, hash.digest('hex'))
      const { state } = (await house.store.get(sessionRetirements, house.instanceId)) ?? assert.fail()
      assert.deepEqual(state, { streams: 2, events: 5 })
    })

    test('leave in few commits, however many nodes let them go', async () => {
      const start = house.clock.now
      const other = await house.another()
      await Promise.all(Array.from({ length: 450 }, () => house.create({ lifetime: durationFromMs(1) })))
      const at = start + 1 + 30 * DAY
      const [one, two] = await Promise.all([retire(at), retire(at, { ...house, ...other })])
      assert.equal(one + two, 450)
      const after = await readLog(house.store)
      assert.deepEqual(gapsIn(after), toldBy(recordsIn(after, 'session.retired.v1')))
      await house.store.rebuild()
      assert.equal(await retire(at), 0)
    })
  })
}
