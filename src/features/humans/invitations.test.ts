import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { listInboxMails } from '../mail/index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

type Request = MessageInitShape<typeof AddHumanUserRequestSchema>

const profile = { firstName: 'Sam', lastName: 'Miller' }
const returnCode = { case: 'returnCode', value: {} } as const
const verified = { case: 'isVerified', value: true } as const

for (const engine of engines) {
  suite(`inviting humans and locking them out on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    let count = 0
    const add = async (more: Request = {}) => {
      const email = { email: `ana-${++count}@example.com`, verification: verified }
      return (await world.call(v2.addHumanUser, { profile, email, ...more } as Request, world.owner)).userId
    }
    const get = async (userId: string) => {
      const { user } = await world.call(v2.getUserByID, { userId }, world.owner)
      assert.ok(user?.type.case === 'human')
      return { ...user.type.value, username: user.username, state: user.state }
    }
    const call: World['call'] = (method, message, request) => world.call(method, message, request ?? world.owner)
    const mailsTo = async (recipient: string) => {
      await world.runJobs()
      return (await listInboxMails(world.app, { recipient, limit: 10, descending: true })).mails
    }

    suite('invitations', () => {
      test('are mailed, mailed again, and accepted once', async () => {
        const email = `invited-${++count}@example.com`
        const userId = await add({ email: { email, verification: { case: 'isVerified', value: false } } })
        await isRefused(call(v2.resendInviteCode, { userId }), 'user.not_invited')
        const isInvited = async () => (await call(v2.getUserByID, { userId })).user?.invited
        assert.equal(await isInvited(), false)
        const urlTemplate = 'https://app.example.com/join?u={{.UserID}}&c={{.Code}}'
        await call(v2.createInviteCode, {
          userId,
          verification: { case: 'sendCode', value: { urlTemplate, applicationName: 'The Shop' } },
        })
        assert.equal(await isInvited(), true)
        await call(v2.resendInviteCode, { userId })
        const mails = await mailsTo(email)
        assert.equal(mails.length, 2)
        const codes = mails.map(({ text }) => /c=([A-Z0-9]{6})/.exec(text)?.[1] ?? '')
        assert.equal(new Set(codes).size, 2)
        const outcomes = await Promise.allSettled(
          codes.map((verificationCode) => call(v2.verifyInviteCode, { userId, verificationCode })),
        )
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
        assert.equal(await isInvited(), false)
        const user = await get(userId)
        assert.deepEqual([user.state, user.email?.isVerified], [UserState.ACTIVE, true])
        for (const verificationCode of codes) {
          await isRefused(call(v2.verifyInviteCode, { userId, verificationCode }), 'verification.code_invalid')
        }
      })

      test('with the code in the reply cannot be mailed again', async () => {
        const userId = await add()
        const { inviteCode = '' } = await call(v2.createInviteCode, { userId, verification: returnCode })
        await isRefused(call(v2.resendInviteCode, { userId }), 'user.not_invited')
        await call(v2.verifyInviteCode, { userId, verificationCode: inviteCode })
      })

      test('are not for users who can sign in, and need a link that can be followed', async () => {
        const userId = await add({ passwordType: { case: 'password', value: { password: 'correct horse battery' } } })
        await isRefused(call(v2.createInviteCode, { userId }), 'user.already_set_up')
        const other = await add()
        const value = { urlTemplate: 'nowhere', applicationName: 'a\u0007b' }
        await isRefused(
          call(v2.createInviteCode, { userId: other, verification: { case: 'sendCode', value } }),
          'user.url_template_invalid',
          'sendCode.applicationName',
          'sendCode.urlTemplate',
        )
      })
    })

    suite('the last owner of the instance', () => {
      const lockOuts = (userId: string, request = world.owner) =>
        [
          () => call(v2.lockUser, { userId }, request),
          () => call(v2.deactivateUser, { userId }, request),
          () => call(v1.lockUser, { id: userId }, request),
          () => call(v1.deactivateUser, { id: userId }, request),
        ] as const
      const become = (userId: string) =>
        call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)

      test('cannot be locked or deactivated, by either service, and a machine does not take the place of a person', async () => {
        for (const lockOut of lockOuts(world.administratorId)) await isRefused(lockOut(), 'membership.last_owner')
        const other = await add()
        await become(other)
        await call(v2.lockUser, { userId: world.administratorId })
        for (const lockOut of lockOuts(other)) await isRefused(lockOut(), 'membership.last_owner')
        await call(v2.unlockUser, { userId: world.administratorId })
        await call(v2.deleteUser, { userId: other })
      })

      test('stays the person whose roles are changed, whoever else is a machine', async () => {
        const machine = await world.addMachine({ instanceRoles: ['IAM_OWNER'] })
        const roles = ['IAM_OWNER_VIEWER']
        await call(v2.lockUser, { userId: world.machineAdministratorId }, machine.request)
        const isLast = call(
          AdminService.method.updateIAMMember,
          { userId: world.administratorId, roles },
          machine.request,
        )
        await isRefused(isLast, 'membership.last_owner')
        await call(v2.unlockUser, { userId: world.machineAdministratorId }, machine.request)
      })

      test('stays when two owners are locked at once', async () => {
        const other = await add()
        await become(other)
        const outcomes = await Promise.allSettled(
          [world.administratorId, other].map((userId) => call(v2.lockUser, { userId })),
        )
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
        const locked = outcomes[0]?.status === 'fulfilled' ? world.administratorId : other
        await call(v2.unlockUser, { userId: locked })
      })

      test('and nobody at all locks or deactivates themselves', async () => {
        const { userId, request } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
        for (const lockOut of lockOuts(userId, request)) await isRefused(lockOut(), 'user.own_access')
      })
    })
  })
}
