/** The overview of the instance: what is counted, and who may read it. */
import assert from 'node:assert/strict'
import { after, before, suite, type TestContext, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MonitoringService } from '../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines, openTestStore } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { accept } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { kind } from '../../store/index.ts'
import { countSignIns } from './sign-ins.ts'

const HOUR = 3_600_000
const boss = { bearer: 'boss' }

type SignInEvent = EventOf<typeof signInEvents>
type Line = readonly [type: SignInEvent['type'], id: string, at: number]

const signInEvents = declareEvents({
  'session.password_checked.v1': data(),
  'session.web_authn_checked.v1': data(),
  'session.intent_checked.v1': data(),
  'session.check_failed.v1': data(),
  'attempts.failed.v1': data(),
})

/** A kind whose streams have the events of sign-ins at any time, without the rules of real sessions. */
const signIns = kind({
  name: 'session',
  version: 1,
  events: signInEvents,
  decider: {
    initial: {},
    evolve: (state: object) => state,
    decide: (type: SignInEvent['type']) => accept({ type, data: {} } as SignInEvent),
  },
  refusals: {},
  fields: {},
})

for (const engine of engines) {
  suite(`the sign-ins of a day on ${engine.name}`, () => {
    const withLog = async (t: TestContext, lines: readonly Line[]): Promise<Pick<App, 'store'>> => {
      const opened = await openTestStore([signIns], engine)
      afterwards(t, () => opened.dispose())
      for (const [type, id, at] of lines) {
        await opened.store.write({ actor: 'a', at: instant(at) }, (work) => work.decide(signIns, id, type, 'org'))
      }
      return opened
    }

    test('are counted by the hour: a session once in an hour, each failure, and nothing older', async (t) => {
      const log = await withLog(t, [
        ['session.password_checked.v1', 'old', NOON - 24 * HOUR],
        ['session.password_checked.v1', 'a', NOON - 23 * HOUR],
        ['session.web_authn_checked.v1', 'a', NOON - 23 * HOUR + 1],
        ['session.check_failed.v1', 'd', NOON - HOUR],
        ['session.password_checked.v1', 'b', NOON],
        ['attempts.failed.v1', 'ada', NOON],
        ['session.intent_checked.v1', 'c', NOON + 1],
        ['attempts.failed.v1', 'ada', NOON + 1],
      ])
      const { hours, completeSince } = await countSignIns(log, instant(NOON + HOUR / 2))
      assert.equal(hours.length, 24)
      assert.deepEqual(hours[0], { start: NOON - 23 * HOUR, succeeded: 1, failed: 0 })
      assert.deepEqual(hours[22], { start: NOON - HOUR, succeeded: 0, failed: 1 })
      assert.deepEqual(hours[23], { start: NOON, succeeded: 2, failed: 2 })
      assert.equal(completeSince, undefined)
    })

    test('are counted back to a bound, which the answer names', async (t) => {
      const lines = Array.from({ length: 9 }, (_, index) => ['attempts.failed.v1', 'ada', NOON - 9 + index] as const)
      const log = await withLog(t, lines)
      const { hours, completeSince } = await countSignIns(log, instant(NOON), { pageSize: 2, mostPages: 3 })
      assert.equal(hours[22]?.failed, 6)
      assert.equal(completeSince, NOON - 6)
      const all = await countSignIns(log, instant(NOON), { pageSize: 2, mostPages: 5 })
      assert.equal(all.hours[22]?.failed, 9)
      assert.equal(all.completeSince, undefined)
    })
  })

  suite(`the overview on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const overview = (bearer = 'boss') => world.call(MonitoringService.method.getOverview, {}, { bearer })

    test('counts users and says whether there is a mail server', async () => {
      const before = await overview()
      await world.call(ManagementService.method.addMachineUser, { userName: 'robot', name: 'Robot' }, boss)
      assert.equal((await overview()).users, before.users + 1n)
      assert.equal(before.mailServerActive, false)
      const server = { senderAddress: 'a@example.com', senderName: 'A', host: '127.0.0.1:1' }
      await world.call(AdminService.method.addSMTPConfig, server, boss)
      const { mailServerActive, mailsWaiting, mailsFailed, sessions, signIns } = await overview()
      assert.equal(mailServerActive, true)
      assert.deepEqual([mailsWaiting, mailsFailed, sessions], [0n, 0n, 0n])
      assert.equal(signIns.length, 24)
      assert.deepEqual(signIns.at(-1)?.start, timestampFromMs(Math.floor(NOON / HOUR) * HOUR))
    })

    test('counts the owners who are people and can sign in', async (t) => {
      const real = await openWorld({ engine })
      afterwards(t, () => real.dispose())
      const owners = async () => (await real.call(MonitoringService.method.getOverview, {}, real.owner)).owners
      const add = async (name: string, more: object) => {
        const email = { email: `${name}@example.com`, verification: { case: 'isVerified', value: true } } as const
        const profile = { firstName: name, lastName: 'Bird' }
        const { userId } = await real.call(UserService.method.addHumanUser, { profile, email, ...more }, real.owner)
        await real.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, real.owner)
        return userId
      }
      const before = await owners()
      assert.equal(before, 0n, 'the machine with the first token is no person, and the first person is not set up')
      const password = { passwordType: { case: 'password', value: { password: 'correct horse battery' } } }
      const userId = await add('bea', password)
      assert.equal(await owners(), 1n)
      await real.call(UserService.method.createInviteCode, { userId: await add('invited', {}) }, real.owner)
      assert.equal(await owners(), 1n, 'whoever is invited cannot sign in yet')
      await real.call(UserService.method.deactivateUser, { userId }, real.owner)
      assert.equal(await owners(), 0n)
    })

    test('is for administrators of the instance', async () => {
      await isRefused(overview('north'), 'access.forbidden')
      await isRefused(overview('nobody'), 'access.forbidden')
    })
  })
}
