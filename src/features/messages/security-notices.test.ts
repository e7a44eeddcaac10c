/** Mails that tell users what changed in their account. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionWorld } from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import { listInboxMails } from '../mail/index.ts'
import { sendSecurityNotice } from './index.ts'
import { notices } from './security-notices.ts'

const api = UserService.method

for (const engine of engines) {
  suite(`security notices on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openSessionWorld(engine)
      afterwards(t, () => world.dispose())
      const person = await world.addPerson()
      const { call, owner } = world
      const { user } = await call(api.getUserByID, person, owner)
      const address = user?.type.case === 'human' ? (user.type.value.email?.email ?? '') : ''
      const types = async () => {
        await world.runJobs()
        const { mails } = await listInboxMails(world.app, { limit: 100, descending: false })
        return mails.filter(({ to }) => to === address).map(({ type }) => type)
      }
      const verify = () =>
        call(api.setEmail, { ...person, email: address, verification: { case: 'isVerified', value: true } }, owner)
      await verify()
      await types()
      return { ...world, person, address, types, before: (await types()).length }
    }

    test('follow new and removed factors, with the event in one commit', async (t) => {
      const { call, owner, person, types, before, addKey } = await open(t)
      const { userId } = person
      await addKey(person, 'passkey')
      await call(api.addOTPEmail, { userId }, owner)
      assert.deepEqual(
        (await types())
          .slice(before)
          .filter((type) => !/link|code/.test(type))
          .sort(),
        ['factor_added', 'passkey_added'],
      )
      await call(api.removeOTPEmail, { userId }, owner)
      assert.ok((await types()).includes('factor_removed'))
    })

    test('are sent once a minute of each kind', async (t) => {
      const { app, person, types, before, clock } = await open(t)
      const notice = { type: 'new_browser', userId: person.userId, detail: 'Firefox, Linux' } as const
      await sendSecurityNotice(app, notice)
      await sendSecurityNotice(app, notice)
      assert.deepEqual((await types()).slice(before), ['new_browser'])
      clock.now = instant(clock.now + 60_000)
      await sendSecurityNotice(app, notice)
      assert.deepEqual((await types()).slice(before), ['new_browser', 'new_browser'])
    })

    test('go to the address before a change, and never to an unverified one', async (t) => {
      const { app, call, owner, person, types, before } = await open(t)
      const { userId } = person
      const unverified = { case: 'returnCode', value: {} } as const
      await call(api.setEmail, { userId, email: 'other@example.com', verification: unverified }, owner)
      assert.deepEqual((await types()).slice(before), ['email_changed'])
      await call(api.setEmail, { userId, email: 'third@example.com', verification: unverified }, owner)
      await sendSecurityNotice(app, { type: 'new_browser', userId })
      await types()
      const { mails } = await listInboxMails(app, { limit: 100 })
      assert.deepEqual(
        mails.filter(({ to }) => to === 'other@example.com' || to === 'third@example.com').map(({ type }) => type),
        [],
      )
    })

    test('end with their user', async (t) => {
      const { app, call, owner, person, store, runJobs, addKey } = await open(t)
      await sendSecurityNotice(app, { type: 'new_browser', userId: person.userId })
      await runJobs()
      assert.ok(await store.get(notices, person.userId))
      await addKey(person, 'passkey')
      await call(api.deleteUser, person, owner)
      await runJobs()
      assert.equal(await store.get(notices, person.userId), undefined)
      const { mails } = await listInboxMails(app, { limit: 100 })
      assert.ok(!mails.some(({ type }) => type === 'factor_removed'))
    })
  })
}
