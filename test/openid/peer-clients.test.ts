/**
 * The clients that are published for the ZITADEL API, over their own transports: gRPC for servers and gRPC-web for
 * browsers. They call every service that they have and that is served here, unchanged.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { makeReqCtx } from '@zitadel/client/v2'
import {
  APIAuthMethodType,
  OIDCAppType,
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCResponseType,
} from '@zitadel/proto/zitadel/app_pb.js'
import { KeyType } from '@zitadel/proto/zitadel/auth_n_key_pb.js'
import { PasswordlessType } from '@zitadel/proto/zitadel/policy_pb.js'
import { AuthFactorState, Gender, UserState } from '@zitadel/proto/zitadel/user_pb.js'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE, redeem, startRequest, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { clientsOf, isRefusedWith, type PeerClients, TRANSPORTS } from '../support/peer-clients.ts'

for (const engine of engines) {
  for (const [name, createTransport] of Object.entries(TRANSPORTS)) {
    suite(`published clients over ${name} on ${engine.name}`, () => {
      let world: OpenIdWorld
      let owner: PeerClients
      let organizationId: string
      const as = (token: string) => clientsOf(createTransport(token, { baseUrl: world.url }))

      before(async () => {
        world = await openOpenIdWorld({ engine })
        owner = as(world.owner.bearer ?? '')
        organizationId = world.defaultOrganizationId
      })
      after(async () => {
        await world.dispose()
        assert.deepEqual(world.faults, [])
      })

      /** A person with a verified address and a password. */
      const addPerson = async (username: string): Promise<string> => {
        const { userId } = await owner.users.addHumanUser({
          organization: { org: { case: 'orgId', value: organizationId } },
          username,
          profile: { givenName: 'Ada', familyName: 'Lovelace' },
          email: { email: `${username}@example.com`, verification: { case: 'isVerified', value: true } },
          phone: { phone: '+41791234567', verification: { case: 'isVerified', value: true } },
          passwordType: { case: 'password', value: { password: PASSWORD } },
        })
        return userId
      }

      const signIn = async (loginName: string) => {
        const user = { search: { case: 'loginName', value: loginName } } as const
        const { sessionId } = await owner.sessions.createSession({ checks: { user } })
        const { sessionToken } = await owner.sessions.setSession({
          sessionId,
          checks: { password: { password: PASSWORD } },
          metadata: { page: new TextEncoder().encode('own') },
        })
        return { sessionId, sessionToken }
      }

      test('users: created, read, listed, changed and removed', async () => {
        const { users } = owner
        const userId = await addPerson(`ada-${name}`)
        const { user } = await users.getUserByID({ userId })
        assert.equal(user?.username, `ada-${name}`)
        assert.equal(user.type.case === 'human' && user.type.value.profile?.givenName, 'Ada')
        const found = await users.listUsers({
          queries: [{ query: { case: 'userNameQuery', value: { userName: `ada-${name}` } } }],
        })
        assert.deepEqual(
          found.result.map((one) => one.userId),
          [userId],
        )
        await users.updateHumanUser({ userId, profile: { givenName: 'Augusta', familyName: 'King' } })
        const email = await users.setEmail({
          userId,
          email: 'king@example.com',
          verification: { case: 'returnCode', value: {} },
        })
        await users.verifyEmail({ userId, verificationCode: email.verificationCode ?? '' })
        const passkey = await users.registerPasskey({ userId, domain: 'localhost' })
        assert.ok(passkey.publicKeyCredentialCreationOptions?.publicKey)
        const { authMethodTypes } = await users.listAuthenticationMethodTypes({ userId })
        assert.equal(authMethodTypes.length, 1)
        await users.setUserMetadata({ userId, metadata: [{ key: 'a', value: new Uint8Array([255, 0]) }] })
        await users.deactivateUser({ userId })
        await users.reactivateUser({ userId })
        await users.deleteUser({ userId })
        await isRefusedWith(users.getUserByID({ userId }), Code.NotFound)
      })

      test('machines: created, with a key and a token', async () => {
        const { users, management } = owner
        const created = await users.createUser({
          organizationId,
          username: `bot-${name}`,
          userType: { case: 'machine', value: { name: 'Bot' } },
        })
        const { keyContent } = await users.addKey({ userId: created.id, expirationDate: { seconds: 1893456000n } })
        assert.ok(keyContent.length > 0)
        const { token } = await users.addPersonalAccessToken({
          userId: created.id,
          expirationDate: { seconds: 1893456000n },
        })
        const { user } = await as(token).own.getMyUser({})
        assert.equal(user?.type.case, 'machine')
        const { keyDetails } = await management.addMachineKey({ userId: created.id, type: KeyType.JSON })
        assert.equal(JSON.parse(new TextDecoder().decode(keyDetails)).userId, created.id)
      })

      test('sessions: checked, read, listed and ended', async () => {
        const userId = await addPerson(`session-${name}`)
        const { sessionId, sessionToken } = await signIn(`session-${name}`)
        const { session } = await owner.sessions.getSession({ sessionId, sessionToken })
        assert.equal(session?.factors?.user?.id, userId)
        assert.ok(session.factors.password?.verifiedAt)
        assert.equal(new TextDecoder().decode(session.metadata.page), 'own')
        const { sessions } = await owner.sessions.listSessions({
          queries: [{ query: { case: 'userIdQuery', value: { id: userId } } }],
        })
        assert.equal(sessions.length, 1)
        const wrong = owner.sessions.setSession({ sessionId, checks: { password: { password: 'wrong' } } })
        await isRefusedWith(wrong, Code.InvalidArgument)
        await owner.sessions.deleteSession({ sessionId, sessionToken })
        await isRefusedWith(owner.sessions.getSession({ sessionId, sessionToken }), Code.NotFound)
      })

      test('organizations and settings', async () => {
        const { organizations, settings } = owner
        const added = await organizations.addOrganization({ name: `North ${name}`, orgId: `north-${name}` })
        assert.equal(added.organizationId, `north-${name}`)
        const { result } = await organizations.listOrganizations({
          queries: [{ query: { case: 'idQuery', value: { id: added.organizationId } } }],
        })
        assert.equal(result[0]?.name, `North ${name}`)
        const ctx = makeReqCtx(organizationId)
        const login = await settings.getLoginSettings({ ctx })
        assert.equal(login.settings?.allowUsernamePassword, true)
        assert.equal(login.settings.mfaInitSkipLifetime?.seconds, 2_592_000n)
        assert.ok((await settings.getPasswordComplexitySettings({ ctx })).settings?.minLength)
        assert.ok((await settings.getGeneralSettings({})).supportedLanguages.includes('de'))
        await settings.getBrandingSettings({ ctx })
        await settings.getLegalAndSupportSettings({ ctx })
        await settings.getDomainSettings({ ctx })
        await settings.getLockoutSettings({ ctx })
        await settings.getPasswordExpirySettings({ ctx })
        await settings.getActiveIdentityProviders({ ctx })
        await settings.setSecuritySettings({ embeddedIframe: { enabled: true, allowedOrigins: ['https://a.example'] } })
        const { settings: security } = await settings.getSecuritySettings({})
        assert.deepEqual(security?.embeddedIframe?.allowedOrigins, ['https://a.example'])
      })

      test('an application is answered by a login page', async () => {
        const userId = await addPerson(`login-${name}`)
        const { request } = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
        const login = as(request.bearer ?? '')
        const application = await world.addApplication(WITH_LOGIN_PAGE)
        const { projectId } = application
        await owner.management.addProjectRole({ projectId, roleKey: 'buyer', displayName: 'Buyer' })
        await owner.management.addUserGrant({ userId, projectId, roleKeys: ['buyer'] })
        const authRequestId = await startRequest(world, application, { scope: `openid ${API_SCOPE}` })
        const { authRequest } = await login.oidc.getAuthRequest({ authRequestId })
        assert.equal(authRequest?.clientId, application.clientId)
        const { callbackUrl } = await login.oidc.createCallback({
          authRequestId,
          callbackKind: { case: 'session', value: await signIn(`login-${name}`) },
        })
        const code = new URL(callbackUrl).searchParams.get('code') ?? ''
        const { status, body } = await redeem(world.url, application, code)
        assert.equal(status, 200)
        const { own } = as(body.access_token ?? '')
        assert.equal((await own.getMyUser({})).user?.id, userId)
        assert.deepEqual((await own.listMyProjectPermissions({})).result, ['buyer'])
      })

      test('web keys, features and identity providers', async () => {
        const { webKeys, features, admin, providers } = owner
        const { id } = await webKeys.createWebKey({ key: { case: 'ed25519', value: {} } })
        assert.ok((await webKeys.listWebKeys({})).webKeys.some((key) => key.id === id))
        await webKeys.deleteWebKey({ id })
        await features.setInstanceFeatures({ loginDefaultOrg: true })
        assert.equal((await features.getInstanceFeatures({})).loginDefaultOrg?.enabled, true)
        await features.resetInstanceFeatures({})
        const added = await admin.addGenericOIDCProvider({
          name: `Provider ${name}`,
          issuer: 'https://provider.example',
          clientId: 'client',
          clientSecret: 'secret',
          scopes: ['openid'],
        })
        const { idp } = await providers.getIDPByID({ id: added.id })
        assert.equal(idp?.name, `Provider ${name}`)
        await admin.addIDPToLoginPolicy({ idpId: added.id })
        assert.ok((await admin.listLoginPolicyIDPs({})).result.some(({ idpId }) => idpId === added.id))
        await admin.deleteProvider({ id: added.id })
      })

      test('projects, roles, applications, keys, grants and members', async () => {
        const { management } = owner
        const userId = await addPerson(`member-${name}`)
        const { id: projectId } = await management.addProject({ name: `Shop ${name}`, projectRoleAssertion: true })
        await management.addProjectRole({ projectId, roleKey: 'buyer', displayName: 'Buyer' })
        assert.equal((await management.listProjectRoles({ projectId })).result[0]?.key, 'buyer')
        const app = await management.addOIDCApp({
          projectId,
          name: 'Web',
          redirectUris: ['https://app.example/callback'],
          responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
          grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE],
          appType: OIDCAppType.OIDC_APP_TYPE_WEB,
          authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
        })
        assert.ok(app.clientSecret.length > 0)
        const api = await management.addAPIApp({
          projectId,
          name: 'API',
          authMethodType: APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
        })
        await management.addAppKey({ projectId, appId: api.appId, type: KeyType.JSON })
        assert.equal((await management.listApps({ projectId })).result.length, 2)
        const { userGrantId } = await management.addUserGrant({ userId, projectId, roleKeys: ['buyer'] })
        const { result } = await management.listUserGrants({
          queries: [{ query: { case: 'userIdQuery', value: { userId } } }],
        })
        assert.equal(result[0]?.id, userGrantId)
        await management.addProjectMember({ projectId, userId, roles: ['PROJECT_OWNER'] })
        await management.addOrgMember({ userId, roles: ['ORG_OWNER_VIEWER'] })
        assert.ok((await management.listOrgMembers({})).result.some((member) => member.userId === userId))
        const memberships = await management.listUserMemberships({ userId })
        assert.deepEqual(memberships.result.map(({ type }) => type.case).toSorted(), ['orgId', 'projectId'])
        const onProject = { query: { case: 'projectQuery', value: { projectId } } } as const
        assert.equal((await management.listUserMemberships({ userId, queries: [onProject] })).result.length, 1)
        await management.removeProject({ id: projectId })
      })

      test('administration: members, policies, providers of messages, organizations', async () => {
        const { admin, management } = owner
        const userId = await addPerson(`admin-${name}`)
        await admin.addIAMMember({ userId, roles: ['IAM_OWNER_VIEWER'] })
        assert.ok((await admin.listIAMMembers({})).result.some((member) => member.userId === userId))
        await admin.updateLoginPolicy({
          allowUsernamePassword: true,
          allowExternalIdp: true,
          passwordlessType: PasswordlessType.ALLOWED,
          ignoreUnknownUsernames: true,
        })
        assert.equal((await management.getLoginPolicy({})).policy?.ignoreUnknownUsernames, true)
        const { id } = await admin.addSMSProviderHTTP({ endpoint: 'https://sms.example/', description: 'SMS' })
        assert.ok((await admin.listSMSProviders({})).result.some((provider) => provider.id === id))
        const policy = { enableIframeEmbedding: true, allowedOrigins: ['https://b.example'] }
        await admin.setSecurityPolicy(policy)
        assert.deepEqual((await admin.getSecurityPolicy({})).policy?.allowedOrigins, policy.allowedOrigins)
        assert.equal((await admin.getOrgByID({ id: organizationId })).org?.id, organizationId)
        assert.ok((await admin.listOrgs({})).result.length > 0)
        assert.equal((await admin.isOrgUnique({ name: 'No such organization' })).isUnique, true)
        assert.equal((await admin.getDomainPolicy({})).policy?.validateOrgDomains, true)
        assert.equal((await admin.listInstanceDomains({})).result.length, 1)
        assert.ok((await admin.listEvents({ limit: 5, creationDate: { seconds: 4_102_444_800n } })).events.length > 0)
        assert.deepEqual(
          (await admin.getAllowedLanguages({})).languages,
          (await admin.getSupportedLanguages({})).languages,
        )
        const iam = await management.getIAM({})
        assert.equal(iam.defaultOrgId, organizationId)
        assert.equal((await management.getOIDCInformation({})).issuer, world.url)
      })

      test('one organization: people in it, its domains and its metadata', async () => {
        const { management } = owner
        const { userId } = await management.importHumanUser({
          userName: `import-${name}`,
          profile: { firstName: 'Grace', lastName: 'Hopper', gender: Gender.FEMALE },
          email: { email: 'grace@example.com', isEmailVerified: true },
          password: PASSWORD,
          requestPasswordlessRegistration: false,
        })
        const { user } = await management.getUserByID({ id: userId })
        assert.equal(user?.state, UserState.ACTIVE)
        await management.updateHumanProfile({ userId, firstName: 'Amazing', lastName: 'Grace' })
        assert.equal((await management.getHumanProfile({ userId })).profile?.displayName, 'Amazing Grace')
        await management.updateHumanEmail({ userId, email: 'hopper@example.com', isEmailVerified: true })
        assert.equal((await management.getHumanEmail({ userId })).email?.isEmailVerified, true)
        await management.updateHumanPhone({ userId, phone: '+41791234567', isPhoneVerified: true })
        assert.equal((await management.getHumanPhone({ userId })).phone?.phone, '+41791234567')
        await management.removeHumanPhone({ userId })
        await management.setHumanPassword({ userId, password: `${PASSWORD} 8`, noChangeRequired: true })
        await management.sendHumanResetPasswordNotification({ userId })
        const link = await management.addPasswordlessRegistration({ userId })
        assert.ok(link.link.startsWith(`${world.url}/ui/passkeys/register?`))
        assert.deepEqual((await management.listHumanAuthFactors({ userId })).result, [])
        assert.deepEqual((await management.listHumanPasswordless({ userId })).result, [])
        assert.deepEqual((await management.listHumanLinkedIDPs({ userId })).result, [])
        const metadata = [{ key: 'a', value: new Uint8Array([255]) }]
        await management.bulkSetUserMetadata({ id: userId, metadata })
        await management.bulkRemoveUserMetadata({ id: userId, keys: ['a'] })
        assert.deepEqual((await management.listUserMetadata({ id: userId })).result, [])

        await management.bulkSetOrgMetadata({ metadata })
        assert.deepEqual((await management.getOrgMetadata({ key: 'a' })).metadata?.value, new Uint8Array([255]))
        await management.removeOrgMetadata({ key: 'a' })
        await isRefusedWith(management.getOrgMetadata({ key: 'a' }), Code.NotFound)
        const domain = `${name.toLowerCase()}.example.com`
        await management.addOrgDomain({ domain })
        assert.equal((await management.generateOrgDomainValidation({ domain, type: 2 })).url.length > 0, true)
        assert.ok((await management.listOrgDomains({})).result.some(({ domainName }) => domainName === domain))
        await management.removeOrgDomain({ domain })
        await isRefusedWith(management.getOrgByDomainGlobal({ domain }), Code.NotFound)
      })

      test('a person reads and changes their own account', async () => {
        const userId = await addPerson(`own-${name}`)
        const { id: projectId } = await owner.management.addProject({ name: `Own ${name}` })
        await owner.management.addProjectRole({ projectId, roleKey: 'buyer', displayName: 'Buyer' })
        await owner.management.addUserGrant({ userId, projectId, roleKeys: ['buyer'] })
        await owner.management.setUserMetadata({ id: userId, key: 'a', value: new Uint8Array([1]) })
        const { sessionId, sessionToken } = await signIn(`own-${name}`)
        const { own } = as(sessionToken)
        assert.equal((await own.getMyUser({})).user?.id, userId)
        assert.equal((await own.getMyProfile({})).profile?.firstName, 'Ada')
        await own.updateMyProfile({ firstName: 'Ada', lastName: 'King', displayName: 'Countess' })
        assert.equal((await own.getMyProfile({})).profile?.displayName, 'Countess')
        assert.equal((await own.getMyEmail({})).email?.isEmailVerified, true)
        assert.equal((await own.getMyPhone({})).phone?.isPhoneVerified, true)
        assert.deepEqual((await own.getMyMetadata({ key: 'a' })).metadata?.value, new Uint8Array([1]))
        assert.equal((await own.listMyMetadata({})).result.length, 1)
        const { key } = await own.addMyPasswordless({})
        assert.ok(JSON.parse(new TextDecoder().decode(key?.publicKey)).publicKey.challenge)
        assert.equal((await own.listMyPasswordless({})).result[0]?.state, AuthFactorState.NOT_READY)
        assert.ok((await own.addMyPasswordlessLink({})).expiration)
        assert.deepEqual((await own.listMyUserGrants({})).result[0]?.roleKeys, ['buyer'])
        assert.deepEqual(
          (await own.listMyProjectOrgs({})).result.map(({ id }) => id),
          [organizationId],
        )
        assert.deepEqual((await own.listMyZitadelPermissions({})).result, [])
        assert.deepEqual((await own.listMyProjectPermissions({})).result, [])
        assert.deepEqual((await own.listMyMemberships({})).result, [])
        assert.deepEqual((await own.listMyLinkedIDPs({})).result, [])
        assert.equal((await own.listMyUserSessions({})).result.length, 1)
        for (const get of [
          own.getMyLoginPolicy,
          own.getMyLabelPolicy,
          own.getMyPrivacyPolicy,
          own.getMyPasswordComplexityPolicy,
        ]) {
          assert.ok((await get({})).policy)
        }
        await own.removeMyPhone({})
        await own.updateMyPassword({ oldPassword: PASSWORD, newPassword: `${PASSWORD} 9` })
        const wrong = own.updateMyPassword({ oldPassword: PASSWORD, newPassword: PASSWORD })
        await isRefusedWith(wrong, Code.InvalidArgument)
        await own.setMyEmail({ email: `countess-${name}@example.com` })
        await own.resendMyEmailVerification({})
        assert.equal((await own.getMyEmail({})).email?.isEmailVerified, false)
        await isRefusedWith(own.verifyMyEmail({ code: 'WRONG1' }), Code.InvalidArgument)
        await own.setMyPhone({ phone: '+41791234568' })
        assert.equal((await own.getSupportedLanguages({})).languages.includes('en'), true)

        const { url, secret } = await own.addMyAuthFactorOTP({})
        assert.ok(url.startsWith('otpauth://'))
        const step = totpStep(world.app.clock())
        await own.verifyMyAuthFactorOTP({ code: totpCode(secret, step) })
        // From now on the session needs the second factor.
        await isRefusedWith(own.listMyAuthFactors({}), Code.Unauthenticated)
        const checks = { totp: { code: totpCode(secret, step + 1) } }
        const checked = as((await owner.sessions.setSession({ sessionId, checks })).sessionToken).own
        const { result } = await checked.listMyAuthFactors({})
        assert.deepEqual(
          result.map(({ type, state }) => [type.case, state]),
          [['otp', AuthFactorState.READY]],
        )
        await checked.removeMyAuthFactorOTP({})
      })
    })
  }
}
