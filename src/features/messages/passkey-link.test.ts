import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { EXTERNAL_URL, openWorld } from '../../../test/support/world.ts'
import { listInboxMails } from '../mail/index.ts'

const { addHumanUser, createPasskeyRegistrationLink, registerPasskey } = UserService.method

test('a link to register a passkey leads to our own page, or to where its template says', async (t) => {
  const world = await openWorld()
  t.after(() => world.dispose())
  const profile = { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'de' }
  const email = { email: 'ada@example.com', verification: { case: 'isVerified', value: true } } as const
  const { userId } = await world.call(addHumanUser, { username: 'ada', profile, email }, world.owner)
  const orgId = world.defaultOrganizationId
  const lastMail = async () => {
    await world.runJobs()
    const { mails } = await listInboxMails(world.app, { recipient: 'ada@example.com', limit: 1, descending: true })
    return mails[0] ?? assert.fail('no mail came')
  }

  await world.call(createPasskeyRegistrationLink, { userId }, world.owner)
  const mail = await lastMail()
  assert.match(mail.subject, /Passkey/)
  const link = new URL(/http:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  assert.equal(link.origin, EXTERNAL_URL)
  assert.equal(link.pathname, '/ui/passkeys/register')
  const { codeId = '', code = '', ...rest } = Object.fromEntries(link.searchParams)
  assert.deepEqual(rest, { userId, orgId, lang: 'de' })
  await world.call(registerPasskey, { userId, code: { id: codeId, code } }, world.owner)

  const send = (urlTemplate: string) => {
    const medium = { case: 'sendLink', value: { urlTemplate } } as const
    return world.call(createPasskeyRegistrationLink, { userId, medium }, world.owner)
  }
  await send('https://login.example.com/{{.OrgID}}?u={{.UserID}}&i={{.CodeID}}&c={{.Code}}')
  assert.match((await lastMail()).text, new RegExp(`https://login.example.com/${orgId}\\?u=${userId}&i=\\d{18}&c=`))
  await isRefused(send('https://login.example.com/{{.Password}}'), 'passkey.link_invalid', 'sendLink.urlTemplate')
})
