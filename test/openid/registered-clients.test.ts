/** Clients that register themselves (RFC 7591), manage that (RFC 7592), and end. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AgentClientKind } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { routerOf } from '../../src/app.ts'
import { registeredClients } from '../../src/features/applications/agents/registered-clients.ts'
import { applications, noteUse } from '../../src/features/applications/index.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { openIdPages } from '../../src/openid/index.ts'
import { openIdBrowser } from '../../src/web/index.ts'
import { allowAt, allowHere, CALLBACK, openRequest, tokensFor } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { type Answer, ask, assertError, introspect, post } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, readToken, resource, setResources } from '../support/resources.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const METADATA = {
  client_name: 'Agent',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}
const OPEN = { dynamicClientRegistration: { enabled: true, allowUnauthenticated: true, registrationsPerHour: 1000 } }
const v2 = ApplicationService.method
const v1 = ManagementService.method
const users = UserService.method
const organizations = OrganizationService.method

for (const engine of engines) {
  suite(`clients that register themselves on ${engine.name}`, () => {
    let world: OpenIdWorld
    /** The same server behind a proxy that is trusted. */
    let proxied: string
    let close: () => Promise<unknown>
    let projectId: string
    let api: Application
    let later = 0
    let hours = 0
    let tenants = 0
    const request = { resource: MCP, scope: 'offline_access tools:read' }

    before(async () => {
      world = await openOpenIdWorld({ engine, clock: (): Instant => instant(Date.now() + later) })
      await world.addPerson('ada')
      const { app } = world
      const pages = openIdPages({ app, ...openIdBrowser(app) })
      const router = routerOf(app, { pages, onFinish: () => {}, trustedProxies: ['127.0.0.1', '::1'] })
      const port = await freePort()
      const served = await openPort({ listen: { host: '127.0.0.1', port }, router })
      close = () => served.close()
      proxied = `http://127.0.0.1:${port}`
      projectId = await world.addProject()
      api = await world.addApi(projectId)
      await setResources(world, projectId, resource(MCP))
      await allowHere(world, OPEN)
      await allowAt(world, projectId, { dynamicRegistration: true })
    })

    after(async () => {
      await close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const send = (url: string, method: string, body?: unknown, token?: string): Promise<Answer> =>
      ask(url, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const register = (metadata: unknown = METADATA, token?: string) =>
      send(`${world.url}/oauth/v2/register`, 'POST', metadata, token)
    const registerFrom = (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
      return ask(`${proxied}/oauth/v2/register`, { method: 'POST', headers, body: JSON.stringify(METADATA) })
    }
    const registered = async (metadata: unknown = METADATA, token?: string) => {
      const answer = await register(metadata, token)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    }
    const isActive = async (token: string) => (await introspect(world, api, token)).body.active
    const registrationToken = async (id = projectId) =>
      (await world.call(v2.createRegistrationToken, { projectId: id }, world.owner)).token

    test('are told about, register and sign a user in', async () => {
      const { body: discovery } = await ask(`${world.url}/.well-known/oauth-authorization-server`)
      assert.equal(discovery.registration_endpoint, `${world.url}/oauth/v2/register`)
      const client = await registered()
      assert.deepEqual(
        [client.client_name, client.redirect_uris, client.token_endpoint_auth_method, client.client_secret],
        ['Agent', [CALLBACK], 'none', undefined],
      )
      const { access_token: token } = await tokensFor(world, client.client_id, request)
      assert.deepEqual([readToken(token).aud, readToken(token).client_id], [MCP, client.client_id])
      assert.equal(await isActive(token), true)
    })

    test('are told what of their registration cannot be read', async () => {
      const at = (body: string, type: string) =>
        ask(`${world.url}/oauth/v2/register`, { method: 'POST', headers: { 'content-type': type }, body })
      const cases: [string, string, number, RegExp][] = [
        ['{', 'application/json', 400, /not JSON/],
        ['{not valid', 'application/json', 400, /not JSON/],
        ['{}', 'text/plain', 415, /application\/json/],
        [JSON.stringify({ client_name: 'x'.repeat(20_000) }), 'application/json', 413, /too long/],
      ]
      for (const [body, type, status, description] of cases) {
        const answer = await at(body, type)
        assert.deepEqual([answer.status, answer.body.error], [status, 'invalid_client_metadata'], type)
        assert.match(answer.body.error_description, description)
      }
    })

    test('do not fill the log by changing their registration again and again', async () => {
      const { client_id, registration_client_uri: uri, registration_access_token: token } = await registered()
      const change = async (name: string) =>
        (await send(uri, 'PUT', { ...METADATA, client_id, client_name: name }, token)).status
      const eventsOf = async () => (await world.store.events({ id: client_id, limit: 100 })).length
      for (let count = 0; count < 50; count++) assert.equal(await change(`Name ${count}`), 200)
      assert.equal(await change('Name 49'), 200)
      assert.equal(await change('One more'), 429)
      assert.equal(await eventsOf(), 51)
    })

    test('show, change and end their registration, and their tokens end with it', async () => {
      const client = await registered()
      const { registration_client_uri: uri, registration_access_token: token } = client
      assert.deepEqual((await send(uri, 'GET', undefined, token)).body, client)
      const { access_token: access, refresh_token: refreshToken } = await tokensFor(world, client.client_id, request)
      const changed = { ...METADATA, client_id: client.client_id, client_name: 'Other' }
      assert.equal((await send(uri, 'PUT', changed, token)).body.client_name, 'Other')
      assert.equal((await send(uri, 'PUT', { ...changed, client_id: 'another' }, token)).status, 400)
      const foreign = (await registered()).registration_access_token
      for (const wrong of [undefined, '', 'nonsense', foreign, access, await registrationToken()]) {
        assert.equal((await send(uri, 'GET', undefined, wrong)).status, 401, String(wrong))
        assert.equal((await send(uri, 'DELETE', undefined, wrong)).status, 401)
      }
      assert.equal(await isActive(access), false, 'users allowed it under another name')
      assert.equal((await send(uri, 'PUT', { ...METADATA, client_id: client.client_id }, token)).status, 200)
      assert.equal(await isActive(access), true)
      assert.equal((await send(uri, 'DELETE', undefined, token)).status, 204)
      assert.equal(await isActive(access), false)
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client.client_id }
      assertError(await post(`${world.url}/oauth/v2/token`, form), 401, 'invalid_client')
      assert.equal((await send(uri, 'GET', undefined, token)).status, 401)
    })

    test('need a token of a project where the instance says so, and are for that project then', async () => {
      await allowHere(world, { dynamicClientRegistration: { enabled: true } })
      try {
        assert.equal((await register()).status, 401)
        const token = await registrationToken()
        assert.equal((await register(METADATA, `${token}x`)).status, 401)
        const client = await registered(METADATA, token)
        const { access_token: access } = await tokensFor(world, client.client_id, request)
        assert.equal(await isActive(access), true)
        const other = await world.addProject()
        await setResources(world, other, resource(`https://other-${engine.name}.example/mcp`))
        await allowAt(world, other, { dynamicRegistration: true })
        const { page } = await openRequest(world, client.client_id, {
          ...request,
          resource: `https://other-${engine.name}.example/mcp`,
        })
        assert.equal(new URL(page.url).searchParams.get('error'), 'invalid_target')
        const closed = await world.addProject()
        assert.equal((await register(METADATA, await registrationToken(closed))).status, 401)
      } finally {
        await allowHere(world, OPEN)
      }
    })

    test('are refused where the instance does not allow them, and end at once when it no longer does', async () => {
      const client = await registered()
      const { access_token: token } = await tokensFor(world, client.client_id, request)
      await allowHere(world, {})
      try {
        assert.equal((await register()).status, 404)
        assert.equal((await register({ redirect_uris: 'nonsense' }, 'nonsense')).status, 404)
        assert.equal(await isActive(token), false)
        const { registration_client_uri: uri, registration_access_token: management } = client
        assert.equal((await send(uri, 'GET', undefined, management)).status, 404)
        assert.equal((await send(uri, 'GET', undefined, 'nonsense')).status, 404)
        const { body } = await ask(`${world.url}/.well-known/openid-configuration`)
        assert.equal(body.registration_endpoint, undefined)
      } finally {
        await allowHere(world, OPEN)
      }
    })

    const registrarOf = async (organizationId: string, organizationRoles: readonly string[]) =>
      (await world.addMachine({ organizationId, organizationRoles })).request.bearer

    test('register with the token of a user who may do that, for projects of their organization alone', async () => {
      await allowHere(world, { dynamicClientRegistration: { enabled: true } })
      try {
        const home = world.defaultOrganizationId
        assertError(await register(METADATA, await registrarOf(home, ['ORG_USER_MANAGER'])), 403, 'insufficient_scope')
        const client = await registered(METADATA, await registrarOf(home, ['ORG_DYNAMIC_CLIENT_REGISTRAR']))
        const { access_token: access } = await tokensFor(world, client.client_id, request)
        assert.equal(await isActive(access), true)
        const { organizationId } = await tenant()
        const foreign = await registered(METADATA, await registrarOf(organizationId, ['ORG_OWNER']))
        const { page } = await openRequest(world, foreign.client_id, request)
        assert.equal(new URL(page.url).searchParams.get('error'), 'invalid_target')
      } finally {
        await allowHere(world, OPEN)
      }
    })

    /** To the beginning of an hour in which nobody has registered. */
    const toNewHour = () => {
      hours += 2
      later = hours * HOUR - (Date.now() % HOUR)
    }
    /** A project of an organization of its own, and a machine that manages it. */
    const tenant = async () => {
      const { id: organizationId } = await world.call(v1.addOrg, { name: `Tenant ${++tenants}` }, world.owner)
      const { projectId: id } = await world.call(
        ProjectService.method.createProject,
        { organizationId, name: 'Agents' },
        world.owner,
      )
      await allowAt(world, id, { dynamicRegistration: true })
      const maker = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const tokenOf = async () => (await world.call(v2.createRegistrationToken, { projectId: id }, maker.request)).token
      return { organizationId, userId: maker.userId, tokenOf }
    }

    test('of one organization leave other organizations and callers without a token their share, also at once', async () => {
      toNewHour()
      const limited = { ...OPEN.dynamicClientRegistration, registrationsPerHour: 5 }
      await allowHere(world, { dynamicClientRegistration: limited })
      try {
        const [one, other] = [await tenant(), await tenant()]
        const tokens = [await one.tokenOf(), await one.tokenOf()]
        const answers = await Promise.all(
          Array.from({ length: 18 }, (_, index) => register(METADATA, tokens[index % 2])),
        )
        assert.deepEqual(answers.map(({ status }) => status).sort(), [
          ...Array.from({ length: 5 }, () => 201),
          ...Array.from({ length: 13 }, () => 429),
        ])
        await registered(METADATA, await other.tokenOf())
        for (let count = 0; count < 5; count++) assert.equal((await registerFrom(`192.0.2.${count}`)).status, 201)
        assertError(await register(), 429, 'temporarily_unavailable')
        await registered(METADATA, await other.tokenOf())
      } finally {
        later = 0
        await allowHere(world, OPEN)
      }
    })

    const endings: Readonly<Record<string, (maker: Awaited<ReturnType<typeof tenant>>) => Promise<unknown>>> = {
      'was locked and unlocked': async ({ userId }) => {
        await world.call(users.lockUser, { userId }, world.owner)
        await world.call(users.unlockUser, { userId }, world.owner)
      },
      'was removed': ({ userId }) => world.call(users.deleteUser, { userId }, world.owner),
      'belongs to an organization that was deactivated and activated': async ({ organizationId }) => {
        await world.call(organizations.deactivateOrganization, { organizationId }, world.owner)
        await world.call(organizations.activateOrganization, { organizationId }, world.owner)
      },
    }
    for (const [what, end] of Object.entries(endings)) {
      test(`cannot register with a token whose maker ${what}`, async () => {
        const maker = await tenant()
        const token = await maker.tokenOf()
        await registered(METADATA, token)
        await end(maker)
        assertError(await register(METADATA, token), 401, 'invalid_token')
      })
    }

    test('are as many in an hour as the instance allows', async () => {
      toNewHour()
      const limited = { ...OPEN.dynamicClientRegistration, registrationsPerHour: 3 }
      await allowHere(world, { dynamicClientRegistration: limited })
      try {
        for (let count = 0; count < 3; count++) assert.equal((await registerFrom(`192.0.2.${count}`)).status, 201)
        assertError(await register(), 429, 'temporarily_unavailable')
        later += 3_600_001
        await registered()
      } finally {
        later = 0
        await allowHere(world, OPEN)
      }
    })

    test('without a token leave other places in the network their share, however often one of them asks, also at once', async () => {
      toNewHour()
      const limited = { ...OPEN.dynamicClientRegistration, registrationsPerHour: 8 }
      await allowHere(world, { dynamicClientRegistration: limited })
      const statuses = async (...addresses: readonly string[]) =>
        (await Promise.all(addresses.map(registerFrom))).map(({ status }) => status).sort()
      try {
        const loud = Array.from({ length: 20 }, (_, index) => `2001:db8::${index + 1}`)
        assert.deepEqual(await statuses(...loud), [...Array(4).fill(201), ...Array(16).fill(429)])
        assert.deepEqual(await statuses('2001:db8::ffff', '2001:db8:0:0:1::1'), [429, 429])
        assert.deepEqual(await statuses('192.0.2.1', '2001:db8:0:1::1'), [201, 201])
        // What was refused is not counted.
        later += 3_600_001
        assert.deepEqual(await statuses(...loud.slice(0, 4)), [201, 201, 201, 201])
      } finally {
        later = 0
        await allowHere(world, OPEN)
      }
    })

    test('end after 7 days if nobody used them, and 90 days after their last use', async () => {
      const unused = await registered()
      const used = await registered()
      await tokensFor(world, used.client_id, request)
      const see = async ({ registration_client_uri: uri, registration_access_token: token }: Answer['body']) =>
        (await send(uri, 'GET', undefined, token)).status
      later += 7 * DAY + 1000
      assert.deepEqual([await see(unused), await see(used)], [401, 200])
      later += 80 * DAY
      await world.store.write(world.origin(), (work) => noteUse(world.app, work, used.client_id))
      later += 80 * DAY
      assert.equal(await see(used), 200)
      later += 11 * DAY
      assert.equal(await see(used), 401)
      later = 0
      assert.equal((await world.store.get(registeredClients, used.client_id))?.state.status, 'registered')
    })

    test('are marked in the list of applications, and removed together', async () => {
      const client = await registered()
      const { access_token: token } = await tokensFor(world, client.client_id, request)
      const filters = [{ filter: { case: 'clientIdFilter', value: { clientId: client.client_id } } }] as const
      const list = () => world.call(v2.listApplications, { filters: [...filters] }, world.owner)
      assert.deepEqual(
        (await list()).applications.map(({ agentClientKind, projectId: at }) => [agentClientKind, at]),
        [[2, projectId]],
      )
      const ofKind = async (value: AgentClientKind) => {
        const filter = { case: 'agentClientKindFilter', value } as const
        return (await world.call(v2.listApplications, { filters: [{ filter }] }, world.owner)).applications
      }
      assert.ok((await ofKind(AgentClientKind.DYNAMIC_REGISTRATION)).every((one) => one.agentClientKind === 2))
      assert.ok((await ofKind(AgentClientKind.DYNAMIC_REGISTRATION)).length > 0)
      assert.deepEqual(await ofKind(AgentClientKind.METADATA_DOCUMENT), [])
      const { deleted } = await world.call(v2.deleteRegisteredClients, { projectId }, world.owner)
      assert.ok(deleted > 0)
      assert.equal(await isActive(token), false)
      assert.deepEqual((await list()).applications, [])
      const { registration_client_uri: uri, registration_access_token: management } = client
      assert.equal((await send(uri, 'GET', undefined, management)).status, 401)
      assert.equal((await world.store.get(applications, api.id))?.state.status, 'active')
    })
  })
}
