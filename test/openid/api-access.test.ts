/** Access tokens of applications and machines as bearer tokens of our own API. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { openGrantWithToken } from '../../src/features/grants/index.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE, askForToken, openSession, tokensOf, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const SCOPE = `openid offline_access ${API_SCOPE}`

for (const engine of engines) {
  suite(`access tokens at our own API on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let opaque: Application
    let signed: Application
    let people = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      opaque = await world.addApplication({ ...WITH_LOGIN_PAGE, grantTypes: [0, 2] })
      signed = await world.addApplication({ ...WITH_LOGIN_PAGE, grantTypes: [0, 2], accessTokenType: 1 })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** The status of the answer to a call with this token, and the code of the refusal. */
    const ask = async (bearer: string | undefined, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`${world.url}/auth/v1/users/me`, {
        headers: { authorization: `Bearer ${bearer}`, ...headers },
      })
      const body = (await answer.json()) as { user?: { id: string }; details?: { id: string }[] }
      return { status: answer.status, userId: body.user?.id, code: body.details?.[0]?.id }
    }

    const newPerson = async () => {
      const userId = await world.addPerson(`person-${++people}`)
      return { userId, session: await openSession(world, userId) }
    }
    const signIn = async (application: Application, scope = SCOPE) => {
      const person = await newPerson()
      const tokens = await tokensOf(world, login, application, person.session, { scope })
      return { ...person, tokens, token: tokens.access_token }
    }
    const both = () => [opaque, signed] as const

    test('identify their user', async () => {
      for (const application of both()) {
        const { token, userId } = await signIn(application)
        assert.deepEqual(await ask(token), { status: 200, userId, code: undefined })
      }
    })

    test('give no application of an organization the roles of a user on the instance', async () => {
      const { userId, session } = await newPerson()
      await world.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
      const search = async (what: 'admin/v1/members' | 'management/v1/users', bearer: string | undefined) =>
        (
          await fetch(`${world.url}/${what}/_search`, {
            method: 'POST',
            headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
            body: '{}',
          })
        ).status
      const { access_token: theirs } = await tokensOf(world, login, opaque, session, { scope: SCOPE })
      const searchBoth = async (bearer: string | undefined) => [
        await search('admin/v1/members', bearer),
        await search('management/v1/users', bearer),
      ]
      assert.deepEqual(await searchBoth(theirs), [403, 403])
      await world.call(ManagementService.method.addOrgMember, { userId, roles: ['ORG_OWNER'] }, world.owner)
      assert.deepEqual(await searchBoth(theirs), [403, 200])
      const own = await world.addApplication({ ...WITH_LOGIN_PAGE, grantTypes: [0, 2] }, await apiProjectId(world.app))
      const { access_token: ours } = await tokensOf(world, login, own, session, { scope: SCOPE })
      assert.deepEqual(await searchBoth(ours), [200, 200])
    })

    test('let no application add a credential to a user whom its organization could not change', async () => {
      const registerPasskey = async (userId: string, bearer: string | undefined) => {
        const answer = await fetch(`${world.url}/v2/users/${userId}/passkeys`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          body: '{}',
        })
        const body = (await answer.json()) as { details?: { id?: string }[] }
        return { status: answer.status, code: body.details?.[0]?.id }
      }
      const refusal = { status: 400, code: 'access.sign_in_again' }
      const own = await signIn(opaque)
      assert.equal((await registerPasskey(own.userId, own.token)).status, 200)

      const administrator = await newPerson()
      const member = { userId: administrator.userId, roles: ['IAM_OWNER_VIEWER'] }
      await world.call(AdminService.method.addIAMMember, member, world.owner)
      const above = await tokensOf(world, login, opaque, administrator.session, { scope: SCOPE })
      assert.deepEqual(await registerPasskey(administrator.userId, above.access_token), refusal)

      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Other ${++people}` },
        world.owner,
      )
      const userId = await world.addPerson(`person-${++people}`, {
        organisation: { org: { case: 'orgId', value: organizationId } },
      })
      const foreign = await tokensOf(world, login, opaque, await openSession(world, userId), { scope: SCOPE })
      const notAllowed = { status: 403, code: 'access.consent_missing' }
      assert.deepEqual(await registerPasskey(userId, foreign.access_token), notAllowed)
    })

    test('count only for the API project', async () => {
      for (const application of both()) {
        const { token } = await signIn(application, 'openid')
        assert.equal((await ask(token)).status, 401)
      }
    })

    test('are not ID tokens, refresh tokens or damaged tokens', async () => {
      const { tokens } = await signIn(signed)
      const access = tokens.access_token ?? ''
      for (const token of [tokens.id_token, tokens.refresh_token, `${access}x`, access.slice(0, -4), 'a.b.c']) {
        assert.equal((await ask(token)).status, 401, String(token))
      }
    })

    test('end when they expire', async () => {
      const seconds = (value: number) => ({ seconds: BigInt(value) })
      const hour = seconds(3600)
      const lifetimes = { idTokenLifetime: hour, refreshTokenIdleExpiration: hour, refreshTokenExpiration: hour }
      const set = (accessTokenLifetime: { seconds: bigint }) =>
        world.call(AdminService.method.updateOIDCSettings, { ...lifetimes, accessTokenLifetime }, world.owner)
      await set(seconds(1))
      for (const application of both()) {
        const { token } = await signIn(application)
        while ((await ask(token)).status === 200) await new Promise((done) => setTimeout(done, 50))
        assert.equal((await ask(token)).status, 401)
      }
      await set(hour)
    })

    test('end when they are revoked or refreshed', async () => {
      for (const application of both()) {
        const { tokens } = await signIn(application)
        const { body } = await askForToken(world.url, application, {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token ?? '',
        })
        assert.equal((await ask(tokens.access_token)).status, 401)
        assert.equal((await ask(body.access_token)).status, 200)
        await fetch(`${world.url}/oauth/v2/revoke`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${application.clientId}:${application.clientSecret}`)}` },
          body: new URLSearchParams({ token: body.access_token ?? '' }),
        })
        assert.equal((await ask(body.access_token)).status, 401)
      }
    })

    test('end with the session', async () => {
      for (const application of both()) {
        const { token, session } = await signIn(application)
        await world.call(SessionService.method.deleteSession, { sessionId: session.sessionId }, world.owner)
        assert.equal((await ask(token)).status, 401)
      }
    })

    test('end permanently when the user is locked', async () => {
      for (const application of both()) {
        const { token, userId } = await signIn(application)
        await world.call(UserService.method.lockUser, { userId }, world.owner)
        assert.equal((await ask(token)).status, 401)
        await world.call(UserService.method.unlockUser, { userId }, world.owner)
        assert.equal((await ask(token)).status, 401)
      }
    })

    test('end with the application', async () => {
      for (const accessTokenType of [0, 1]) {
        const application = await world.addApplication({ ...WITH_LOGIN_PAGE, accessTokenType })
        const { token } = await signIn(application)
        assert.equal((await ask(token)).status, 200)
        const { id: applicationId, projectId } = application
        await world.call(ApplicationService.method.deleteApplication, { applicationId, projectId }, world.owner)
        assert.equal((await ask(token)).status, 401)
      }
    })

    test('need a second factor where the user has one', async () => {
      const { token, userId } = await signIn(opaque)
      await world.call(UserService.method.addOTPEmail, { userId }, world.owner)
      assert.deepEqual(await ask(token), { status: 403, userId: undefined, code: 'access.sign_in_incomplete' })
    })

    test('need a second factor where the organization requires one; machines do not', async () => {
      const { token } = await signIn(opaque)
      const machine = await machineToken()
      const policy = { allowUsernamePassword: true, allowExternalIdp: true, passwordlessType: 1 } as const
      await world.call(AdminService.method.updateLoginPolicy, { ...policy, forceMfa: true }, world.owner)
      assert.deepEqual(await ask(token), { status: 403, userId: undefined, code: 'access.sign_in_incomplete' })
      assert.equal((await ask(machine)).status, 200)
      await world.call(AdminService.method.updateLoginPolicy, policy, world.owner)
      assert.equal((await ask(token)).status, 200)
    })

    test('are not given without a factor', async () => {
      const { userId } = await newPerson()
      const checks = { user: { search: { case: 'userId', value: userId } } } as const
      const session = await world.call(SessionService.method.createSession, { checks }, world.owner)
      await isRefused(
        tokensOf(world, login, opaque, session, { scope: SCOPE }),
        'authorization_request.sign_in_incomplete',
      )
    })

    test('are accepted from pages of the application and of the server alone', async () => {
      const application = await world.addApplication({ ...WITH_LOGIN_PAGE, additionalOrigins: ['https://spa.example'] })
      const { token } = await signIn(application)
      for (const origin of ['https://app.example', 'https://spa.example', world.url]) {
        assert.equal((await ask(token, { origin })).status, 200, origin)
      }
      for (const origin of ['https://evil.example', 'https://app.example:8443', 'null']) {
        assert.deepEqual(
          await ask(token, { origin }),
          { status: 403, userId: undefined, code: 'access.origin_not_allowed' },
          origin,
        )
      }
      assert.equal((await ask(await machineToken(), { origin: 'https://evil.example' })).status, 200)
    })

    test('are not accepted with an actor, or without the key that they are bound to', async () => {
      const { userId } = await newPerson()
      const subject = {
        userId,
        organizationId: world.defaultOrganizationId,
        isMachine: false,
        clientId: opaque.clientId,
        applicationId: opaque.id,
        projectId: opaque.projectId,
        sessionId: '',
        scope: SCOPE,
        audience: [await apiProjectId(world.app)],
        authenticatedAt: instant(world.app.clock()),
        amr: ['pwd'],
        acr: '',
      }
      const format = { grantType: 'test', lifetimeMs: 60_000 }
      const plain = await openGrantWithToken(world.app, world.origin(), subject, format)
      assert.equal((await ask(plain.text)).status, 200)
      const actor = { sub: 'another', iss: world.url }
      const acted = await openGrantWithToken(world.app, world.origin(), { ...subject, actor }, format)
      assert.deepEqual(await ask(acted.text), { status: 403, userId: undefined, code: 'access.actor_not_allowed' })
      const bound = await openGrantWithToken(world.app, world.origin(), subject, { ...format, dpopKey: 'thumbprint' })
      assert.equal((await ask(bound.text)).status, 401)
    })

    const machineToken = async (): Promise<string> => {
      const userName = `machine-${++people}`
      const { userId } = await world.call(ManagementService.method.addMachineUser, { userName, name: 'M' }, world.owner)
      const secret = await world.call(ManagementService.method.generateMachineSecret, { userId }, world.owner)
      const { body } = await askForToken(world.url, secret, { grant_type: 'client_credentials', scope: API_SCOPE })
      return body.access_token ?? assert.fail(JSON.stringify(body))
    }

    test('of machines identify them', async () => {
      assert.equal((await ask(await machineToken())).status, 200)
    })
  })
}
