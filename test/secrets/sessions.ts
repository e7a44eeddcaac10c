/** Session tokens, and everything that a check of a session takes. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { SignalService } from '../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../support/afterwards.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { BASE, openLdap, READER } from '../support/open-ldap.ts'
import { upstreamMetadata } from '../support/response-forger.ts'
import { CLIENT, openUpstream } from '../support/upstream.ts'
import { addPerson, codeOf, newTotpSecret } from './people.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const { createSession, setSession, getSession, deleteSession } = SessionService.method
const v2 = UserService.method

const phone = { phone: '+41791239999', isVerified: true }

/** Somebody with every factor that there is. */
async function addCarefulPerson(client: SecretClient) {
  const password = client.canary()
  const totpSecret = newTotpSecret()
  const userId = await addPerson(client, { password: { password }, totpSecret, phone })
  await client.call(v2.addOTPEmail, { userId })
  await client.call(v2.addOTPSMS, { userId })
  const { recoveryCodes } = await client.call(v2.generateRecoveryCodes, { userId, count: 2 })
  const [first = '', second = ''] = recoveryCodes as string[]
  return { userId, password, totpSecret, first, second }
}

/** Registers a passkey from a link. */
async function addPasskey(client: SecretClient, userId: string) {
  const { code = {} } = await client.call(v2.createPasskeyRegistrationLink, { userId, returnCode: {} })
  const begun = await client.call(v2.registerPasskey, { userId, domain: 'localhost', code })
  const authenticator = newAuthenticator()
  const options = begun.publicKeyCredentialCreationOptions as JsonObject
  const publicKeyCredential = authenticator.create(options, { origin: client.url })
  const passkeyId = textOf(begun, 'passkeyId')
  await client.call(v2.verifyPasskeyRegistration, { userId, passkeyId, passkeyName: 'A key', publicKeyCredential })
  return authenticator
}

/** Everything but sign-ins elsewhere. */
export async function exerciseSessions(client: SecretClient): Promise<void> {
  const careful = await addCarefulPerson(client)
  const another = await addCarefulPerson(client)
  const begin = (who: typeof careful, checks: JsonObject, challenges?: JsonObject) =>
    client.call(createSession, {
      checks: { user: { userId: who.userId }, ...checks },
      ...(challenges !== undefined && { challenges }),
    })
  const codes = { otpSms: { returnCode: true }, otpEmail: { returnCode: {} } }
  await begin(another, { password: { password: another.password }, totp: { code: codeOf(another.totpSecret) } })
  await begin(another, { recoveryCode: { code: another.first } })
  const authenticator = await addPasskey(client, careful.userId)

  const begun = await begin(careful, {}, codes)
  const sessionId = textOf(begun, 'sessionId')
  let held = begun
  const set = async (message: JsonObject) => {
    held = await client.call(setSession, { sessionId, sessionToken: textOf(held, 'sessionToken'), ...message })
    return held.challenges as JsonObject
  }
  await set({ checks: { password: { password: careful.password } } })
  await set({ checks: { totp: { code: codeOf(careful.totpSecret) } } })
  await set({ checks: { recoveryCode: { code: careful.second } } })
  const { otpSms = '', otpEmail = '' } = await set({ challenges: codes })
  await set({ checks: { otpSms: { code: otpSms }, otpEmail: { code: otpEmail } } })
  const userVerificationRequirement = 'USER_VERIFICATION_REQUIREMENT_REQUIRED'
  const { webAuthN } = await set({ challenges: { webAuthN: { domain: 'localhost', userVerificationRequirement } } })
  const options = (webAuthN as JsonObject).publicKeyCredentialRequestOptions as JsonObject
  await set({ checks: { webAuthN: { credentialAssertionData: authenticator.get(options, { origin: client.url }) } } })

  const sessionToken = textOf(held, 'sessionToken')
  await client.call(getSession, { sessionId, sessionToken })
  const headers = { authorization: `Bearer ${sessionToken}` }
  const query = new URLSearchParams({ sessionToken })
  assert.equal((await client.sendRaw(`/v2/sessions/${sessionId}?${query}`, { headers })).status, 200)
  const wrong = { password: { password: client.canary() } }
  await client.call(setSession, { sessionId, sessionToken, checks: wrong }, { isRefused: true })
  await client.call(deleteSession, { sessionId, sessionToken })
}

