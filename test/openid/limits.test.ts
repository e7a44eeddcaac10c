/** What one tenant stores does not make the tokens, the scopes and the grants of its users large, or anonymous requests slow. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { applicationKeys } from '../../src/features/applications/documents.ts'
import { grants } from '../../src/features/grants/index.ts'
import { projectRoles } from '../../src/features/projects/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { findClient } from '../../src/openid/engine/clients.ts'
import { engines } from '../support/engines.ts'
import {
  ask,
  askToken,
  assertError,
  authorizationUrl,
  basic,
  introspect,
  post,
  signInFor,
  userinfo,
} from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, assertionForm, assertionOf } from '../support/openid-keys.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const METADATA = 'urn:zitadel:iam:user:metadata'
const ROLES = 'urn:zitadel:iam:org:project:roles'
const LEFT_OUT = 'urn:signet:left_out'
const LATER = instant(4_000_000_000_000)

for (const engine of engines) {
  suite(`what is large in one tenant on ${engine.name}`, () => {
    let world: OpenIdWorld
    before(async () => {
      world = await openOpenIdWorld({ engine })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('the metadata in tokens is bounded: the largest entries are left out, and the answer says so', async () => {
      const entry = (key: string, size: number) => ({ key, value: Buffer.alloc(size, 'x') })
      await world.addPerson('mia', {
        metadata: [entry('small', 10), ...'abcdefgh'.split('').map((key) => entry(key, 374_000))],
      })
      await world.addPerson('one', { metadata: [entry('small', 10), entry('large', 375_000)] })
      const application = await world.addApplication()
      const scope = `openid ${METADATA}`
      const many = await userinfo(world, (await signInFor(world, application, { scope }, { name: 'mia' })).access_token)
      assert.deepEqual(Object.keys(many.body[METADATA]), ['small'])
      assert.deepEqual(many.body[LEFT_OUT], [METADATA])
      const one = await userinfo(world, (await signInFor(world, application, { scope }, { name: 'one' })).access_token)
      assert.deepEqual(Object.keys(one.body[METADATA]).sort(), ['large', 'small'])
      assert.equal(one.body[LEFT_OUT], undefined)
      assert.equal(Buffer.from(one.body[METADATA].large, 'base64url').length, 375_000)
    })

    const addRoles = async (projectId: string, keys: readonly string[]) => {
      const owner = world.defaultOrganizationId
      await world.store.write(world.origin(), async (work) => {
        for (const key of keys) {
          const texts = { displayName: key, group: '', addedAt: work.origin.at }
          await work.decide(projectRoles, `${projectId} ${key}`, { type: 'add', projectId, key, ...texts }, owner)
        }
      })
    }
    const authorizeUser = (userId: string, projectId: string, roleKeys: string[]) => {
      const request = { userId, projectId, organizationId: world.defaultOrganizationId, roleKeys }
      return world.call(AuthorizationService.method.createAuthorization, request, world.owner)
    }

    test('the roles of a large project are asserted without a scope for each, and only as many as fit', async () => {
      const userId = await world.addPerson('rob')
      const projectId = await world.addProject({ projectRoleAssertion: true })
      const keys = Array.from({ length: 1000 }, (_, index) => `role-${index}-`.padEnd(200, 'x'))
      await addRoles(projectId, keys)
      await authorizeUser(userId, projectId, keys)
      const application = await world.addApplication(
        { accessTokenType: 1, accessTokenRoleAssertion: true, idTokenRoleAssertion: true },
        projectId,
      )
      const tokens = await signInFor(world, application, { scope: 'openid' }, { name: 'rob' })
      assert.ok(tokens.scope === undefined || tokens.scope.length < 10_000, `a scope of ${tokens.scope?.length}`)
      for (const token of [tokens.access_token, tokens.id_token]) {
        const claims = decodeJwt(token)
        const held = Object.keys(claims[ROLES] as object)
        assert.ok(held.length > 100 && held.length < 1000, `${held.length} roles`)
        assert.deepEqual(claims[LEFT_OUT], [ROLES])
        assert.ok(token.length < 400_000, `a token of ${token.length}`)
      }
      const { documents } = await world.store.find(grants, { where: { field: 'userId', equals: userId }, limit: 10 })
      for (const { state } of documents) assert.ok(JSON.stringify(state).length < 20_000, 'the grant is small')
      const opaque = await world.addApplication({}, projectId)
      const { access_token: token } = await signInFor(world, opaque, { scope: 'openid' }, { name: 'rob' })
      const { body } = await introspect(world, opaque, token)
      assert.ok(Object.keys(body[ROLES]).length > 100)
      assert.equal(body.scope, 'openid')
    })

    test('a project with few roles adds them to the scope, as existing clients expect', async () => {
      const userId = await world.addPerson('fay')
      const projectId = await world.addProject({ projectRoleAssertion: true })
      await addRoles(projectId, ['admin', 'guest'])
      await authorizeUser(userId, projectId, ['guest'])
      const application = await world.addApplication({}, projectId)
      const { access_token: token } = await signInFor(world, application, { scope: 'openid' }, { name: 'fay' })
      const { body } = await introspect(world, application, token)
      assert.equal(body.scope, 'openid urn:zitadel:iam:org:project:role:admin urn:zitadel:iam:org:project:role:guest')
      assert.deepEqual(Object.keys(body[ROLES]), ['guest'])
    })

    test('a role that the project does not have is no scope, and one that it has limits the roles', async () => {
      const userId = await world.addPerson('ned')
      const projectId = await world.addProject({ projectRoleAssertion: true })
      await addRoles(projectId, ['admin', 'guest'])
      await authorizeUser(userId, projectId, ['admin', 'guest'])
      const application = await world.addApplication({}, projectId)
      const role = 'urn:zitadel:iam:org:project:role:'
      const scope = `openid ${role}guest ${role}unknown`
      const { access_token: token } = await signInFor(world, application, { scope }, { name: 'ned' })
      const { body } = await introspect(world, application, token)
      assert.equal(body.scope, `openid ${role}guest`)
      assert.deepEqual(Object.keys(body[ROLES]), ['guest'])
    })

    test('the audience names the project and no more than 100 of its clients', async () => {
      await world.addPerson('aud')
      const projectId = await world.addProject()
      const application = await world.addApplication({}, projectId)
      const api = await world.addApi(projectId)
      for (let done = 0; done < 110; done++) await world.addApi(projectId)
      const { access_token: token } = await signInFor(world, application, {}, { name: 'aud' })
      const last = await world.addApi(projectId)
      for (const asking of [application, api, last]) {
        const { body } = await introspect(world, asking, token)
        assert.equal(body.active, true)
        assert.ok(body.aud.length <= 102, `an audience of ${body.aud.length}`)
        assert.ok(body.aud.includes(projectId) && body.aud.includes(application.clientId))
      }
    })

    test('a request with hundreds of scopes is refused', async () => {
      const application = await world.addApplication()
      const machine = await addMachineClient(world)
      const scope = Array.from({ length: 300 }, (_, index) => `urn:zitadel:iam:org:roles:id:${index}`).join(' ')
      const { headers } = await ask(authorizationUrl(world, application, { scope }))
      assert.match(headers.get('location') ?? '', /error=invalid_scope/)
      const form = { grant_type: 'client_credentials', scope }
      assertError(await post(`${world.url}/oauth/v2/token`, form, basic(machine)), 400, 'invalid_scope')
    })

    test('only the keys that a request names are read, however many an application has', async () => {
      const application = await world.addApplication({ authMethodType: 3 })
      const own = await addApplicationKey(world, application)
      const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
        type: 'spki',
        format: 'pem',
      })
      await world.store.write(world.origin(), async (work) => {
        for (let done = 0; done < 160; done++) {
          const command = {
            type: 'add',
            applicationId: application.id,
            projectId: application.projectId,
            publicKey: String(publicKey),
            expiresAt: LATER,
            at: work.origin.at,
          } as const
          await work.decide(applicationKeys, world.app.newId(), command, world.defaultOrganizationId)
        }
      })
      const keysFor = async (...assertions: string[]) =>
        (
          await findClient(world.app, application.clientId, {
            assertions,
            isProven: false,
            isTrial: false,
            isAuthorization: true,
            mayFetch: () => false,
          })
        )?.jwks?.keys.map(({ kid }) => kid)
      assert.deepEqual(await keysFor(), [])
      const assertion = await assertionOf(own, application.clientId, world.url)
      assert.deepEqual(await keysFor(assertion), [own.keyId])
      const unnamed = assertion.replace(/^[^.]+/, Buffer.from('{"alg":"RS256"}').toString('base64url'))
      assert.equal((await keysFor(unnamed))?.length, 10)
      assert.deepEqual(await keysFor('no token', '.', 'e30.e30.'), await keysFor(unnamed))
      assert.ok((await keysFor(unnamed, assertion))?.includes(own.keyId))

      const form = {
        grant_type: 'authorization_code',
        code: 'unknown',
        redirect_uri: REDIRECT_URI,
        ...(await assertionForm(world, application, own)),
      }
      assertError(await askToken(world, application, form, {}), 400, 'invalid_grant')
      const other = await world.addApplication({ authMethodType: 3 })
      const foreign = await addApplicationKey(world, other)
      const forged = { ...form, ...(await assertionForm(world, application, foreign)) }
      assertError(await askToken(world, application, forged, {}), 401, 'invalid_client')
    })

    test('a key that was removed or has expired is not accepted', async () => {
      const application = await world.addApplication({ authMethodType: 3 })
      const own = await addApplicationKey(world, application)
      const isAccepted = async () => {
        const form = {
          grant_type: 'authorization_code',
          code: 'unknown',
          redirect_uri: REDIRECT_URI,
          ...(await assertionForm(world, application, own)),
        }
        return (await askToken(world, application, form, {})).body.error === 'invalid_grant'
      }
      assert.equal(await isAccepted(), true)
      const { id, projectId } = application
      await world.call(ManagementService.method.removeAppKey, { appId: id, projectId, keyId: own.keyId }, world.owner)
      assert.equal(await isAccepted(), false)
    })

    test('an entry of metadata that is set afterwards appears in the next answer', async () => {
      const userId = await world.addPerson('new')
      const application = await world.addApplication()
      const scope = `openid ${METADATA}`
      const { access_token: token } = await signInFor(world, application, { scope }, { name: 'new' })
      assert.equal((await userinfo(world, token)).body[METADATA], undefined)
      const metadata = [{ key: 'k', value: Buffer.from('v') }]
      await world.call(UserService.method.setUserMetadata, { userId, metadata }, world.owner)
      assert.deepEqual((await userinfo(world, token)).body[METADATA], { k: 'dg' })
    })
  })
}
