/** Passwords of mail servers, signing keys of webhooks, and codes on their way through both. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MailService } from '../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../support/afterwards.ts'
import { startSmtp } from '../support/smtp.ts'
import { addPerson } from './people.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const admin = AdminService.method
const v2 = UserService.method

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(20)
}

/** The code that stands alone on a line of a mail, and in its link. */
function codesIn(text: string): readonly string[] {
  const plain = text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return [...plain.matchAll(/[?&]code=([A-Z0-9-]{6,})|^\s*([A-Z0-9]{6,10})\s*$/gm)].map(([, a, b]) => a ?? b ?? '')
}

/** Mails that never leave: they lie in the development inbox. */
export async function exerciseInbox(client: SecretClient): Promise<void> {
  const userId = await addPerson(client)
  const recipient = `inbox-${client.next()}@example.com`
  await client.call(v2.setEmail, { userId, email: recipient, sendCode: {} })
  const { mail } = await client.call(MailService.method.waitForMail, { recipient })
  const [code] = codesIn(textOf(mail as JsonObject, 'text'))
  await client.call(v2.verifyEmail, { userId, verificationCode: code ?? assert.fail(JSON.stringify(mail)) })
  await client.call(MailService.method.listInboxMails, {})
}

/** Sends text messages: the first try of each finds the receiver closed, so that its job waits with the code. */
export async function exerciseTextMessages(client: SecretClient, t: TestContext): Promise<void> {
  const bodies: string[] = []
  const receiver = createServer(async (request, response) => {
    bodies.push((await request.toArray()).join(''))
    response.writeHead(503).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  afterwards(t, () => receiver.close())
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { id = '' } = await client.call(admin.addSMSProviderHTTP, { endpoint })
  await client.call(admin.updateSMSProviderHTTP, { id, endpoint, expirationSigningKey: '0s' })
  await client.call(admin.getSMSProvider, { id })
  await client.call(admin.listSMSProviders, {})
  await client.call(admin.activateSMSProvider, { id })
  const twilio = { sid: 'AC01', senderNumber: '+15005550006', token: client.canary() }
  const { id: account = '' } = await client.call(admin.addSMSProviderTwilio, twilio)
  await client.call(admin.updateSMSProviderTwilioToken, { id: account, token: client.canary() })
  const userId = await addPerson(client)
  await client.call(v2.setPhone, { userId, phone: '+41791230000', sendCode: {} })
  await until(() => bodies.length > 0)
  const { args } = JSON.parse(bodies[0] ?? '') as { args: { code: string } }
  client.watch.keep(args.code, 'the code in a text message that waits')
  await client.call(v2.verifyPhone, { userId, verificationCode: args.code })
}

/** Sets up mail in every way there is; then sends, to a server that breaks off when it has the mail. */
export async function exerciseMail(client: SecretClient, t: TestContext): Promise<void> {
  const password = client.canary()
  const smtp = await startSmtp({ login: { user: 'mailer', password }, afterDot: () => (isWilling ? 'answer' : 'drop') })
  let isWilling = true
  afterwards(t, () => smtp.close())
  const server = () => ({
    senderAddress: 'mail@signet.example',
    senderName: `World ${client.next()}`,
    host: `127.0.0.1:${smtp.port}`,
    user: 'mailer',
  })
  const test = () => ({ ...server(), receiverAddress: 'a@example.com' })
  const { id: first = '' } = await client.call(admin.addSMTPConfig, { ...server(), password: client.canary() })
  await client.call(admin.updateSMTPConfig, { ...server(), id: first, password: client.canary() })
  await client.call(admin.updateSMTPConfigPassword, { id: first, password: client.canary() })
  await client.call(admin.testSMTPConfig, { ...test(), password })
  // What the server says to a wrong password quotes it.
  await client.call(admin.testSMTPConfig, { ...test(), password: client.canary() }, { isRefused: true })
  await client.call(admin.removeSMTPConfig, { id: first })
  const { id: other = '' } = await client.call(admin.addEmailProviderSMTP, {
    ...server(),
    plain: { password: client.canary() },
  })
  await client.call(admin.removeEmailProvider, { id: other })
  // The token endpoint is not there: what the client would have shown to it is in no error.
  const xoauth2 = () => ({
    tokenEndpoint: 'http://127.0.0.1:1/token',
    clientCredentials: { clientId: 'mailer', clientSecret: client.canary() },
  })
  const { id: tokenId = '' } = await client.call(admin.addEmailProviderSMTP, { ...server(), xoauth2: xoauth2() })
  await client.call(admin.updateEmailProviderSMTP, { ...server(), id: tokenId, xoauth2: xoauth2() })
  await client.call(admin.testEmailProviderSMTP, { ...test(), xoauth2: xoauth2() }, { isRefused: true })
  await client.call(admin.removeEmailProvider, { id: tokenId })
  const { id = '' } = await client.call(admin.addEmailProviderSMTP, { ...server(), password: client.canary() })
  await client.call(admin.updateEmailProviderSMTP, { ...server(), id, password: client.canary() })
  await client.call(admin.updateEmailProviderSMTP, { ...server(), id, plain: { password: client.canary() } })
  await client.call(admin.testEmailProviderSMTP, { ...test(), password })
  await client.call(admin.testEmailProviderSMTP, { ...test(), plain: { password } })
  await client.call(
    admin.testEmailProviderSMTP,
    { ...test(), plain: { password: client.canary() } },
    { isRefused: true },
  )
  const hook = { endpoint: 'http://127.0.0.1:1/' }
  const { id: hookId = '' } = await client.call(admin.addEmailProviderHTTP, hook)
  await client.call(admin.updateEmailProviderHTTP, { ...hook, id: hookId, expirationSigningKey: '0s' })
  await client.call(admin.getEmailProviderById, { id: hookId })
  await client.call(admin.listEmailProviders, {})
  await client.call(admin.activateEmailProvider, { id: hookId })
  await client.call(admin.getEmailProvider, {})
  await client.call(admin.activateEmailProvider, { id })
  await client.call(admin.updateEmailProviderSMTPPassword, { id, password })
  await client.call(admin.activateEmailProvider, { id })
  isWilling = false
  const before = smtp.mails.length
  const userId = await addPerson(client)
  await client.call(v2.passwordReset, { userId, sendLink: {} })
  await until(() => smtp.mails.length > before)
  const mail = smtp.mails.at(-1)?.raw ?? ''
  const codes = codesIn(mail)
  assert.ok(codes.length > 0, mail)
  for (const code of codes) client.watch.keep(code, 'the code in a mail that waits')
}
