/** Secrets in the v1 methods: those of one's own account, and those with which others set an account up. */
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { addPerson, codeOf, newHash, newTotpSecret } from './people.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const own = AuthService.method
const v1 = ManagementService.method
const v2 = UserService.method

/** What the browser makes of the options of a registration, as the JSON text that the v1 service takes. */
function verificationOf(client: SecretClient, { key }: JsonObject): JsonObject {
  const options = JSON.parse(Buffer.from(textOf(key as JsonObject, 'publicKey'), 'base64').toString()) as JsonObject
  const credential = newAuthenticator().create(options, { origin: client.url })
  return { publicKeyCredential: Buffer.from(JSON.stringify(credential)).toString('base64'), tokenName: 'A key' }
}

async function setUpPeople(client: SecretClient): Promise<void> {
  const human = () => ({
    userName: `v1-${client.next()}`,
    profile: { firstName: 'Ada', lastName: 'King' },
    email: { email: `v1-${client.next()}@example.com`, isEmailVerified: true },
  })
  const recoveryCodes = [{ hash: newHash() }]
  const secrets = { hashedPassword: { value: newHash() }, otpCode: newTotpSecret(), recoveryCodes }
  await client.call(v1.importHumanUser, { ...human(), ...secrets, requestPasswordlessRegistration: true })
  const known = { password: client.canary(), recoveryCodes: [{ raw: client.canary() }] }
  const userId = textOf(await client.call(v1.importHumanUser, { ...human(), ...known }), 'userId')
  await client.call(v1.setHumanInitialPassword, { userId, password: client.canary() })
  await client.call(v1.setHumanPassword, { userId, password: client.canary() })
  await client.call(v1.addPasswordlessRegistration, { userId })
}

/** Everything in the v1 services that takes a secret of a person, or gives one back. */
export async function exerciseOwnAccount(client: SecretClient): Promise<void> {
  await setUpPeople(client)
  const oldPassword = client.canary()
  const userId = await addPerson(client, { password: { password: oldPassword } })
  const checks = { user: { userId }, password: { password: oldPassword } }
  const bearer = textOf(await client.call(SessionService.method.createSession, { checks }), 'sessionToken')
  const asked = (method: DescMethodUnary, message: JsonObject = {}) => client.call(method, message, { bearer })
  const address = `own-${client.next()}@example.com`
  const email = await client.call(v2.setEmail, { userId, email: address, returnCode: {} })
  await asked(own.verifyMyEmail, { code: textOf(email, 'verificationCode') })
  const phone = await client.call(v2.setPhone, { userId, phone: '+41791238888', returnCode: {} })
  await asked(own.verifyMyPhone, { code: textOf(phone, 'verificationCode') })
  await asked(own.updateMyPassword, { oldPassword, newPassword: client.canary() })
  await asked(own.addMyPasswordlessLink)
  const passkey = verificationOf(client, await asked(own.addMyPasswordless))
  await asked(own.verifyMyPasswordless, { verification: passkey })
  const { secret } = await asked(own.addMyAuthFactorOTP)
  const securityKey = verificationOf(client, await asked(own.addMyAuthFactorU2F))
  await asked(own.verifyMyAuthFactorOTP, { code: codeOf(String(secret)) })
  // Until it is removed, the session would need the second factor.
  await client.call(v2.removeTOTP, { userId })
  await asked(own.verifyMyAuthFactorU2F, { verification: securityKey })
}
