/** Secrets of people and machines: passwords, hashes, apps, codes, tokens and keys, through every method that knows them. */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { encodeBase32 } from '../../src/crypto/base32.ts'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { systemClock } from '../../src/kernel/instant.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const v1 = ManagementService.method
const v2 = UserService.method

const profile = { firstName: 'Ada', lastName: 'King' }
const phone = '+41791234567'

/** A hash as another system would have made it, of a password that nobody knows. */
export function newHash(): string {
  const part = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '').replaceAll('+', '.')
  return `$pbkdf2-sha512$10000$${part(16)}$${part(64)}`
}

export function newTotpSecret(): string {
  return encodeBase32(randomBytes(20))
}

/** What an app shows now. */
export function codeOf(totpSecret: string): string {
  return totpCode(totpSecret, totpStep(systemClock()))
}

/** Adds somebody whose address is verified. */
export async function addPerson(client: SecretClient, more: JsonObject = {}): Promise<string> {
  const username = `person-${client.next()}`
  const email = { email: `${username}@example.com`, isVerified: true }
  return textOf(await client.call(v2.addHumanUser, { username, profile, email, ...more }), 'userId')
}

/** Everything that makes a person, each with the codes that come back. */
async function addPeople(client: SecretClient): Promise<void> {
  const contacts = () => ({
    email: { email: `contact-${client.next()}@example.com`, returnCode: {} },
    phone: { phone, returnCode: {} },
  })
  const organizationId = textOf(
    await client.call(OrganizationService.method.addOrganization, { name: 'Own' }),
    'organizationId',
  )
  for (const secrets of [
    { password: { password: client.canary() } },
    { hashedPassword: { hash: newHash() }, totpSecret: newTotpSecret() },
  ]) {
    const human = () => ({ profile, ...contacts(), ...secrets })
    await client.call(v2.addHumanUser, { username: `user-${client.next()}`, ...human() })
    await client.call(v2.createUser, { organizationId, username: `user-${client.next()}`, human: human() })
    const admins = [{ human: { username: `admin-${client.next()}`, ...human() } }]
    await client.call(OrganizationService.method.addOrganization, { name: `Organization ${client.next()}`, admins })
  }
  const userName = `user-${client.next()}`
  const email = { email: `${userName}@example.com`, isEmailVerified: true }
  await client.call(v1.addHumanUser, { userName, profile, email, initialPassword: client.canary() })
}

async function changePasswords(client: SecretClient): Promise<void> {
  const updates = [
    (userId: string, password: JsonObject) => client.call(v2.updateHumanUser, { userId, password }),
    (userId: string, password: JsonObject) => client.call(v2.updateUser, { userId, human: { password } }),
  ]
  for (const update of updates) {
    const password = client.canary()
    const userId = await addPerson(client, { password: { password } })
    const reset = async () =>
      textOf(await client.call(v2.passwordReset, { userId, returnCode: {} }), 'verificationCode')
    await update(userId, { password: { password: client.canary() }, verificationCode: await reset() })
    const current = client.canary()
    await update(userId, { password: { password: current } })
    await update(userId, { password: { password: client.canary() }, currentPassword: current })
    await update(userId, { hashedPassword: { hash: newHash() } })
  }
  const first = client.canary()
  const userId = await addPerson(client, { password: { password: first } })
  const second = { password: client.canary() }
  await client.call(v2.setPassword, { userId, newPassword: second, currentPassword: first })
  const code = textOf(await client.call(v2.passwordReset, { userId, returnCode: {} }), 'verificationCode')
  await client.call(v2.setPassword, { userId, newPassword: { password: client.canary() }, verificationCode: code })
}

async function verifyContacts(client: SecretClient): Promise<void> {
  const userId = await addPerson(client)
  const email = `new-${client.next()}@example.com`
  await client.call(v2.setEmail, { userId, email, returnCode: {} })
  await client.call(v2.sendEmailCode, { userId, returnCode: {} })
  const resent = await client.call(v2.resendEmailCode, { userId, returnCode: {} })
  await client.call(v2.verifyEmail, { userId, verificationCode: textOf(resent, 'verificationCode') })
  await client.call(v2.setPhone, { userId, phone, returnCode: {} })
  const again = await client.call(v2.resendPhoneCode, { userId, returnCode: {} })
  await client.call(v2.verifyPhone, { userId, verificationCode: textOf(again, 'verificationCode') })
  const contacts = () => ({
    email: { email: `newer-${client.next()}@example.com`, returnCode: {} },
    phone: { phone: `+4179123${1000 + client.next()}`, returnCode: {} },
  })
  await client.call(v2.updateHumanUser, { userId, ...contacts() })
  await client.call(v2.updateUser, { userId, human: contacts() })
  const guest = await addPerson(client)
  const invited = await client.call(v2.createInviteCode, { userId: guest, returnCode: {} })
  await client.call(v2.verifyInviteCode, { userId: guest, verificationCode: textOf(invited, 'inviteCode') })
}

async function setUpFactors(client: SecretClient): Promise<void> {
  const userId = await addPerson(client)
  const { secret } = await client.call(v2.registerTOTP, { userId })
  await client.call(v2.verifyTOTPRegistration, { userId, code: codeOf(String(secret)) })
  await client.call(v2.generateRecoveryCodes, { userId, count: 10 })
}

async function addMachines(client: SecretClient): Promise<void> {
  const machine = { userName: `robot-${client.next()}`, name: 'Robot' }
  const userId = textOf(await client.call(v1.addMachineUser, machine), 'userId')
  const expirationDate = '2040-01-01T00:00:00Z'
  await client.call(v1.generateMachineSecret, { userId })
  await client.call(v2.addSecret, { userId })
  await client.call(v1.addMachineKey, { userId, type: 'KEY_TYPE_JSON', expirationDate })
  await client.call(v2.addKey, { userId, expirationDate })
  for (const method of [v1.addPersonalAccessToken, v2.addPersonalAccessToken]) {
    const bearer = textOf(await client.call(method, { userId, expirationDate }), 'token')
    await client.call(v2.getUserByID, { userId }, { bearer })
  }
}

/** Lines of an import: good ones and others. */
async function importPeople(client: SecretClient): Promise<void> {
  const line = (more: JsonObject) => {
    const username = `imported-${client.next()}`
    return JSON.stringify({ username, profile, email: { email: `${username}@example.com`, isVerified: true }, ...more })
  }
  const hash = newHash()
  client.watch.keep(hash, 'the hash of an import', /^the database/)
  const lines = [
    line({ password: { password: client.canary() } }),
    line({ hashedPassword: { hash } }),
    line({ hashedPassword: { hash: client.canary() } }),
    line({ password: { password: client.canary().repeat(20) } }),
    line({ totpSecret: client.canary() }),
    line({ password: client.canary() }),
    `{"password":{"password":"${client.canary()}"`,
    client.canary(),
  ]
  const headers = { authorization: `Bearer ${client.admin}`, 'content-type': 'application/x-ndjson' }
  await client.sendRaw('/v2/users/import', { method: 'POST', headers, body: lines.join('\n') })
}

/** Everything about people that is not a session. */
export async function exercisePeople(client: SecretClient): Promise<void> {
  await addPeople(client)
  await changePasswords(client)
  await verifyContacts(client)
  await setUpFactors(client)
  await addMachines(client)
  await importPeople(client)
}
