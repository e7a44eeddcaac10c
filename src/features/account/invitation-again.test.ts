import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { NOON, openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { listInboxMails } from '../mail/index.ts'
import { sendInvitationAgain } from './index.ts'

const users = UserService.method
const DAY = 86_400_000

for (const engine of engines) {
  test(`a visitor has an invitation sent again to our own page, for a week, until they are set up on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { call, owner } = world
    const address = 'ana@example.com'
    const profile = { firstName: 'A', lastName: 'B' }
    const email = { email: address, verification: { case: 'isVerified', value: true } } as const
    const { userId } = await call(users.addHumanUser, { username: 'ana', profile, email }, owner)
    const value = { urlTemplate: 'https://evil.example/?c={{.Code}}', applicationName: 'The Shop' }
    await call(users.createInviteCode, { userId, verification: { case: 'sendCode', value } }, owner)
    const mails = async () => {
      await world.runJobs()
      return (await listInboxMails(world.app, { recipient: address, limit: 10, descending: true })).mails
    }
    assert.match((await mails())[0]?.text ?? '', /evil\.example/)

    world.clock.now = instant(NOON + 6 * DAY)
    await sendInvitationAgain(world.app, userId)
    const [again, ...earlier] = await mails()
    assert.equal(earlier.length, 1)
    assert.match(again?.text ?? '', /localhost:8080\/accept-invitation/)
    assert.doesNotMatch(again?.text ?? '', /evil/)

    // Sent again, it did not become younger.
    world.clock.now = instant(NOON + 7 * DAY)
    await sendInvitationAgain(world.app, userId)
    assert.equal((await mails()).length, 2)
    await call(users.resendInviteCode, { userId }, owner)
    await sendInvitationAgain(world.app, userId)
    assert.equal((await mails()).length, 4)

    // As for the API, there is nothing to set up for a user who can sign in.
    const newPassword = { password: 'Correct horse 7 battery' }
    await call(users.setPassword, { userId, newPassword }, owner)
    const before = (await mails()).filter(({ text }) => text.includes('/accept-invitation')).length
    await sendInvitationAgain(world.app, userId)
    assert.equal((await mails()).filter(({ text }) => text.includes('/accept-invitation')).length, before)
  })
}
