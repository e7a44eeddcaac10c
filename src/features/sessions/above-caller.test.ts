import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { appointMember } from '../administrators/index.ts'
import { listInboxMails } from '../mail/index.ts'

const users = UserService.method
const { createSession, setSession, deleteSession } = SessionService.method
const PASSWORD = 'Correct horse 7 battery'

for (const engine of engines) {
  test(`a login client signs in an owner of the instance, and does not get hold of their sessions on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { call, owner, instanceId } = world
    const { request: login } = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
    const add = async (username: string): Promise<string> => {
      const message = {
        username,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: `${username}@example.com`, verification: { case: 'isVerified', value: true } },
        passwordType: { case: 'password', value: { password: PASSWORD } },
      } as const
      const { userId } = await call(users.addHumanUser, message, owner)
      await call(users.addOTPEmail, { userId }, owner)
      return userId
    }
    const [chief, plain] = [await add('chief'), await add('plain')]
    const scope = { level: 'instance', id: instanceId } as const
    const member = { scope, userId: chief, roles: ['IAM_OWNER'] }
    await world.store.write(world.origin(), (work) => appointMember(work, member))

    const begin = (userId: string) =>
      call(createSession, { checks: { user: { search: { case: 'userId', value: userId } } } }, login)
    const returned = { otpEmail: { deliveryType: { case: 'returnCode', value: {} } } } as const
    const urlTemplate = 'https://evil.example/?c={{.Code}}'
    const challenges = { otpEmail: { deliveryType: { case: 'sendCode', value: { urlTemplate } } } } as const

    // The client that created the session and sends its token continues, as for everybody.
    const { sessionId, sessionToken: first } = await begin(chief)
    const checks = { password: { password: PASSWORD } }
    const { sessionToken } = await call(setSession, { sessionId, sessionToken: first, checks }, login)
    await isRefused(call(setSession, { sessionId }, login), 'user.above_own')
    await isRefused(call(setSession, { sessionId, lifetime: { seconds: 1n } }, login), 'user.above_own')
    await isRefused(call(deleteSession, { sessionId }, login), 'user.above_own')

    // No code of theirs is returned, and no link leads to a page of the client.
    const asked = { sessionId, sessionToken, challenges: returned }
    await isRefused(call(setSession, asked, login), 'user.above_own')
    const sent = await call(setSession, { sessionId, sessionToken, challenges }, login)
    await world.runJobs()
    const lastMail = async (recipient: string) =>
      (await listInboxMails(world.app, { recipient, limit: 1, descending: true })).mails[0]?.text ?? ''
    assert.doesNotMatch(await lastMail('chief@example.com'), /evil/)
    await call(deleteSession, { sessionId, sessionToken: sent.sessionToken }, login)

    // Users without roles are covered, and an owner of the instance covers everybody.
    const other = await begin(plain)
    await call(setSession, { sessionId: other.sessionId, challenges }, login)
    await world.runJobs()
    assert.match(await lastMail('plain@example.com'), /evil/)
    assert.ok(
      (await call(setSession, { sessionId: other.sessionId, challenges: returned }, login)).challenges?.otpEmail,
    )
    await call(deleteSession, { sessionId: other.sessionId }, login)
    const third = await begin(chief)
    await call(setSession, { sessionId: third.sessionId }, owner)
  })
}
