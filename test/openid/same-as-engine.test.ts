/** Userinfo is answered without the engine; the engine would answer the same. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import type { PageRequest } from '../../src/http/page.ts'
import { askEngine } from '../../src/openid/engine/bridge.ts'
import { type Parameters, refresh, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const METADATA = 'urn:zitadel:iam:user:metadata'
const OWNER = 'urn:zitadel:iam:user:resourceowner'
const ORGANIZATIONS = OrganizationService.method

suite('userinfo with and without the engine', () => {
  let world: OpenIdWorld
  let application: Application
  let signed: Application

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada', {
      phone: { phone: '+41791234567', verification: { case: 'isVerified', value: true } },
    })
    await world.addPerson('bob', {
      email: { email: 'bob@example.com', verification: { case: 'isVerified', value: false } },
    })
    const projectId = await world.addProject({ projectRoleAssertion: true })
    application = await world.addApplication({ grantTypes: [0, 2] }, projectId)
    signed = await world.addApplication({ grantTypes: [0, 2], accessTokenType: 1 }, projectId)
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  function request(token: string): PageRequest {
    const headers = new Map([['authorization', `Bearer ${token}`]])
    return {
      method: 'GET',
      path: '/oidc/v1/userinfo',
      query: new URLSearchParams(),
      peer: '127.0.0.1',
      client: '127.0.0.1',
      requestId: 'test',
      header: (name) => headers.get(name),
      headerNames: [...headers.keys()],
      rawQuery: '',
      readForm: async () => new URLSearchParams(),
      readJson: () => assert.fail(),
      readBytes: () => assert.fail(),
      readUpload: () => assert.fail(),
      signal: new AbortController().signal,
    }
  }

  async function assertSame(token: string): Promise<void> {
    const native = await userinfo(world, token)
    const engine = await askEngine(world.app, request(token), {
      readSession: () => undefined,
      mayStartFrom: () => true,
      errorPage: () => assert.fail('an API has no pages'),
    })
    assert.equal(native.status, engine.status)
    const body = JSON.parse(String(engine.body))
    if (native.status === 200) assert.deepEqual(native.body, body)
    else assert.equal(native.body.error, body.error)
  }

  test('it names the organization of the user, with its primary domain, where that is asked for', async () => {
    const organizationId = world.defaultOrganizationId
    const { domains } = await world.call(ORGANIZATIONS.listOrganizationDomains, { organizationId }, world.owner)
    const primary = domains.find(({ isPrimary }) => isPrimary)?.domain
    const tokens = await signInFor(world, application, { scope: `openid ${OWNER}` }, { name: 'ada' })
    const { body } = await userinfo(world, tokens.access_token)
    assert.equal(body[`${OWNER}:id`], organizationId)
    assert.ok(primary)
    assert.equal(body[`${OWNER}:primary_domain`], primary)
  })

  const requests: readonly Parameters[] = [
    { scope: 'openid' },
    { scope: 'openid profile' },
    { scope: 'openid email phone address' },
    { scope: `openid profile email phone ${METADATA} ${OWNER}` },
    { scope: 'openid urn:zitadel:iam:org:projects:roles' },
    { scope: 'openid unknown' },
    { scope: 'profile email' },
    { scope: 'openid', claims: JSON.stringify({ userinfo: { email: null, name: { essential: true } } }) },
    { scope: 'openid', claims: JSON.stringify({ id_token: { email: null } }) },
  ]
  for (const asked of requests) {
    test(`the same for ${JSON.stringify(asked)}`, async () => {
      for (const client of [application, signed]) {
        for (const name of ['ada', 'bob']) {
          const tokens = await signInFor(world, client, asked, { name })
          await assertSame(tokens.access_token)
        }
      }
    })
  }

  test('the same for tokens that do not count', async () => {
    const tokens = await signInFor(world, application, { scope: 'openid offline_access' })
    await refresh(world, application, tokens.refresh_token)
    for (const token of ['x', tokens.access_token, tokens.id_token, tokens.refresh_token ?? '']) await assertSame(token)
  })
})
