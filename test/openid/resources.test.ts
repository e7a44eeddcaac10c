/** Tokens for the resources of projects (RFC 8707, RFC 9068): for exactly one, and refused everywhere else. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE } from '../support/login-page.ts'
import {
  askToken,
  assertError,
  authorizationUrl,
  authorize,
  basic,
  codeForm,
  introspect,
  type Parameters,
  post,
  readIdToken,
  refresh,
  signInFor,
  userinfo,
} from '../support/openid-flow.ts'
import { addMachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { FILES, MCP, readToken, resource, setResources } from '../support/resources.ts'
import { isRefused } from '../support/small-world.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token'
const v2 = ProjectService.method

for (const engine of engines) {
  suite(`resources on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let api: Application
    let projectId: string
    let other: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      projectId = application.projectId
      api = await world.addApi(projectId)
      other = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      await setResources(world, projectId, resource(MCP), resource(FILES))
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const set = (id: string, ...given: readonly ReturnType<typeof resource>[]) => setResources(world, id, ...given)
    const errorOf = async (more: Parameters, client = application) =>
      (await authorize(world, client, more)).values.get('error')

    test('are kept with their scopes, and replaced as a whole', async () => {
      const own = await world.addProject()
      const given = [resource('https://api.example.com', { isDefault: true }), resource('http://localhost:3000/mcp')]
      await set(own, ...given)
      const { resources } = await world.call(v2.listProjectResources, { projectId: own }, world.owner)
      assert.deepEqual(
        resources.map(({ uri, isDefault, scopes }) => [uri, isDefault, scopes.map(({ key }) => key)]),
        [
          ['https://api.example.com', true, ['tools:read', 'tools:write']],
          ['http://localhost:3000/mcp', false, ['tools:read', 'tools:write']],
        ],
      )
      await set(own)
      assert.deepEqual((await world.call(v2.listProjectResources, { projectId: own }, world.owner)).resources, [])
    })

    test('are URLs in their only spelling, of nobody else and not of this server', async () => {
      const own = await world.addProject()
      const wrong = [
        'mcp',
        'http://mcp.example.com/mcp',
        'ftp://mcp.example.com/',
        'urn:example:mcp',
        'https://MCP.example.com/mcp',
        'https://mcp.example.com:443/mcp',
        'https://mcp.example.com/a/../mcp',
        'https://a:b@mcp.example.com/mcp',
        'https://mcp.example.com/mcp?a',
        'https://mcp.example.com/mcp#a',
        'https://*.example.com/mcp',
        `${world.url}/mcp`,
        'https://exa mple.com/',
      ]
      for (const uri of wrong) await isRefused(set(own, resource(uri)), 'resource.invalid')
      for (const key of ['openid', 'urn:zitadel:iam:org:projects:roles', 'signet:write', 'a b', '"', 'é']) {
        const scopes = [key]
        await isRefused(set(own, resource('https://x.example/', { scopes })), 'resource.invalid')
      }
      for (const uri of [MCP, FILES, 'https://files.example.com']) {
        await isRefused(set(own, resource(uri)), 'resource.uri_taken')
      }
      const twice = resource('https://x.example')
      await isRefused(set(own, twice, resource('https://x.example/')), 'resource.invalid')
      const defaults = ['https://x.example', 'https://y.example'].map((uri) => resource(uri, { isDefault: true }))
      await isRefused(set(own, ...defaults), 'resource.invalid')
    })

    test('get a signed token with exactly their URI as audience, and their scopes', async () => {
      const more = { resource: MCP, scope: 'openid profile offline_access tools:read unknown' }
      const tokens = await signInFor(world, application, more)
      const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
      const verified = await jwtVerify(tokens.access_token, keys, { issuer: world.url, audience: MCP, typ: 'at+jwt' })
      const { aud, client_id: clientId, scope, sub, jti, auth_time: authTime } = verified.payload
      assert.deepEqual([aud, clientId, scope], [MCP, application.clientId, 'tools:read'])
      assert.ok(sub && jti && authTime)
      assert.equal(tokens.scope, 'tools:read')
      const { aud: idAudience } = await readIdToken(world, application, tokens.id_token)
      assert.deepEqual([idAudience].flat(), [application.clientId])
      const again = await refresh(world, application, tokens.refresh_token, { resource: MCP })
      assert.equal(again.status, 200, again.text)
      assert.deepEqual([readToken(again.body.access_token).aud, again.body.scope], [MCP, 'tools:read'])
      const third = await refresh(world, application, again.body.refresh_token)
      assert.deepEqual([readToken(third.body.access_token).aud, third.body.scope], [MCP, 'tools:read'])
      for (const uri of [FILES, 'https://unknown.example/']) {
        const body = await refresh(world, application, third.body.refresh_token, { resource: uri })
        assertError(body, 400, 'invalid_target')
      }
      const more2 = { scope: 'tools:read tools:write' }
      assertError(await refresh(world, application, third.body.refresh_token, more2), 400, 'invalid_scope')
    })

    test('may be written with or without the slash after the host', async () => {
      for (const uri of [FILES, 'https://files.example.com']) {
        const { values } = await authorize(world, application, { resource: uri, scope: 'tools:read' })
        const { body } = await askToken(world, application, codeForm(values, { resource: FILES }))
        assert.equal(readToken(body.access_token).aud, FILES)
      }
    })

    test('give all their scopes to a client that asks for none', async () => {
      const { scope, id_token: idToken } = await signInFor(world, application, { resource: MCP, scope: undefined })
      assert.deepEqual([scope, idToken], ['tools:read tools:write', undefined])
    })

    test('are one for each request, and known', async () => {
      assert.equal(await errorOf({ resource: 'https://unknown.example/mcp' }), 'invalid_target')
      assert.equal(await errorOf({ resource: `${MCP}/` }), 'invalid_target')
      assert.equal(await errorOf({ resource: 'nonsense' }), 'invalid_target')
      const two = `${authorizationUrl(world, application, { resource: MCP })}&resource=${encodeURIComponent(FILES)}`
      const stop = await world.browser().open(two)
      assert.equal(new URL(stop.url).searchParams.get('error'), 'invalid_target')
      const { values } = await authorize(world, application)
      assertError(await askToken(world, application, codeForm(values, { resource: MCP })), 400, 'invalid_target')
      const at = (path: string, form: Parameters) => post(`${world.url}/oauth/v2/${path}`, form, basic(application))
      const { clientId: client_id } = application
      const request = { client_id, response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' }
      assertError(await at('par', { ...request, resource: 'https://unknown.example/' }), 400, 'invalid_target')
      const device = { client_id, scope: 'openid', resource: 'https://unknown.example/' }
      assertError(await at('device_authorization', device), 400, 'invalid_target')
      assert.equal((await at('par', { ...request, resource: MCP })).status, 201)
    })

    test('of another organization are unknown, until the project is granted', async () => {
      const name = `Elsewhere ${engine.name}`
      const { organizationId } = await world.call(OrganizationService.method.addOrganization, { name }, world.owner)
      const elsewhere = await world.addProject({ organizationId })
      const uri = 'https://elsewhere.example/mcp'
      await set(elsewhere, resource(uri))
      assert.equal(await errorOf({ resource: uri }), 'invalid_target')
      const granted = { projectId: elsewhere, grantedOrganizationId: world.defaultOrganizationId }
      await world.call(v2.createProjectGrant, { ...granted, roleKeys: [] }, world.owner)
      const { access_token: token } = await signInFor(world, application, { resource: uri })
      assert.equal(readToken(token).aud, uri)
      const there = await world.addApi(elsewhere)
      assert.equal((await introspect(world, there, token)).body.active, true)
      await world.call(v2.deactivateProjectGrant, granted, world.owner)
      assert.deepEqual((await introspect(world, there, token)).body, { active: false })
    })

    test('have tokens that are refused everywhere else', async () => {
      const scope = `openid profile tools:read ${API_SCOPE}`
      const { access_token: token } = await signInFor(world, application, { resource: MCP, scope })
      const about = (await introspect(world, api, token)).body
      assert.deepEqual([about.active, about.aud, about.scope], [true, [MCP], 'tools:read'])
      assert.deepEqual((await introspect(world, other, token)).body, { active: false })
      assert.equal((await userinfo(world, token)).body.error, 'invalid_token')
      await assert.rejects(world.call(AuthService.method.getMyUser, {}, { bearer: token }))
      const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: ACCESS }
      assertError(await askToken(world, other, form), 400, 'invalid_request')
    })

    test('stay what derived tokens are for', async () => {
      const tokens = await signInFor(world, application, { resource: MCP, scope: 'openid tools:read tools:write' })
      const exchange = (form: Parameters) =>
        askToken(world, application, { grant_type: EXCHANGE, subject_token_type: ACCESS, ...form })
      const ofResource = { subject_token: tokens.access_token }
      const same = await exchange({ ...ofResource, scope: 'tools:read' })
      assert.deepEqual([readToken(same.body.access_token).aud, same.body.scope], [MCP, 'tools:read'])
      assertError(await exchange({ ...ofResource, resource: FILES }), 400, 'invalid_target')
      assertError(await exchange({ ...ofResource, audience: application.clientId }), 400, 'invalid_target')
      assertError(await exchange({ ...ofResource, scope: 'openid' }), 400, 'invalid_scope')
      const plain = { subject_token: (await signInFor(world, application)).access_token }
      const narrowed = await exchange({ ...plain, resource: MCP })
      assert.deepEqual([readToken(narrowed.body.access_token).aud, narrowed.body.scope], [MCP, ''])
      assertError(await exchange({ ...plain, resource: MCP, scope: 'tools:read' }), 400, 'invalid_scope')
      const ofOther = { subject_token: (await signInFor(world, other)).access_token }
      const outside = { grant_type: EXCHANGE, subject_token_type: ACCESS, ...ofOther, resource: MCP }
      assertError(await askToken(world, other, outside), 400, 'invalid_target')
    })

    test('are for machines of the organization, too', async () => {
      const machine = await addMachineClient(world)
      const ask = (form: Parameters) =>
        post(`${world.url}/oauth/v2/token`, { grant_type: 'client_credentials', ...form }, basic(machine))
      const { body } = await ask({ resource: MCP, scope: 'openid tools:write' })
      const { aud, scope, typ } = readToken(body.access_token)
      assert.deepEqual([aud, scope, typ], [MCP, 'tools:write', 'at+jwt'])
      assertError(await ask({ resource: 'https://unknown.example/', scope: 'tools:write' }), 400, 'invalid_target')
      assert.deepEqual((await introspect(world, other, body.access_token)).body, { active: false })
    })

    test('are the default of their project where it says so, unless the scopes name an audience', async () => {
      const own = await world.addApplication()
      const uri = 'https://default.example/mcp'
      await set(own.projectId, resource(uri, { isDefault: true }))
      const { access_token: token } = await signInFor(world, own, { scope: 'openid tools:read' })
      assert.equal(readToken(token).aud, uri)
      const forApi = await signInFor(world, own, { scope: `openid ${API_SCOPE}` })
      assert.equal((await userinfo(world, forApi.access_token)).status, 200)
    })

    test('end their tokens when they are removed, and stay ended when they are added again', async () => {
      const own = await world.addApplication({ grantTypes: [0, 2] })
      const uri = 'https://ending.example/mcp'
      await set(own.projectId, resource(uri))
      const more = { resource: uri, scope: 'openid offline_access tools:read' }
      const tokens = await signInFor(world, own, more)
      const isActive = async () => (await introspect(world, own, tokens.access_token)).body.active
      assert.equal(await isActive(), true)
      await set(own.projectId, resource(uri, { scopes: ['tools:read', 'more'] }))
      assert.equal(await isActive(), true)
      await set(own.projectId)
      assert.equal(await isActive(), false)
      assertError(await refresh(world, own, tokens.refresh_token), 400, 'invalid_grant')
      await set(own.projectId, resource(uri))
      assert.equal(await isActive(), false)
      assertError(await refresh(world, own, tokens.refresh_token), 400, 'invalid_grant')
    })

    test('are nobody’s name: no project can be given a URI as its ID', async () => {
      const organizationId = world.defaultOrganizationId
      const create = (id: string) =>
        world.call(v2.createProject, { organizationId, projectId: id, name: `P ${id}` }, world.owner)
      await isRefused(create('https://squatted.example/mcp'), 'project.id_invalid')
      await isRefused(create(MCP), 'project.id_invalid')
    })
  })
}
