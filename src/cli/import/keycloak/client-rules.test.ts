import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { client, type Drafts, readRealm, user } from '../../../../test/support/foreign-exports.ts'

const CB = { redirectUris: ['https://app.example/cb'] }
const DAY = 86_400

async function read(more: object, realm: object = {}): Promise<Drafts> {
  return await readRealm({ clients: [client('app', { ...CB, ...more })], ...realm })
}

function configOf(drafts: Drafts) {
  const { config } = drafts.one('application', 'id-app')
  return config.type === 'oidc' ? config : assert.fail('not an application of OpenID Connect')
}

suite('a client', () => {
  test('KC7: is named in tokens of the others, and the report says it', async () => {
    const both = await readRealm({ clients: [client('app', CB), client('api', { bearerOnly: true })] })
    const project = both.of('project')[0]?.id ?? ''
    assert.match(both.reasons(project), /2 in this realm.*azp/)
    assert.equal((await read({})).reasons(project), '')
  })

  test('KC14: keeps a * that ends a path, and no other', async () => {
    const kept = ['https://app.example/*', 'https://app.example/a/*', 'https://app.example/cb*', 'app.example:/*']
    const left = [
      'https://*.app.example/cb',
      'https://app.example/*/cb',
      'https://app.example*',
      'https://app.example:*/cb',
      'https://*/cb',
      'https://app.example/**',
      'https://app.example/cb?next=*',
      'https://app.example/cb#*',
    ]
    const drafts = await read({ redirectUris: [...kept, ...left], attributes: { 'post.logout.redirect.uris': '-' } })
    const found = configOf(drafts).redirectUris.filter((uri) => uri.includes('*'))
    assert.deepEqual(found, kept)
    for (const uri of left) assert.ok(drafts.reasons('app').includes(`The address ${uri} stays behind`), uri)
  })

  test('KC24: opens no other ports of this machine', async () => {
    const web = ['https://app.example/*', 'http://localhost:3000/cb', 'http://localhost/cb', 'http://[::1]/cb']
    const confidential = await read({ redirectUris: web })
    assert.deepEqual(configOf(confidential).redirectUris, [
      ...['https://app.example/*', 'https://app.example/', 'http://localhost/cb'],
    ])
    assert.match(confidential.reasons('app'), /localhost:3000\/cb stays behind: all ports of this machine/)
    const local = configOf(await read({ redirectUris: ['http://localhost:3000/*', 'http://127.0.0.1:4000/cb'] }))
    assert.deepEqual(
      [local.redirectUris, local.developmentMode],
      [['http://localhost:3000/', 'http://127.0.0.1:4000/cb'], false],
    )
    const apps: readonly (readonly [uris: readonly string[], type: string, kept: readonly string[]])[] = [
      [['http://127.0.0.1:3000/cb'], 'user_agent', ['http://127.0.0.1:3000/cb']],
      [['http://127.0.0.1/cb'], 'native', ['http://127.0.0.1/cb']],
      [['com.example.app:/cb', 'http://localhost:3000/cb'], 'native', ['com.example.app:/cb']],
    ]
    for (const [redirectUris, type, kept] of apps) {
      const config = configOf(await read({ publicClient: true, redirectUris }))
      assert.deepEqual([config.applicationType, config.redirectUris], [type, kept])
    }
  })

  test('without all roles is inactive, unless it has all that there are', async () => {
    const roles = {
      realm: [{ name: 'employee' }, { name: 'boss', composites: { realm: ['employee'] } }],
      client: { app: [{ name: 'edit' }] },
    }
    const isActive = async (more: object, realm: object = {}) =>
      (await read({ fullScopeAllowed: false, ...more }, { roles, ...realm })).one('application', 'id-app').isActive
    assert.equal(await isActive({}), false)
    assert.match(
      (await read({ fullScopeAllowed: false }, { roles })).reasons('app'),
      /keeps the roles employee, boss out/,
    )
    assert.equal(await isActive({}, { roles: { client: { app: [{ name: 'edit' }] } } }), true)
    assert.equal(await isActive({}, { scopeMappings: [{ client: 'app', roles: ['employee'] }] }), false)
    assert.equal(await isActive({}, { scopeMappings: [{ client: 'app', roles: ['boss'] }] }), true)
    const ofScope = { scopeMappings: [{ clientScope: 'staff', roles: ['boss'] }] }
    assert.equal(await isActive({ optionalClientScopes: ['staff'] }, ofScope), true)
    assert.equal(await isActive({ optionalClientScopes: [] }, ofScope), false)
    const ofOther = { roles: { client: { shop: [{ name: 'sell' }] } } }
    assert.equal(await isActive({}, ofOther), false)
    assert.equal(
      await isActive({}, { ...ofOther, clientScopeMappings: { shop: [{ client: 'app', roles: ['sell'] }] } }),
      true,
    )
    assert.equal(await isActive({ fullScopeAllowed: true }), true)
  })

  test('KC15: keeps no secret that has expired', async () => {
    const seconds = Math.floor(Date.now() / 1_000)
    const expiring = (at: number | string) => read({ attributes: { 'client.secret.expiration.time': String(at) } })
    for (const at of [seconds - DAY, 1, 'x']) {
      const expired = await expiring(at)
      assert.equal(expired.one('application', 'id-app').secret, undefined)
      assert.match(expired.reasons('app'), /has expired/)
    }
    const later = await expiring(seconds + 2 * DAY)
    assert.deepEqual(later.one('application', 'id-app').secret, { plain: 's-app' })
    assert.match(later.reasons('app'), /expires in Keycloak \(\d{4}-\d\d-\d\d\)/)
    assert.deepEqual((await expiring(0)).one('application', 'id-app').secret, { plain: 's-app' })
  })

  test('KC16, KC17, KC18: must still push its requests, prove its key and use PKCE', async () => {
    const attributes = {
      'require.pushed.authorization.requests': 'true',
      'dpop.bound.access.tokens': 'true',
      'pkce.code.challenge.method': 'S256',
    }
    const rules = { requirePushedAuthorizationRequests: true, requireDpop: true, requirePkce: true }
    const drafts = await read({ attributes })
    assert.partialDeepStrictEqual(configOf(drafts), rules)
    assert.equal(drafts.one('application', 'id-app').isActive, true)
    const off = configOf(
      await read({ attributes: { 'dpop.bound.access.tokens': 'false', 'pkce.code.challenge.method': '' } }),
    )
    for (const rule of Object.keys(rules)) assert.equal(Object.hasOwn(off, rule), false)
  })

  const CLOSED: readonly (readonly [what: string, more: object, realm?: object])[] = [
    ['bound to certificates', { attributes: { 'tls.client.certificate.bound.access.tokens': 'true' } }],
    ['with signed requests', { attributes: { 'request.object.required': 'request only' } }],
    ['with a flow of its own', { authenticationFlowBindingOverrides: { browser: 'flow-1' } }],
    ['with a level of authentication', { attributes: { 'minimum.acr.value': '2' } }],
    ['with a member that nobody knows', { onlyFrom: ['10.0.0.0/8'] }],
    ['with an attribute that nobody knows', { attributes: { 'only.from': '10.0.0.0/8' } }],
    [
      'with a policy',
      {},
      {
        clientPolicies: {
          policies: [{ name: 'fapi', conditions: [{ condition: 'any-client' }], profiles: ['fapi-2'] }],
        },
      },
    ],
  ]
  for (const [what, more, realm] of CLOSED)
    test(`KC19, KC20: ${what} is inactive, and so is its machine user`, async () => {
      const drafts = await read({ serviceAccountsEnabled: true, ...more }, realm)
      assert.equal(drafts.one('application', 'id-app').isActive, false)
      assert.deepEqual(
        drafts.of('machine').map(({ state }) => state),
        ['inactive'],
      )
      assert.match(drafts.reasons('app'), /It is not active\./)
    })

  test('that proves a key has no active machine user', async () => {
    const drafts = await read({ serviceAccountsEnabled: true, attributes: { 'dpop.bound.access.tokens': 'true' } })
    assert.deepEqual(
      drafts.of('machine').map(({ state }) => state),
      ['inactive'],
    )
  })

  test('with all usual members is active', async () => {
    const attributes = {
      realm_client: 'false',
      'backchannel.logout.session.required': 'true',
      'backchannel.logout.revoke.offline.tokens': 'false',
      'oauth2.device.authorization.grant.enabled': 'false',
      'request.object.required': 'not required',
      'display.on.consent.screen': 'false',
      'acr.loa.map': '{}',
      'saml.assertion.signature': 'false',
      'client.secret.creation.time': '1794957022',
    }
    const more = { authenticationFlowBindingOverrides: { browser: '' }, notBefore: 0, nodeReRegistrationTimeout: -1 }
    const off = {
      policies: [{ name: 'off', enabled: false, conditions: [{ condition: 'any-client' }], profiles: ['x'] }],
    }
    const drafts = await read({ attributes, ...more }, { clientPolicies: off })
    assert.equal(drafts.one('application', 'id-app').isActive, true)
    assert.doesNotMatch(drafts.reasons('app'), /not active|not known/)
  })

  test('KC21: gets refresh tokens only with the scope for them', async () => {
    const grants = async (more: object, realm?: object) =>
      configOf(await read(more, realm)).grantTypes.includes('refresh_token')
    assert.equal(await grants({ optionalClientScopes: ['phone', 'offline_access'], defaultClientScopes: [] }), true)
    assert.equal(await grants({ optionalClientScopes: ['phone'], defaultClientScopes: ['email'] }), false)
    assert.equal(await grants({}, { defaultOptionalClientScopes: ['phone'] }), false)
    assert.equal(await grants({}), true)
  })

  test('KC22: that authenticates in a way nobody knows has no secret', async () => {
    for (const clientAuthenticatorType of ['federated-jwt', 'client-secret-jwt', 'our-own']) {
      const drafts = await read({ clientAuthenticatorType, serviceAccountsEnabled: true })
      assert.equal(drafts.one('application', 'id-app').secret, undefined)
      assert.deepEqual(
        drafts.of('machine').map(({ secret }) => secret),
        [undefined],
      )
      assert.match(drafts.reasons('app'), new RegExp(clientAuthenticatorType))
    }
  })

  test('KC23: hears that its authorization services stay behind', async () => {
    const drafts = await read({ authorizationServicesEnabled: true, authorizationSettings: { policies: [] } })
    assert.match(drafts.reasons('app'), /policies of its authorization services/)
  })

  test('KC28: signs out to its redirect URIs where no others are set', async () => {
    const after = async (attributes: object) => configOf(await read({ attributes })).postLogoutRedirectUris
    assert.deepEqual(await after({}), CB.redirectUris)
    assert.deepEqual(await after({ 'post.logout.redirect.uris': '-' }), [])
    assert.deepEqual(await after({ 'post.logout.redirect.uris': '' }), [])
  })

  test('KC31: of Keycloak itself is nothing here', async () => {
    const permissions = client('admin-permissions', { serviceAccountsEnabled: true, ...CB })
    const others = { clients: [permissions, client('shop', CB)] }
    for (const realm of [
      { adminPermissionsClient: { clientId: 'admin-permissions' } },
      { adminPermissionsClient: 'admin-permissions' },
      { adminPermissionsEnabled: true },
    ]) {
      const users = [user('service-account', { serviceAccountClientId: 'admin-permissions' })]
      const drafts = await readRealm({ ...others, ...realm, users })
      assert.deepEqual(
        drafts.of('application').map(({ clientId }) => clientId),
        ['shop'],
      )
      assert.equal(drafts.of('machine').length, 0)
    }
  })

  test('KC32: that is an API asks about tokens with its secret', async () => {
    const drafts = await read({ bearerOnly: true })
    assert.deepEqual(drafts.one('application', 'id-app').secret, { plain: 's-app' })
    const old = await read({ bearerOnly: true, clientAuthenticatorType: 'our-own' })
    assert.equal(old.one('application', 'id-app').secret, undefined)
  })

  test('KC34: hears why a relative address stays behind', async () => {
    for (const [rootUrl, uri] of [
      ['', '/cb'],
      ['$' + '{authBaseUrl}', '/cb'],
    ] as const)
      assert.match((await read({ rootUrl, redirectUris: [uri] })).reasons('app'), /no root URL/)
  })

  test('without a secret of its own gets no tokens for itself', async () => {
    const drafts = await read({ publicClient: true, serviceAccountsEnabled: true })
    assert.equal(drafts.of('machine').length, 0)
  })
})
