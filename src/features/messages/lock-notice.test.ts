import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { listInboxMails } from '../mail/index.ts'

const { addHumanUser, getUserByID, listUsers, passwordReset, setPassword, unlockUser } = UserService.method
const OLD = 'an old password of mine'
const NEW = 'quite another secret'

for (const engine of engines) {
  test(`the owner is told of each lock once, reads as locked while it lasts, and comes back in on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { owner, call, clock } = world
    await call(AdminService.method.updateLockoutPolicy, { maxPasswordAttempts: 2, maxOtpAttempts: 2 }, owner)
    const profile = { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'de' }
    const email = { email: 'ada@example.com', verification: { case: 'isVerified', value: true } } as const
    const passwordType = { case: 'password', value: { password: OLD } } as const
    const { userId } = await call(addHumanUser, { username: 'ada', profile, email, passwordType }, owner)
    const user = { search: { case: 'userId', value: userId } } as const
    const signIn = (password: string) =>
      call(SessionService.method.createSession, { checks: { user, password: { password } } }, owner)
    const read = async () => {
      const { user: one } = await call(getUserByID, { userId }, owner)
      const { result } = await call(listUsers, {}, owner)
      assert.equal(result.find((found) => found.userId === userId)?.state, one?.state)
      return one
    }
    const mails = async () => {
      await world.runJobs()
      return (await listInboxMails(world.app, { recipient: 'ada@example.com', limit: 10, descending: true })).mails
    }

    for (let i = 0; i < 2; i++) await isRefused(signIn('wrong'), 'password.wrong')
    for (let i = 0; i < 2; i++) await isRefused(signIn(OLD), 'attempts.locked')
    assert.equal((await read())?.state, UserState.LOCKED)
    const [first, ...others] = await mails()
    assert.match(first?.subject ?? '', /gesperrt/)
    assert.match(first?.text ?? '', /ada/)
    assert.deepEqual(others, [])

    clock.now = instant(clock.now + 60_000)
    assert.equal((await read())?.state, UserState.ACTIVE)
    await isRefused(signIn('wrong'), 'password.wrong')
    assert.equal((await mails()).length, 2)

    clock.now = instant(clock.now + 1000)
    const { details } = await call(unlockUser, { userId }, owner)
    assert.equal(details?.changeDate?.seconds, BigInt(clock.now / 1000))
    const unlocked = await read()
    assert.deepEqual([unlocked?.state, unlocked?.details], [UserState.ACTIVE, details])
    await signIn(OLD)

    // A code that was sent to the owner works during a lock, and a new password ends it.
    for (let i = 0; i < 2; i++) await isRefused(signIn('wrong'), 'password.wrong')
    const medium = { case: 'returnCode', value: {} } as const
    const { verificationCode = '' } = await call(passwordReset, { userId, medium }, owner)
    const verification = { case: 'verificationCode', value: verificationCode } as const
    await call(setPassword, { userId, newPassword: { password: NEW }, verification }, owner)
    await signIn(NEW)
  })
}
