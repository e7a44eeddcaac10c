import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { client, readRealm, user } from '../../../../test/support/foreign-exports.ts'

suite('clients', () => {
  test('that sign users in become applications with their IDs, secrets and addresses', async () => {
    const drafts = await readRealm({
      clients: [
        client('shop', {
          name: 'Shop',
          rootUrl: 'https://shop.example/',
          redirectUris: ['/cb', 'https://shop.example/app/*', '*'],
          webOrigins: ['+', 'https://other.example', '*'],
          consentRequired: true,
          attributes: {
            'post.logout.redirect.uris': 'https://shop.example/bye##+',
            'backchannel.logout.url': 'https://shop.example/out',
          },
        }),
        client('spa', { name: 'Shop', publicClient: true, secret: undefined, redirectUris: ['https://spa.example/'] }),
        client('phone', { publicClient: true, redirectUris: ['app.example:/cb'], enabled: false }),
        client('account'),
        client('https://saml.example', { protocol: 'saml' }),
        client('api', { bearerOnly: true, secret: undefined }),
      ],
    })
    const shop = drafts.one('application', 'id-shop')
    assert.deepEqual([shop.clientId, shop.name, shop.secret], ['shop', 'Shop', { plain: 's-shop' }])
    assert.ok(shop.config.type === 'oidc')
    assert.deepEqual(shop.config.redirectUris, [
      'https://shop.example/cb',
      'https://shop.example/app/*',
      'https://shop.example/app/',
    ])
    assert.deepEqual(shop.config.postLogoutRedirectUris.slice(0, 2), [
      'https://shop.example/bye',
      'https://shop.example/cb',
    ])
    assert.deepEqual(shop.config.additionalOrigins, ['https://other.example'])
    assert.deepEqual(
      [shop.config.authMethod, shop.config.developmentMode, shop.config.isThirdParty],
      ['basic', true, true],
    )
    for (const expected of [/address \* cannot/, /web origin \*/, /one part of the path/])
      assert.match(drafts.reasons('shop'), expected)
    const spa = drafts.one('application', 'id-spa')
    assert.ok(spa.config.type === 'oidc')
    assert.deepEqual(
      [spa.name, spa.secret, spa.config.authMethod, spa.config.applicationType],
      ['Shop (spa)', undefined, 'none', 'user_agent'],
    )
    const phone = drafts.one('application', 'id-phone')
    assert.ok(phone.config.type === 'oidc')
    assert.deepEqual([phone.isActive, phone.config.applicationType], [false, 'native'])
    assert.equal(drafts.one('application', 'id-api').config.type, 'api')
    assert.equal(drafts.of('application').length, 4)
    assert.match(drafts.reasons('https://saml.example'), /saml/)
  })

  test('with a service account become machine users who are called like the client, unless that is an application', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] })
    const job = { serviceAccountsEnabled: true, standardFlowEnabled: false }
    const drafts = await readRealm({
      clients: [
        client('job', job),
        client('signed', {
          ...job,
          clientAuthenticatorType: 'client-jwt',
          attributes: { 'use.jwks.string': 'true', 'jwks.string': jwks },
        }),
        client('remote', { ...job, clientAuthenticatorType: 'client-jwt', attributes: { 'use.jwks.url': 'true' } }),
        client('both', { serviceAccountsEnabled: true, redirectUris: ['https://b.example/cb'] }),
      ],
      users: [
        user('service-account-job', { serviceAccountClientId: 'job', realmRoles: [] }),
        user('service-account-both', { serviceAccountClientId: 'both' }),
      ],
    })
    const machines = drafts.of('machine')
    assert.deepEqual(
      machines.map(({ userName }) => userName),
      ['job', 'signed', 'remote', 'service-account-both'],
    )
    assert.deepEqual([machines[0]?.id, machines[0]?.secret], ['id-service-account-job', { plain: 's-job' }])
    assert.deepEqual([machines[1]?.secret, machines[1]?.keys[0]?.id], [undefined, 'k1'])
    assert.equal(machines[1]?.keys[0]?.publicKey, publicKey.export({ format: 'pem', type: 'spki' }))
    assert.match(drafts.reasons('signed'), /its ID is new/)
    assert.match(drafts.reasons('remote'), /at an address/)
    assert.match(drafts.reasons('both'), /“service-account-both” with the same secret/)
    assert.deepEqual(
      drafts.of('application').map(({ clientId }) => clientId),
      ['both'],
    )
    assert.equal(drafts.of('human').length, 0)
  })

  test('of a large realm are spread over projects, with their roles beside them', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `c${index}`)
    const drafts = await readRealm({
      clients: names.map((name) => client(name)),
      roles: { realm: [{ name: 'all' }], client: Object.fromEntries(names.map((name) => [name, [{ name: 'use' }]])) },
      users: [user('anna', { realmRoles: ['all'], clientRoles: { c1: ['use'], c9999: ['use'] } })],
    })
    const projects = drafts.of('project')
    assert.equal(drafts.of('application').length, 10_000)
    for (const { id, roles } of projects) {
      assert.ok(roles.length <= 1_000)
      assert.ok(drafts.of('application').filter(({ projectId }) => projectId === id).length <= 1_000)
    }
    assert.equal(projects.flatMap(({ roles }) => roles).length, 10_001)
    assert.deepEqual(
      drafts.of('authorization').map(({ roleKeys }) => roleKeys),
      [['all', 'c1:use'], ['c9999:use']],
    )
    assert.match(drafts.reasons(projects[0]?.id ?? ''), /11 projects/)
  })
})
