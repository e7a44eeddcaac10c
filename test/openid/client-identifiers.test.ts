/**
 * A client identifier means one client: no machine speaks in the name of an application, no matter what it is called, and
 * no scope puts a value into a token that its user has nothing to do with.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { addApplication } from '../../src/features/applications/handlers/add-application.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { users } from '../../src/features/users/index.ts'
import { allowHere, CLIENT } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { assertError, basic, introspect, type Parameters, post, signInFor, userinfo } from '../support/openid-flow.ts'
import { addMachineClient, assertionOf, type MachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const DOMAIN = 'urn:zitadel:iam:org:domain:primary'
const audienceOf = (id: string) => `urn:zitadel:iam:org:project:id:${id}:aud`

for (const engine of engines) {
  suite(`client identifiers on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let machine: MachineClient
    const v1 = ManagementService.method
    const v2 = UserService.method
    const call: OpenIdWorld['call'] = (method, message, options = world.owner) => world.call(method, message, options)

    before(async () => {
      world = await openOpenIdWorld({ engine })
      application = await world.addApplication()
      machine = await addMachineClient(world, 1)
      await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const token = (form: Parameters, headers: Parameters = {}) => post(`${world.url}/oauth/v2/token`, form, headers)
    const byKey = async ({ key, userId }: MachineClient, scope?: string) =>
      token({ grant_type: JWT_BEARER, scope, assertion: await assertionOf(key, userId, world.url) })
    const bySecret = (client: MachineClient, scope: string) =>
      token({ grant_type: 'client_credentials', scope }, basic(client))
    const newMachine = (username: string, userId?: string) =>
      call(v2.createUser, {
        organizationId: world.defaultOrganizationId,
        username,
        ...(userId !== undefined && { userId }),
        userType: { case: 'machine', value: { name: 'Robot' } },
      })

    test('tokens of a machine with the client ID of an application as ID name the machine', async () => {
      const { clientId } = application
      const claimed = await addMachineClient(world, 1, world.defaultOrganizationId, clientId)
      assert.equal(claimed.userId, clientId)
      const { status, body } = await byKey(claimed, 'openid')
      assert.equal(status, 200)
      const [idToken, accessToken] = [decodeJwt(body.id_token), decodeJwt(body.access_token)]
      assert.deepEqual([idToken.aud, idToken.azp], [`machine:${clientId}`, `machine:${clientId}`])
      assert.deepEqual([accessToken.aud].flat(), [`machine:${clientId}`])
      assert.deepEqual((await introspect(world, await world.addApi(application.projectId), body.access_token)).body, {
        active: false,
      })
    })

    test('a machine that is renamed to the client ID of an application is not that client in its tokens', async () => {
      await allowHere(world, {
        dynamicClientRegistration: { enabled: true },
        clientIdMetadataDocuments: { enabled: true },
      })
      const { clientId, projectId } = await world.addApplication()
      const api = await world.addApi(projectId)
      const names = {
        'of an application': clientId,
        'of a client that registers itself': `dcr-${world.app.newId()}`,
        'of a client with a metadata document': CLIENT,
      }
      for (const [whose, name] of Object.entries(names)) {
        const renamed = await addMachineClient(world)
        const { body } = await byKey(renamed, `openid ${audienceOf(projectId)}`)
        assert.equal((await introspect(world, api, body.access_token)).body.client_id, renamed.clientId, whose)
        await call(v1.updateUserName, { userId: renamed.userId, userName: name })
        const { body: after } = await introspect(world, api, body.access_token)
        assert.deepEqual([after.active, after.client_id], [true, `machine:${renamed.userId}`], whose)
        assertError(await byKey(renamed, 'openid'), 400, 'invalid_grant')
        assertError(await bySecret({ ...renamed, clientId: name }, 'openid'), 401, 'invalid_client')
        await call(v2.updateUser, { userId: renamed.userId, username: `free-${renamed.userId}` })
      }
    })

    test('a machine that has the name by which tokens call another one is called by its own ID', async () => {
      const { projectId } = application
      const named = await addMachineClient(world, 1)
      await call(v1.updateUserName, { userId: named.userId, userName: `Machine:${machine.userId}` })
      const { body } = await byKey(named, `openid ${audienceOf(projectId)}`)
      assert.equal(decodeJwt(body.access_token).client_id, `machine:${named.userId}`)
    })

    test('no application gets the name or the ID of a machine as its client ID', async () => {
      const { projectId } = application
      const next = () => String(BigInt(world.app.newId()) + 60_000_000_000n)
      const [name, id] = [next(), next()]
      await newMachine(name)
      await newMachine('robot-3', id)
      const { newId } = world.app
      const ids = [newId(), name, id, newId()]
      const app = { ...world.app, newId: () => ids.shift() ?? newId() } as typeof world.app
      const caller = { userId: 'boss', organizationId: world.defaultOrganizationId, grants: [] }
      const { written } = await addApplication(
        app,
        { caller, origin: world.origin() },
        {
          projectId,
          name: 'Lucky',
          config: { type: 'api', authMethod: 'basic' },
          fieldPrefix: '',
        },
      )
      assert.ok(![name, id].includes(written.value.state.clientId))
      assert.deepEqual(ids, [])
    })

    test('a machine that had such a name before gets no token, and the application works on', async () => {
      const { clientId } = application
      const old = await addMachineClient(world)
      await world.store.write(world.origin(), (work) =>
        work.decide(users, old.userId, { type: 'change_username', at: world.origin().at, userName: clientId }),
      )
      assertError(await byKey(old, 'openid'), 400, 'invalid_grant')
      assertError(await bySecret({ ...old, clientId }, 'openid'), 401, 'invalid_client')
      const { id_token: idToken } = await signInFor(world, application)
      assert.equal(decodeJwt(idToken).azp, clientId)
      await call(v1.updateUserName, { userId: old.userId, userName: 'renamed' })
      assert.equal((await byKey(old, 'openid')).status, 200)
    })

    test('the ID token of a machine names its ID, which no one chose', async () => {
      const { body } = await byKey(machine, `openid ${audienceOf(application.projectId)}`)
      const claims = decodeJwt(body.id_token)
      assert.deepEqual(claims.aud, [machine.userId, application.projectId])
      assert.equal(claims.azp, machine.userId)
      assert.equal('client_id' in claims, false)
      assert.equal(decodeJwt(body.access_token).client_id, machine.clientId)
    })

    test('the ID token of an application is for it and what its scopes name; its access token for the project', async () => {
      const { projectId, clientId } = application
      const sibling = await world.addApplication({ accessTokenType: 1 }, projectId)
      const other = await world.addProject()
      const scope = `openid ${audienceOf(other)}`
      const plain = decodeJwt((await signInFor(world, sibling)).id_token)
      assert.deepEqual(plain.aud, [sibling.clientId])
      const { id_token: idToken, access_token: accessToken } = await signInFor(world, sibling, { scope })
      const claims = decodeJwt(idToken)
      assert.deepEqual(claims.aud, [sibling.clientId, other])
      assert.equal(claims.azp, sibling.clientId)
      assert.equal('client_id' in claims, false)
      const audience = [decodeJwt(accessToken).aud].flat()
      for (const one of [clientId, sibling.clientId, projectId, other]) assert.ok(audience.includes(one), one)
    })

    test('an audience is a project that exists, never a client', async () => {
      const api = await world.addApi(application.projectId)
      const scope = ['openid', audienceOf(application.clientId), audienceOf('unknown'), audienceOf(api.clientId)].join(
        ' ',
      )
      const { body } = await byKey(machine, scope)
      assert.equal(decodeJwt(body.id_token).aud, machine.userId)
      assert.deepEqual(decodeJwt(body.access_token).aud, [machine.userId])
      assert.deepEqual((await introspect(world, api, body.access_token)).body, { active: false })
      const signed = await signInFor(world, application, { scope })
      assert.deepEqual(decodeJwt(signed.id_token).aud, [application.clientId])
    })

    test('no project gets the client ID of an application as its ID', async () => {
      const { clientId: projectId } = application
      const organizationId = world.defaultOrganizationId
      const create = call(ProjectService.method.createProject, { organizationId, projectId, name: 'Same' })
      await isRefused(create, 'project.id_taken')
    })

    test('the domain in a token is one of the organization of its user', async () => {
      const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'Victim' })
      const [victim, mine, second] = ['victim.test', 'mine.test', 'second.test']
      const prove = (id: string, domain: string) =>
        world.store.write(world.origin(), async (work) => {
          await work.decide(organizations, id, { type: 'add_domain', domain })
          await work.decide(organizations, id, { type: 'start_domain_validation', domain, proof: 'dns', token: 'x' })
          await work.decide(organizations, id, { type: 'verify_domain', domain, token: 'x', proven: true })
        })
      await prove(organizationId, victim)
      await prove(world.defaultOrganizationId, mine)
      await prove(world.defaultOrganizationId, second)
      for (const way of [byKey, bySecret]) {
        for (const foreign of [victim, 'victim.example']) {
          const { body } = await way(machine, `openid ${DOMAIN}:${foreign} urn:zitadel:iam:org:id:${organizationId}`)
          const info = (await userinfo(world, body.access_token)).body
          for (const claims of [info, decodeJwt(body.access_token)]) {
            assert.equal(claims[DOMAIN], undefined)
            assert.equal(claims['urn:zitadel:iam:org:id'], undefined)
          }
        }
        for (const own of [mine, second]) {
          const { body } = await way(machine, `openid ${DOMAIN}:${victim} ${DOMAIN}:${own.toUpperCase()}`)
          assert.equal((await userinfo(world, body.access_token)).body[DOMAIN], own)
        }
      }
    })
  })
}