/** Signs in at a real provider, three times: a person is made of the first, and sessions believe the others. */
export async function exerciseIntents(client: SecretClient, t: TestContext): Promise<void> {
  const redirectUri = `${client.url}/idps/callback`
  const upstream = await openUpstream({
    redirectUri,
    fetch: (url, init) => fetch(url, { redirect: 'manual', ...init }),
    overrides: {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      issueRefreshToken: async () => true,
    },
  })
  afterwards(t, () => upstream.close())
  upstream.people.set('eve', {
    name: 'Eve',
    given_name: 'Eve',
    family_name: 'E',
    email: 'eve@corp.example',
    email_verified: true,
  })
  const { id: idpId = '' } = await client.call(ManagementService.method.addGenericOIDCProvider, {
    name: 'Upstream',
    issuer: upstream.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: ['openid', 'profile', 'email'],
    providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
  })
  const { org } = await client.call(ManagementService.method.getMyOrg, {})
  const signals = { issuer: 'https://signals.example', jwksUri: 'https://signals.example/keys', audience: 'us' }
  const transmitter = { organizationId: String((org as { id?: string }).id), name: 'Upstream', idpId, ...signals }
  await client.call(SignalService.method.createTrustedTransmitter, transmitter)
  const signIn = async () => {
    const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
    const { authUrl = '' } = await client.call(v2.startIdentityProviderIntent, { idpId, urls })
    const answer = await upstream.signIn(String(authUrl), 'eve')
    for (const [name, value] of answer) if (name !== 'iss') client.watch.keep(value, `the ${name} of a provider`)
    const back = await client.sendRaw(`/idps/callback?${answer}`, {})
    const { searchParams } = new URL(back.headers.get('location') ?? '')
    const [idpIntentId, idpIntentToken] = [searchParams.get('id') ?? '', searchParams.get('token') ?? '']
    const told = await client.call(v2.retrieveIdentityProviderIntent, { idpIntentId, idpIntentToken })
    return { told, intent: { intentId: idpIntentId, token: idpIntentToken } }
  }
  const { told } = await signIn()
  const userId = textOf(await client.call(v2.addHumanUser, told.addHumanUser as JsonObject), 'userId')
  const user = { userId }
  const { sessionId = '', sessionToken = '' } = await client.call(createSession, {
    checks: { user, intent: (await signIn()).intent },
  })
  await client.call(setSession, { sessionId, sessionToken, checks: { intent: (await signIn()).intent } })
}

/** Signs in with an account of a directory: its password is sent to us, and continues to the directory only. */
export async function exerciseDirectory(client: SecretClient, t: TestContext): Promise<void> {
  const directory = await openLdap()
  afterwards(t, () => directory.close())
  const { id: idpId = '' } = await client.call(ManagementService.method.addLDAPProvider, {
    name: 'Directory',
    servers: [`ldap://127.0.0.1:${directory.plainPort}`],
    baseDn: BASE,
    bindDn: READER.dn,
    bindPassword: READER.password,
    userObjectClasses: ['inetOrgPerson'],
    userFilters: ['uid'],
  })
  const enter = (password: string, isRefused: boolean) =>
    client.call(v2.startIdentityProviderIntent, { idpId, ldap: { username: 'ada', password } }, { isRefused })
  await enter(client.canary(), true)
  await enter('canary-ada-password', false)
}

/** Starts a sign-in whose first step is a form: its fields are for the browser alone. */
export async function exerciseForm(client: SecretClient): Promise<void> {
  const { id: idpId = '' } = await client.call(ManagementService.method.addSAMLProvider, {
    name: 'SAML',
    metadataXml: Buffer.from(upstreamMetadata('https://upstream.example')).toString('base64'),
    binding: 'SAML_BINDING_POST',
    withSignedRequest: true,
  })
  const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
  await client.call(v2.startIdentityProviderIntent, { idpId, urls })
  await client.call(ManagementService.method.regenerateSAMLProviderCertificate, { id: idpId })
}
