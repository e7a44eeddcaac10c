/**
 * A token from an exchange is a child of the grants that it was derived from: it ends with them, lasts no longer, keeps the
 * time of the sign-in, and gives an actor no right that the actor's own token does not have.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { takeAccessBack } from '../../src/features/grants/index.ts'
import { engines } from '../support/engines.ts'
import {
  askToken,
  assertError,
  basic,
  introspect,
  type Parameters,
  post,
  signInFor,
  type Tokens,
} from '../support/openid-flow.ts'
import { addMachineClient, assertionOf, type MachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TYPE = 'urn:ietf:params:oauth:token-type:'
const USER_ID = 'urn:zitadel:params:oauth:token-type:user_id'
const OFFLINE = { scope: 'openid offline_access' }
const v1 = ManagementService.method

for (const engine of engines) {
  suite(`tokens from an exchange on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let adaId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      adaId = await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      await world.call(SettingsService.method.setSecuritySettings, { enableImpersonation: true }, world.owner)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const exchange = (form: Parameters, client = application) =>
      askToken(world, client, { grant_type: EXCHANGE, ...form })
    const ofAccess = (token: string) => ({ subject_token: token, subject_token_type: `${TYPE}access_token` })
    const ofId = (token: string) => ({ subject_token: token, subject_token_type: `${TYPE}id_token` })
    const revoke = (token = '') => post(`${world.url}/oauth/v2/revoke`, { token }, basic(application))
    const about = async (token: string) => (await introspect(world, application, token)).body

    const derive = async (form: Parameters, client = application): Promise<string> => {
      const answer = await exchange(form, client)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.access_token
    }

    /** Three generations: from the access token, from the ID token, and from what came of these. */
    const family = async (tokens: Tokens) => {
      const children = [await derive(ofAccess(tokens.access_token)), await derive(ofId(tokens.id_token))]
      const grandchildren = await Promise.all(children.map((token) => derive(ofAccess(token))))
      return [...children, ...grandchildren]
    }

    const assertEnded = async (tokens: Tokens, derived: readonly string[]) => {
      for (const token of derived) {
        assert.deepEqual(await about(token), { active: false })
        assertError(await exchange(ofAccess(token)), 400, 'invalid_request')
      }
      assertError(await exchange(ofAccess(tokens.access_token)), 400, 'invalid_request')
      assertError(await exchange(ofId(tokens.id_token)), 400, 'invalid_request')
    }

    test('end when the access token is revoked, also those that came from the ID token', async () => {
      const tokens = await signInFor(world, application)
      const derived = await family(tokens)
      for (const token of derived) assert.equal((await about(token)).active, true)
      await revoke(tokens.access_token)
      await assertEnded(tokens, derived)
    })

    test('end when the refresh token is revoked', async () => {
      const tokens = await signInFor(world, application, OFFLINE)
      const derived = await family(tokens)
      await revoke(tokens.refresh_token)
      await assertEnded(tokens, derived)
    })

    test('end when the user takes the access of the application back', async () => {
      const tokens = await signInFor(world, application)
      const derived = await family(tokens)
      await takeAccessBack(world.app, world.origin(), adaId, application.id)
      await assertEnded(tokens, derived)
    })

    test('end with the token in the middle, and the first one stays', async () => {
      const tokens = await signInFor(world, application)
      const child = await derive(ofAccess(tokens.access_token))
      const grandchild = await derive(ofAccess(child))
      await revoke(child)
      assert.deepEqual(await about(grandchild), { active: false })
      assert.equal((await about(tokens.access_token)).active, true)
    })

    test('keep the time of the sign-in and end no later than the token that was shown', async () => {
      const tokens = await signInFor(world, application)
      const first = await about(tokens.access_token)
      // The times in tokens are in seconds.
      const started = Math.floor(Date.now() / 1000)
      while (Math.floor(Date.now() / 1000) === started) await sleep(50)
      for (const token of await family(tokens)) {
        const { auth_time: authTime, exp } = await about(token)
        assert.equal(authTime, first.auth_time)
        assert.ok(exp <= first.exp, `${exp} is after ${first.exp}`)
      }
      const answer = await exchange(ofAccess(tokens.access_token))
      assert.ok(answer.body.expires_in < tokens.expires_in, answer.text)
    })

    test('are not made without end', async () => {
      let { access_token: token } = await signInFor(world, application)
      for (let count = 0; count < 8; count += 1) token = await derive(ofAccess(token))
      assertError(await exchange(ofAccess(token)), 400, 'invalid_request')
    })

    test('are given to no application that the user may not use', async () => {
      const closed = await world.addProject({ authorizationRequired: true })
      const other = await world.addApplication({ grantTypes: [0, 2, 4] }, closed)
      const scope = `openid urn:zitadel:iam:org:project:id:${closed}:aud`
      const { access_token: early } = await signInFor(world, application, { scope })
      assertError(await exchange(ofAccess(early), other), 400, 'invalid_request')
      const { userGrantId: grantId } = await world.call(
        v1.addUserGrant,
        { userId: adaId, projectId: closed },
        world.owner,
      )
      const { access_token: token } = await signInFor(world, application, { scope })
      await derive(ofAccess(token), other)
      await world.call(v1.deactivateUserGrant, { userId: adaId, grantId }, world.owner)
      assertError(await exchange(ofAccess(token), other), 400, 'invalid_request')
    })

    const tokenBySecret = async (machine: MachineClient): Promise<string> => {
      const scope = `openid urn:zitadel:iam:org:project:id:${application.projectId}:aud`
      const form = { grant_type: 'client_credentials', scope }
      return (await post(`${world.url}/oauth/v2/token`, form, basic(machine))).body.access_token
    }

    const tokenByKey = async (machine: MachineClient): Promise<string> => {
      const scope = `openid urn:zitadel:iam:org:project:id:${application.projectId}:aud`
      const assertion = await assertionOf(machine.key, machine.userId, world.url)
      return (await post(`${world.url}/oauth/v2/token`, { grant_type: JWT_BEARER, scope, assertion })).body.access_token
    }

    test('and the token of a machine end with the secret or key that it came from, and with no other', async () => {
      const machine = await addMachineClient(world)
      const { userId } = machine
      const bySecret = await tokenBySecret(machine)
      const byKey = await tokenByKey(machine)
      const [fromSecret, fromKey] = [await derive(ofAccess(bySecret)), await derive(ofAccess(byKey))]
      await world.call(v1.removeMachineSecret, { userId }, world.owner)
      for (const token of [bySecret, fromSecret]) {
        assert.deepEqual(await about(token), { active: false })
        assertError(await exchange(ofAccess(token)), 400, 'invalid_request')
      }
      await derive(ofAccess(byKey))
      await world.call(v1.removeMachineKey, { userId, keyId: machine.key.keyId }, world.owner)
      for (const token of [byKey, fromKey]) {
        assert.deepEqual(await about(token), { active: false })
        assertError(await exchange(ofAccess(token)), 400, 'invalid_request')
      }
    })

    test('and a new secret of a machine brings no token of the old one back', async () => {
      const machine = await addMachineClient(world)
      const token = await tokenBySecret(machine)
      assert.equal((await about(token)).active, true)
      await world.call(v1.generateMachineSecret, { userId: machine.userId }, world.owner)
      assert.deepEqual(await about(token), { active: false })
    })

    /** An organization with an application and a user. */
    const addTenant = async (name: string) => {
      const { organizationId } = await world.call(OrganizationService.method.addOrganization, { name }, world.owner)
      const organisation = { org: { case: 'orgId', value: organizationId } }
      const userId = await world.addPerson(`user-of-${name}`, { organisation })
      const projectId = await world.addProject({ organizationId })
      return { organizationId, userId, client: await world.addApplication({ grantTypes: [0, 2, 4] }, projectId) }
    }

    const addRoles = (userId: string, roles: string[], organizationId?: string) => {
      const resource =
        organizationId === undefined
          ? ({ resource: { case: 'instance', value: true } } as const)
          : ({ resource: { case: 'organizationId', value: organizationId } } as const)
      return world.call(InternalPermissionService.method.createAdministrator, { userId, resource, roles }, world.owner)
    }

    const actors = (tokens: Tokens) => [
      { actor_token: tokens.access_token, actor_token_type: `${TYPE}access_token` },
      { actor_token: tokens.id_token, actor_token_type: `${TYPE}id_token` },
    ]

    test('act as nobody whom the application of the actor could not reach', async () => {
      const [one, two] = [await addTenant('one'), await addTenant('two')]
      await addRoles(await world.addPerson('above'), ['IAM_OWNER', 'IAM_ADMIN_IMPERSONATOR'])
      const tokens = await signInFor(world, one.client, {}, { name: 'above' })
      for (const actor of actors(tokens)) {
        for (const subject of [two.userId, one.userId, adaId, world.machineAdministratorId]) {
          const answer = await exchange({ subject_token: subject, subject_token_type: USER_ID, ...actor }, one.client)
          assertError(answer, 400, 'access_denied')
        }
      }
    })

    test('act as a user of the organization of the application, and end with the sign-in of the actor', async () => {
      const { organizationId, userId, client } = await addTenant('three')
      const organisation = { org: { case: 'orgId', value: organizationId } }
      const helperId = await world.addPerson('helper', { organisation })
      await addRoles(helperId, ['ORG_END_USER_IMPERSONATOR'], organizationId)
      const tokens = await signInFor(world, client, {}, { name: 'helper' })
      const derived: string[] = []
      for (const actor of actors(tokens)) {
        derived.push(await derive({ subject_token: userId, subject_token_type: USER_ID, ...actor }, client))
      }
      const { auth_time: authTime } = (await introspect(world, client, tokens.access_token)).body
      for (const token of derived) {
        const { body } = await introspect(world, client, token)
        assert.deepEqual([body.sub, body.act?.sub, body.auth_time], [userId, helperId, authTime])
        // What it is about is another person, so it is no proof of who acts.
        const again = { subject_token: userId, subject_token_type: USER_ID, ...ofActor(token) }
        assertError(await exchange(again, client), 400, 'access_denied')
      }
      await world.browser().open(`${world.url}/oidc/v1/end_session?id_token_hint=${tokens.id_token}`)
      for (const token of derived) assert.deepEqual((await introspect(world, client, token)).body, { active: false })
    })

    const ofActor = (token: string) => ({ actor_token: token, actor_token_type: `${TYPE}access_token` })

    /** A machine user with a personal access token, and with a role on the instance or in an organization. */
    const addTokenHolder = async (role?: string, organizationId?: string) => {
      const { userId } = await addMachineClient(world)
      if (role !== undefined) await addRoles(userId, [role], organizationId)
      return { userId, ...(await world.call(v1.addPersonalAccessToken, { userId }, world.owner)) }
    }
    const asUser = (userId: string) => ({ subject_token: userId, subject_token_type: USER_ID })

    test('take a personal access token as the actor, and end with it', async () => {
      const holder = await addTokenHolder('ORG_END_USER_IMPERSONATOR', world.defaultOrganizationId)
      const { userId: actorId, token, tokenId } = holder
      const derived = await derive({ ...asUser(adaId), ...ofActor(token) })
      const body = await about(derived)
      assert.deepEqual([body.sub, body.act?.sub], [adaId, actorId])
      assert.equal(body.scope, 'openid profile urn:zitadel:iam:user:metadata urn:zitadel:iam:user:resourceowner')
      const child = await derive(ofAccess(derived))
      await world.call(v1.removePersonalAccessToken, { userId: actorId, tokenId }, world.owner)
      for (const one of [derived, child]) {
        assert.deepEqual(await about(one), { active: false })
      }
      const again = await exchange({ ...asUser(adaId), ...ofActor(token) })
      assertError(again, 400, 'invalid_request')
    })

    test('tell nobody who may not act as a user whether there is one, and in which state', async () => {
      const { token } = await addTokenHolder('ORG_END_USER_IMPERSONATOR', world.defaultOrganizationId)
      const elsewhere = { ...world.owner, organizationId: (await addTenant('seven')).organizationId }
      const addUser = async () => {
        const userName = `machine-${world.app.newId()}`
        return (await world.call(v1.addMachineUser, { userName, name: userName }, elsewhere)).userId
      }
      const [active, closed] = [await addUser(), await addUser()]
      await world.call(v1.deactivateUser, { id: closed }, elsewhere)
      for (const actor of [ofActor(token), {}]) {
        const answers = await Promise.all([active, closed, 'nobody'].map((id) => exchange({ ...asUser(id), ...actor })))
        const told = new Set(answers.map(({ status, text }) => `${status} ${text}`))
        assert.equal(told.size, 1, [...told].join('\n'))
      }
      // Whoever may act as the user learns why they cannot.
      await world.call(v1.deactivateUser, { id: adaId }, world.owner)
      const answer = await exchange({ ...asUser(adaId), ...ofActor(token) })
      assert.match(answer.text, /is not active/)
      await world.call(v1.reactivateUser, { id: adaId }, world.owner)
    })

    test('take a personal access token as the user, and do not come back with an account', async () => {
      const { userId, token } = await addTokenHolder()
      const derived = await derive(ofAccess(token))
      assert.equal((await about(derived)).sub, userId)
      assert.equal((await about(derived)).act, undefined)
      await world.call(v1.deactivateUser, { id: userId }, world.owner)
      assertError(await exchange(ofAccess(token)), 400, 'invalid_request')
      await world.call(v1.reactivateUser, { id: userId }, world.owner)
      assert.deepEqual(await about(derived), { active: false })
      await derive(ofAccess(token))
    })

    test('give the holder of a personal access token no right that its roles do not give', async () => {
      const { token } = await addTokenHolder()
      assertError(await exchange({ ...asUser(adaId), ...ofActor(token) }), 400, 'access_denied')
      const powerful = await addTokenHolder('IAM_ADMIN_IMPERSONATOR')
      const { userId, client } = await addTenant('six')
      // Nor is it for a project that the organization of the machine does not have.
      assertError(await exchange({ ...asUser(adaId), ...ofActor(powerful.token) }, client), 400, 'invalid_request')
      assertError(await exchange({ ...ofAccess(token), scope: 'openid email' }), 400, 'invalid_scope')
      assertError(await exchange({ ...ofAccess(token), audience: userId }), 400, 'invalid_target')
    })

    test('act as nobody for an application that only received the token of the actor', async () => {
      const [one, two] = [await addTenant('four'), await addTenant('five')]
      const machine = await addMachineClient(world)
      await addRoles(machine.userId, ['IAM_ADMIN_IMPERSONATOR'])
      const { projectId } = one.client
      const there = { ...world.owner, organizationId: one.organizationId }
      await world.call(v1.addProjectGrant, { projectId, grantedOrgId: world.defaultOrganizationId }, there)
      const scope = `openid urn:zitadel:iam:org:project:id:${projectId}:aud`
      const form = { grant_type: 'client_credentials', scope }
      const { body } = await post(`${world.url}/oauth/v2/token`, form, basic(machine))
      const asked = { subject_token: two.userId, subject_token_type: USER_ID, ...ofActor(body.access_token) }
      assertError(await exchange(asked, one.client), 400, 'access_denied')
    })
  })
}
