/** Our own API for agents: from 401 to a tool call, with the client of the TypeScript SDK and no preparation per client. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OIDCApplicationType, OIDCAuthMethodType } from '../../contract/gen/signet/application/v2/oidc_pb.ts'
import { UserState } from '../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { appointMember } from '../../src/features/administrators/index.ts'
import { applicationsWithAccess, takeAccessBack } from '../../src/features/grants/index.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import { allowAt, allowHere, CALLBACK, CLIENT, metadataOf, openWeb, tokensFor } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { openAgent, textOf } from '../support/mcp-agent.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, readToken, resource, setResources } from '../support/resources.ts'

const ON = {
  mcpServer: { enabled: true },
  clientIdMetadataDocuments: { enabled: true, allowedDomains: [] },
  dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
}

for (const engine of engines) {
  suite(`the door for agents on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let adaId: string
    let bobId: string

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      adaId = await world.addPerson('ada')
      bobId = await world.addPerson('bob')
      await world.store.write(world.origin(), (work) =>
        appointMember(work, {
          scope: { level: 'instance', id: world.instanceId },
          userId: adaId,
          roles: ['IAM_OWNER'],
        }),
      )
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, ON)
      await allowAt(world, await apiProjectId(world.app), {
        clientIdMetadataDocuments: true,
        dynamicRegistration: true,
      })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const send = (token: string | undefined, method: string, params: object = {}, headers: object = {}) =>
      fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    const stateOf = async (userId: string) =>
      (await world.call(UserService.method.getUserByID, { userId }, world.owner)).user?.state

    test('is found and used without preparation by a client with a metadata document', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      const { aud, client_id: clientId } = readToken(agent.token())
      assert.deepEqual([aud, clientId], [`${world.url}/mcp`, CLIENT])
      const tools = await agent.listTools()
      assert.ok(tools.some(({ name }) => name === 'explain_sign_in'))
      const found = JSON.parse(textOf(await agent.call('list_users', {})))
      assert.ok(found.result.some(({ userId }: { userId: string }) => userId === adaId))
      await agent.close()
    })

    test('is found and used without preparation by a client that registers itself', async () => {
      const agent = openAgent(world, { name: 'ada' })
      await agent.connect()
      assert.equal(readToken(agent.token()).aud, `${world.url}/mcp`)
      const found = JSON.parse(textOf(await agent.call('list_users', {})))
      assert.ok(found.result.length > 0)
      await agent.close()
    })

    test('says where to sign in, and which scope it needs', async () => {
      const metadata = `${world.url}/.well-known/oauth-protected-resource/mcp`
      const answer = await send(undefined, 'tools/list')
      assert.equal(answer.status, 401)
      assert.equal(
        answer.headers.get('www-authenticate'),
        `Bearer scope="signet:read", resource_metadata="${metadata}"`,
      )
      const {
        resource,
        authorization_servers: servers,
        scopes_supported: scopes,
      } = (await (await fetch(metadata)).json()) as Record<string, unknown>
      assert.deepEqual([resource, servers], [`${world.url}/mcp`, [world.url]])
      assert.deepEqual(scopes, ['signet:read', 'signet:write'])
      const api = await (await fetch(`${world.url}/.well-known/oauth-protected-resource`)).json()
      for (const path of ['/v2/users/1', '/signet.user.v2.UserService/ListUsers']) {
        const refused = await fetch(world.url + path, {
          method: path.includes('Service') ? 'POST' : 'GET',
          headers: { authorization: 'Bearer nonsense', 'content-type': 'application/json' },
          ...(path.includes('Service') && { body: '{}' }),
        })
        const challenge = `Bearer error="invalid_token", resource_metadata="${world.url}/.well-known/oauth-protected-resource"`
        assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, challenge], path)
      }
      assert.equal((api as Record<string, unknown>).resource, world.url)
      const server = await (await fetch(`${world.url}/.well-known/oauth-authorization-server`)).json()
      const { issuer, protected_resources: resources } = server as Record<string, unknown>
      assert.deepEqual([issuer, resources], [world.url, [world.url, `${world.url}/mcp`]])
      assert.equal((await fetch(`${world.url}/.well-known/oauth-authorization-server/mcp`)).status, 404)
    })

    test('takes tokens for itself alone, and its tokens count nowhere else', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      await agent.close()
      const token = agent.token()
      const callUsers = (bearer: string) =>
        fetch(`${world.url}/v2/users`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          body: '{}',
        })
      assert.equal((await callUsers(token)).status, 401)
      assert.equal(
        (await fetch(`${world.url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status,
        401,
      )
      const owner = world.owner.bearer ?? assert.fail()
      assert.equal((await callUsers(owner)).status, 200)
      const refused = await send(owner, 'tools/list')
      assert.equal(refused.status, 401)
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/)
      const projectId = await world.addProject()
      await setResources(world, projectId, resource(MCP))
      await allowAt(world, projectId, { clientIdMetadataDocuments: true })
      const other = await tokensFor(world, CLIENT, { resource: MCP, scope: 'tools:read' })
      assert.equal((await send(other.access_token, 'tools/list')).status, 401)
      const fromPage = await send(token, 'tools/list', {}, { origin: 'https://page.example' })
      assert.equal(fromPage.status, 403)
      assert.equal((await send(`${token.slice(0, -4)}AAAA`, 'tools/list')).status, 401)
    })

    test('reads with the scope for reading, and asks for more to change something', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      const hints = (await agent.listTools()).map(({ annotations }) => annotations?.readOnlyHint)
      assert.deepEqual([...new Set(hints)], [true])
      const lock = { name: 'lock_user', arguments: { userId: bobId } }
      const refused = await send(agent.token(), 'tools/call', lock)
      assert.equal(refused.status, 403)
      assert.match(
        refused.headers.get('www-authenticate') ?? '',
        /^Bearer error="insufficient_scope", scope="signet:read signet:write", resource_metadata=/,
      )
      assert.equal(await stateOf(bobId), UserState.ACTIVE)
      const locked = await agent.call(lock.name, lock.arguments)
      assert.equal(locked.isError, undefined, textOf(locked))
      assert.equal(await stateOf(bobId), UserState.LOCKED)
      assert.deepEqual(agent.scopes(), ['signet:read', 'signet:read signet:write'])
      await world.call(UserService.method.unlockUser, { userId: bobId }, world.owner)
      await agent.close()
    })

    test('lets nobody do what they may not do themselves', async () => {
      const agent = openAgent(world, { name: 'bob', clientId: CLIENT })
      await agent.connect()
      const found = JSON.parse(textOf(await agent.call('list_users', {})))
      assert.deepEqual(
        found.result.map(({ userId }: { userId: string }) => userId),
        [bobId],
      )
      const own = await agent.call('set_email', { userId: bobId, email: 'bob@evil.example' })
      assert.match(textOf(own), /access\.sign_in_again/)
      for (const [name, input] of [
        ['lock_user', { userId: adaId }],
        ['get_security_settings', {}],
        ['list_events', {}],
      ] as const) {
        const answer = await agent.call(name, input)
        assert.equal(answer.isError, true)
        assert.match(textOf(answer), /access\.forbidden/)
      }
      await agent.close()
    })

    test('changes nothing about how its user signs in, whatever roles the user has', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      const idpLink = { idpId: 'provider', userId: 'thief', userName: 'thief' }
      const linked = await agent.call('add_idp_link', { userId: adaId, idpLink })
      assert.match(textOf(linked), /access\.sign_in_again/)
      await agent.close()
    })

    test('lets an application that somebody prepared do no more than at the API', async () => {
      const config = {
        redirectUris: [CALLBACK],
        applicationType: OIDCApplicationType.OIDC_APP_TYPE_NATIVE,
        authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
      }
      const { clientId } = await world.addApplication(config)
      const ask = { resource: `${world.url}/mcp`, scope: 'signet:read signet:write' }
      const { access_token: token } = await tokensFor(world, clientId, ask)
      assert.equal(readToken(token).aud, `${world.url}/mcp`)
      const answer = await send(token, 'tools/call', { name: 'get_security_settings', arguments: {} })
      assert.match(await answer.text(), /access\.forbidden/)
    })

    test('neither takes nor gives secrets', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      assert.match(textOf(await agent.call('unlock_user', { userId: bobId })), /user\./)
      const tools = await agent.listTools()
      const names = new Set(tools.map(({ name }) => name))
      for (const name of ['add_personal_access_token', 'generate_recovery_codes', 'set_password', 'create_session']) {
        assert.equal(names.has(name), false, name)
      }
      assert.doesNotMatch(JSON.stringify(tools.map(({ inputSchema }) => inputSchema)), /"format":"password"/)
      const human = {
        username: 'carol',
        profile: { givenName: 'Carol', familyName: 'Example' },
        email: { email: 'carol@example.com', returnCode: {} },
      }
      const create = (password: object) =>
        agent.call('add_human_user', { organization: { orgId: world.defaultOrganizationId }, ...human, ...password })
      assert.match(textOf(await create({ password: { password: 'Secret-123456' } })), /password: is a secret/)
      const made = await create({})
      assert.equal(made.isError, undefined, textOf(made))
      assert.equal(JSON.parse(textOf(made)).emailCode, undefined)
      await agent.close()
    })

    test('refuses what is broken, too long, several at once, or unknown', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      await assert.rejects(agent.call('no_such_tool', {}))
      const invalid = await agent.call('get_user_by_id', { userId: 7 })
      assert.match(textOf(invalid), /userId/)
      await agent.close()
      const post = (body: string, type = 'application/json') =>
        fetch(`${world.url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${agent.token()}`, 'content-type': type, accept: 'application/json' },
          body,
        })
      const statuses = [
        await post('{'),
        await post('[]'),
        await post('{}', 'text/plain'),
        await post(`"${'x'.repeat(300_000)}"`),
      ]
      assert.deepEqual(
        statuses.map(({ status }) => status),
        [400, 400, 415, 413],
      )
      assert.equal((await fetch(`${world.url}/mcp`)).status, 405)
    })

    test('ends at once with the switch, the project, or the user who takes the access back', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      await agent.close()
      const status = async () => (await send(agent.token(), 'tools/list')).status
      const apiProject = await apiProjectId(world.app)
      assert.equal(await status(), 200)
      await allowHere(world, { ...ON, mcpServer: { enabled: false } })
      assert.equal(await status(), 404)
      assert.equal((await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)).status, 404)
      const server = await (await fetch(`${world.url}/.well-known/oauth-authorization-server`)).json()
      assert.deepEqual((server as Record<string, unknown>).protected_resources, [world.url])
      await allowHere(world, ON)
      assert.equal(await status(), 200)
      await allowAt(world, apiProject, { dynamicRegistration: true })
      assert.equal(await status(), 401)
      await allowAt(world, apiProject, { clientIdMetadataDocuments: true, dynamicRegistration: true })
      const [own] = await applicationsWithAccess(world.app, adaId)
      for (const { applicationId } of await applicationsWithAccess(world.app, adaId)) {
        await takeAccessBack(world.app, world.origin(), adaId, applicationId)
      }
      assert.notEqual(own, undefined)
      assert.equal(await status(), 401)
    })
  })
}
