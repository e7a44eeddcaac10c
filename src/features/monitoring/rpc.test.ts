/** The overview of the instance: what is counted, and who may read it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MonitoringService } from '../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'

const HOUR = 3_600_000
const boss = { bearer: 'boss' }

for (const engine of engines) {
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
