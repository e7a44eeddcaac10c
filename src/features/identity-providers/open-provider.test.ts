/** What signing in gets of a provider: its secret in clear, and everything else ready to use. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { NOON, openWorld, type World } from '../../../test/support/world.ts'
import { OWNERS_REACH } from '../../access/paths.ts'
import { type GivenProvider, oauthConnection, oidcConnection } from './connections.ts'
import type { Connection } from './events.ts'
import { addProvider, changeOidc, changeProvider, switchProvider } from './handlers/change-provider.ts'
import { removeProvider } from './handlers/remove-provider.ts'
import { openProvider } from './index.ts'
import type { ProviderType } from './provider-types.ts'

const instance = { origin: { actor: { user: 'test' }, at: NOON }, owner: 'instance', by: OWNERS_REACH }
const options = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: true,
  isAutoUpdate: false,
  autoLinking: 'email',
} as const
const google = (given: GivenProvider) => oidcConnection('google', given)
const client = { clientId: 'us', scopes: [] }
const corp = oidcConnection('oidc', { ...client, issuer: 'https://login.example', mapsIdToken: false, usesPkce: false })

for (const engine of engines) {
  suite(`an opened provider on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine, organizations: ['north'] })
    })
    after(() => world.dispose())

    const add = async (providerType: ProviderType, connection: Connection, secret = 'hush', more = {}) => {
      const provider = {
        providerType,
        name: `Provider ${++count}`,
        options: { ...options, ...more },
        connection,
        secret,
      }
      return (await addProvider(world.app, instance, provider)).value.id
    }
    const open = async (id: string) => (await openProvider(world.app, id, NOON)) ?? assert.fail('it is not there')

    test('keeps its secret when none is sent, and has the new one when one is', async () => {
      const id = await add('oidc', corp, 'first')
      const part = {
        ...client,
        issuer: corp.issuer,
        displayNameMapping: 'email',
        userNameMapping: 'email',
      } as const
      await changeOidc(world.app, instance, id, { ...part, secret: '' })
      assert.deepEqual([(await open(id)).clientSecret, (await open(id)).usernameMapping], ['first', 'email'])
      await changeOidc(world.app, instance, id, { ...part, secret: 'second' })
      assert.equal((await open(id)).clientSecret, 'second')
      const change = { providerType: 'oidc', name: 'Renamed', options, connection: corp } as const
      await changeProvider(world.app, instance, id, { ...change, secret: '' })
      assert.equal((await open(id)).clientSecret, 'second')
      await changeProvider(world.app, instance, id, { ...change, secret: 'third' })
      assert.deepEqual([(await open(id)).clientSecret, (await open(id)).usernameMapping], ['third', 'email'])
    })

    test('says whether it may be used, and is not there once it is removed', async () => {
      const id = await add('google', google(client))
      assert.deepEqual([(await open(id)).state, (await open(id)).owner], ['active', 'instance'])
      await switchProvider(world.app, instance, id, 'deactivate')
      assert.equal((await open(id)).state, 'inactive')
      await removeProvider(world.app, instance, id)
      assert.equal(await openProvider(world.app, id, NOON), undefined)
      assert.equal(await openProvider(world.app, 'nothing', NOON), undefined)
    })

    test('asks for openid whatever was given, and for the usual when nothing was', async () => {
      const given = { ...corp, scopes: ['email  profile', '', 'email'] }
      const scopes = async (type: ProviderType, connection: Connection) =>
        (await open(await add(type, connection))).scopes
      assert.deepEqual(await scopes('oidc', given), ['openid', 'email', 'profile'])
      assert.deepEqual(await scopes('google', google(client)), ['openid', 'profile', 'email'])
      assert.deepEqual(await scopes('github', oauthConnection('github', client)), ['read:user', 'user:email'])
      const endpoint = 'https://op.example/x'
      const endpoints = { authorizationEndpoint: endpoint, tokenEndpoint: endpoint, userEndpoint: endpoint }
      const oauth = oauthConnection('oauth', { ...client, ...endpoints, idAttribute: 'id', usesPkce: true })
      assert.deepEqual(await scopes('oauth', oauth), [])
      assert.deepEqual(await scopes('oauth', { ...oauth, scopes: ['basic'] }), ['basic'])
    })

    test('of Microsoft says when the issuer of tokens depends on the tenant', async () => {
      const of = async (tenant: string) => {
        const connection = oidcConnection('azure_ad', { ...client, tenant, trustsEmail: true })
        return open(await add('azure_ad', connection, 'hush', { autoLinking: 'none' }))
      }
      const all = await of('common')
      assert.deepEqual(
        [all.issuer, all.acceptsTenants, all.trustsEmail],
        ['https://login.microsoftonline.com/common/v2.0', true, true],
      )
      assert.equal((await of('organizations')).acceptsTenants, true)
      assert.equal((await of('corp.onmicrosoft.com')).acceptsTenants, true)
      const people = await of('consumers')
      assert.deepEqual(
        [people.issuer, people.acceptsTenants],
        ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', false],
      )
      assert.equal((await of('6b7a1c9e-0000-4000-8000-000000000001')).acceptsTenants, false)
    })

    test('of Apple has a token for a secret, signed with the stored key (ES256)', async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
      const connection = oidcConnection('apple', { ...client, teamId: 'TEAM567890', keyId: 'KEY4567890' })
      const { clientSecret, responseMode } = await open(await add('apple', connection, pem))
      const [header = '', claims = '', signature = ''] = clientSecret.split('.')
      const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
      assert.deepEqual(read(header), { alg: 'ES256', kid: 'KEY4567890' })
      const iat = NOON / 1000
      const expected = { iss: 'TEAM567890', iat, exp: iat + 300, aud: 'https://appleid.apple.com', sub: 'us' }
      assert.deepEqual(read(claims), expected)
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      const signed = Buffer.from(`${header}.${claims}`)
      assert.ok(verify('sha256', signed, key, Buffer.from(signature, 'base64url')))
      assert.equal(responseMode, 'form_post')
    })
  })
}
