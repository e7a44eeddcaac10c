import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { EXTERNAL_URL, openHouse } from '../../../test/support/in-memory.ts'
import { isRefused } from '../../../test/support/small-house.ts'

const { addHumanUser, createPasskeyRegistrationLink, registerPasskey } = UserService.method

test('a link to register a passkey leads to our own page, or to where its template says', async (t) => {
  const house = await openHouse()
  t.after(() => house.dispose())
  const profile = { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'de' }
  const email = { email: 'ada@example.com', verification: { case: 'isVerified', value: true } } as const
  const { userId } = await house.call(addHumanUser, { username: 'ada', profile, email }, house.owner)
  const orgId = house.defaultOrganizationId
  const lastMail = async () => {
    await house.runJobs()
    const { mails } = await house.rooms.mail.inbox.list({ recipient: 'ada@example.com', limit: 1, descending: true })
    return mails[0] ?? assert.fail('no mail came')
  }

  await house.call(createPasskeyRegistrationLink, { userId }, house.owner)
  const mail = await lastMail()
  assert.match(mail.subject, /Passkey/)
  const link = new URL(/http:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  assert.equal(link.origin, EXTERNAL_URL)
  assert.equal(link.pathname, '/ui/passkeys/register')
  const { codeId = '', code = '', ...rest } = Object.fromEntries(link.searchParams)
  assert.deepEqual(rest, { userId, orgId, lang: 'de' })
  await house.call(registerPasskey, { userId, code: { id: codeId, code } }, house.owner)

  const send = (urlTemplate: string) => {
    const medium = { case: 'sendLink', value: { urlTemplate } } as const
    return house.call(createPasskeyRegistrationLink, { userId, medium }, house.owner)
  }
  await send('https://login.example.com/{{.OrgID}}?u={{.UserID}}&i={{.CodeID}}&c={{.Code}}')
  assert.match(
    (await lastMail()).text,
    new RegExp(`https://login.example.com/${orgId}\\?u=${userId}&i=[0-9a-f-]{36}&c=`),
  )
  await isRefused(send('https://login.example.com/{{.Password}}'), 'passkey.link_invalid', 'sendLink.urlTemplate')
})
