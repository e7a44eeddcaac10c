/** Who a token is for, when it is issued and when it is used: applications and machines of other organizations, and chains. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { ApiAccess } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE } from '../support/login-page.ts'
import { askToken, basic, introspect, post, refresh, signInFor } from '../support/openid-flow.ts'
import { addMachineClient, type MachineClient } from '../support/openid-keys.ts'
import { authorizationUrl, isBack, signedIn } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const SIGNED = { accessTokenType: 1, grantTypes: [0, 2, 4] }
const v1 = ManagementService.method

for (const engine of engines) {
  suite(`who a token is for on ${engine.name}`, () => {
    let world: OpenIdWorld
    let projectId: string
    let api: Application
    let scope: string
    /** The organization next door, with an application. */
    let elsewhere: string
    let foreign: Application
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      projectId = await world.addProject()
      api = await world.addApi(projectId)
      scope = `openid offline_access urn:zitadel:iam:org:project:id:${projectId}:aud`
      const added = await world.call(OrganizationService.method.addOrganization, { name: 'Elsewhere' }, world.owner)
      elsewhere = added.organizationId
      foreign = await world.addApplication(SIGNED, await world.addProject({ organizationId: elsewhere }))
      await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const isActive = async (token: string) => (await introspect(world, api, token)).body.active
    const isNamed = (token: string) => [decodeJwt(token).aud].flat().includes(projectId)
    const whileGranted = async (run: () => Promise<void>) => {
      const { grantId } = await world.call(v1.addProjectGrant, { projectId, grantedOrgId: elsewhere }, world.owner)
      await run()
      await world.call(v1.removeProjectGrant, { projectId, grantId }, world.owner)
    }
    const byCredentials = async (machine: MachineClient, asked = scope): Promise<string> => {
      const form = { grant_type: 'client_credentials', scope: asked }
      return (await post(`${world.url}/oauth/v2/token`, form, basic(machine))).body.access_token
    }
    const exchange = async (token: string, by: Application): Promise<string> => {
      const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: ACCESS_TOKEN }
      return (await askToken(world, by, form)).body.access_token
    }

    test('an application of another organization gets none for a project that it does not have', async () => {
      const { access_token: token } = await signInFor(world, foreign, { scope })
      assert.deepEqual([await isActive(token), isNamed(token)], [false, false])
    })

    test('one that was granted the project has them while that lasts, and refreshes to none afterwards', async () => {
      let token = ''
      let refreshToken: string | undefined
      await whileGranted(async () => {
        const tokens = await signInFor(world, foreign, { scope })
        token = tokens.access_token
        refreshToken = tokens.refresh_token
        assert.deepEqual([await isActive(token), isNamed(token)], [true, true])
      })
      assert.equal(await isActive(token), false)
      const { body } = await refresh(world, foreign, refreshToken)
      assert.deepEqual([await isActive(body.access_token), isNamed(body.access_token)], [false, false])
    })

    test('what a token is not for any more stays so when the grant of the project, or the project, is opened again', async () => {
      const machine = await addMachineClient(world, 1, elsewhere)
      const grant = { projectId, grantedOrganizationId: elsewhere }
      const { method } = ProjectService
      await world.call(method.createProjectGrant, grant, world.owner)
      const ways = {
        'the grant deactivated': [method.deactivateProjectGrant, method.activateProjectGrant, grant],
        'the grant removed': [method.deleteProjectGrant, method.createProjectGrant, grant],
        'the project deactivated': [method.deactivateProject, method.activateProject, { projectId }],
      } as const
      const isFor = async (token: string) => [
        await isActive(token),
        token.includes('.') ? isNamed(token) : await isActive(token),
      ]
      for (const [way, [close, open, message]] of Object.entries(ways)) {
        const tokens = await signInFor(world, foreign, { scope })
        const [old, byMachine] = [tokens.access_token, await byCredentials(machine)]
        const derived = await exchange(old, foreign)
        for (const token of [old, byMachine, derived]) assert.deepEqual(await isFor(token), [true, true], way)
        await world.call(close as never, message as never, world.owner)
        await world.call(open as never, message as never, world.owner)
        for (const token of [old, byMachine, derived]) assert.equal(await isActive(token), false, way)
        assert.deepEqual(await isFor(await exchange(old, foreign)), [false, false], `${way}, derived later`)
        const { body } = await refresh(world, foreign, tokens.refresh_token)
        assert.deepEqual(await isFor(body.access_token), [false, false], `${way}, refreshed`)
        const { access_token: later } = await signInFor(world, foreign, { scope })
        assert.deepEqual(await isFor(later), [true, true], `${way}, signed in later`)
        assert.deepEqual(await isFor(await exchange(later, foreign)), [true, true], `${way}, derived from that`)
        assert.deepEqual(await isFor(await byCredentials(machine)), [true, true], `${way}, of a machine`)
      }
      await world.call(method.deleteProjectGrant, grant, world.owner)
    })

    test('a machine of another organization has none either, with a secret or a personal access token', async () => {
      const machine = await addMachineClient(world, 1, elsewhere)
      const there = { ...world.owner, organizationId: elsewhere }
      const { token: personal } = await world.call(v1.addPersonalAccessToken, { userId: machine.userId }, there)
      const token = await byCredentials(machine)
      assert.deepEqual([await isActive(token), isNamed(token), await isActive(personal)], [false, false, false])
      await whileGranted(async () => {
        const granted = await byCredentials(machine)
        assert.deepEqual([await isActive(granted), isNamed(granted), await isActive(personal)], [true, true, true])
      })
      const own = await addMachineClient(world, 1)
      assert.equal(await isActive(await byCredentials(own)), true)
    })

    test('a machine with the ID of a project or an organization gets no token for it', async () => {
      const { defaultOrganizationId } = world
      for (const userId of [projectId, defaultOrganizationId]) {
        const machine = { username: `m-${++count}`, userType: { case: 'machine', value: { name: 'M' } } } as const
        const request = { organizationId: elsewhere, userId, ...machine }
        await world.call(UserService.method.createUser, request as never, world.owner)
        const there = { ...world.owner, organizationId: elsewhere }
        const update = { userId, name: 'M', accessTokenType: 1 }
        await world.call(v1.updateMachine, update as never, there)
        const secret = await world.call(v1.generateMachineSecret, { userId }, there)
        const token = await byCredentials({ ...secret, userId } as never, 'openid')
        assert.deepEqual([decodeJwt(token).aud].flat(), [`machine:${userId}`])
      }
    })

    test('a token does no more after an exchange than the application that got it first', async () => {
      const [narrow, wide] = [
        await world.addApplication(SIGNED, projectId),
        await world.addApplication(SIGNED, projectId),
      ]
      const access = { applicationId: narrow.id, projectId: narrow.projectId, access: ApiAccess.NONE }
      await world.call(ApplicationService.method.setApplicationApiAccess, access as never, world.owner)
      const userId = await world.addPerson(`owner-${++count}`)
      await world.call(v1.addOrgMember, { userId, roles: ['ORG_OWNER'] }, world.owner)
      const asked = { scope: `openid ${API_SCOPE}` }
      const counts = async (bearer: string) =>
        (
          await fetch(`${world.url}/management/v1/users/_search`, {
            method: 'POST',
            headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
            body: '{}',
          })
        ).status
      const { access_token: one } = await signInFor(world, wide, asked, { name: `owner-${count}` })
      assert.deepEqual([await counts(one), await counts(await exchange(one, wide))], [200, 200])
      const { access_token: two } = await signInFor(world, narrow, asked, { name: `owner-${count}` })
      const once = await exchange(two, wide)
      assert.deepEqual(
        [await counts(two), await counts(once), await counts(await exchange(once, wide))],
        [403, 403, 403],
      )
    })

    test('our API is none for an application elsewhere before the user allowed that', async () => {
      const code = async (bearer: string) => {
        const answer = await fetch(`${world.url}/auth/v1/users/me`, { headers: { authorization: `Bearer ${bearer}` } })
        const body = (await answer.json()) as { details?: { id: string }[] }
        return answer.status === 200 ? 200 : body.details?.[0]?.id
      }
      const asked = { scope: `openid ${API_SCOPE}` }
      const { access_token: token } = await signInFor(world, foreign, asked)
      assert.equal(await code(token), 'access.consent_missing')
      assert.equal(await code(await exchange(token, foreign)), 'access.consent_missing')

      const thirdParty = await world.addApplication({ thirdParty: true }, foreign.projectId)
      const browser = await signedIn(world)
      const page = await browser.open(authorizationUrl(world, thirdParty, asked))
      isBack(await browser.send(page, { do: 'allow' }, '/ui/consent'))
      const { access_token: allowed } = await signInFor(world, thirdParty, asked, { browser })
      assert.equal(await code(allowed), 200)

      const access = { applicationId: foreign.id, projectId: foreign.projectId, access: ApiAccess.INSTANCE }
      await world.call(ApplicationService.method.setApplicationApiAccess, access as never, world.owner)
      assert.equal(await code(token), 200)
    })

    test('an ID token of an application elsewhere ends no session from another browser', async () => {
      const browser = await signedIn(world)
      const { id_token: hint } = await signInFor(world, foreign, {}, { browser })
      await fetch(`${world.url}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: hint })}`, {
        redirect: 'manual',
      })
      assert.equal(new URL((await browser.open(`${world.url}/ui/account`)).url).pathname, '/ui/account')
      await browser.open(`${world.url}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: hint })}`)
      assert.equal(new URL((await browser.open(`${world.url}/ui/account`)).url).pathname, '/ui/login')

      const own = await world.addApplication()
      const other = await signedIn(world)
      const { id_token: home } = await signInFor(world, own, {}, { browser: other })
      await fetch(`${world.url}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: home })}`, {
        redirect: 'manual',
      })
      assert.equal(new URL((await other.open(`${world.url}/ui/account`)).url).pathname, '/ui/login')
    })
  })
}
