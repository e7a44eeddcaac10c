import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { client, Drafts, folderWith, readAll, readRealm, user } from '../../../../test/support/foreign-exports.ts'
import { OBJECT_ORDER } from '../../carriers.ts'
import { openKeycloak } from './source.ts'
import { keyIdOf } from './web-keys.ts'

suite('a realm', () => {
  const settings = {
    displayName: 'Acme',
    registrationAllowed: true,
    resetPasswordAllowed: true,
    passwordPolicy:
      'length(12) and digits(2) and upperCase(1) and passwordHistory(3) and forceExpiredPasswordChange(90)',
    bruteForceProtected: true,
    failureFactor: 7,
    accessTokenLifespan: 300,
    smtpServer: {
      host: 'smtp.example',
      port: '587',
      from: 'no-reply@acme.example',
      starttls: 'true',
      auth: 'true',
      user: 'u',
      password: 'p',
    },
    internationalizationEnabled: true,
    supportedLocales: ['de', 'cs'],
    defaultLocale: 'de',
  }

  test('a mail server with access tokens keeps the client that they are for', async () => {
    const server = { authType: 'token', authTokenUrl: 'https://login.example/token', authTokenScope: 'a b' }
    const client = { authTokenClientId: 'mailer', authTokenClientSecret: 's' }
    const smtpServer = { ...settings.smtpServer, ...server, ...client }
    const read = await readRealm({ ...settings, smtpServer }, { target: 'instance' })
    const smtp = read.of('settings').find(({ section }) => section === 'smtp')?.values as object
    const oauth = { tokenEndpoint: 'https://login.example/token', scopes: ['a', 'b'], clientId: 'mailer' }
    assert.deepEqual({ ...smtp, user: 'u', password: 's', oauth }, smtp)
    assert.doesNotMatch(read.reasons('smtpServer'), /XOAUTH2/)
  })

  test('becomes an organization with its own settings, or the instance', async () => {
    const organization = await readRealm(settings)
    assert.deepEqual(
      organization.of('organization').map(({ id, name, isDefault }) => [id, name, isDefault]),
      [['realm-1', 'Acme', false]],
    )
    assert.deepEqual(
      organization.of('settings').map(({ section, organizationId }) => [section, organizationId]),
      [
        ['login', 'realm-1'],
        ['passwordComplexity', 'realm-1'],
        ['passwordExpiry', 'realm-1'],
        ['lockout', 'realm-1'],
      ],
    )
    for (const name of ['accessTokenLifespan', 'smtpServer', 'defaultLocale'])
      assert.match(organization.reasons(name), /instance/)
    const instance = await readRealm(settings, { target: 'instance' })
    const sections = new Map(
      instance.of('settings').map(({ section, values }) => [section as string, values as object]),
    )
    assert.ok(instance.of('settings').every(({ organizationId }) => organizationId === ''))
    assert.deepEqual(sections.get('passwordComplexity'), {
      minLength: 12,
      needsUppercase: true,
      needsLowercase: false,
      needsNumber: true,
      needsSymbol: false,
    })
    assert.deepEqual(sections.get('passwordExpiry'), { maxAgeDays: 90, warnDays: 0 })
    assert.deepEqual(sections.get('lockout'), { maxPasswordAttempts: 7, maxOtpAttempts: 7 })
    assert.deepEqual(sections.get('language'), { defaultLanguage: 'de' })
    assert.partialDeepStrictEqual(sections.get('smtp'), {
      host: 'smtp.example:587',
      tls: true,
      password: 'p',
      isActive: false,
    })
    assert.match(instance.reasons('passwordPolicy'), /digits\(2\)[\s\S]*passwordHistory\(3\)/)
    assert.match(instance.reasons('supportedLocales'), /cs/)
  })

  test('brings the public halves of its signing keys under the IDs that Keycloak gave them', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const text = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')
    const components = {
      'org.keycloak.keys.KeyProvider': [
        { name: 'signs', providerId: 'rsa-generated', config: { privateKey: [text], priority: ['100'] } },
        { name: 'encrypts', providerId: 'rsa-enc-generated', config: { privateKey: [text] } },
        { name: 'own', providerId: 'hmac-generated', config: { secret: ['x'] } },
      ],
    }
    const drafts = await readRealm({ components }, { oldKeys: true })
    const [key, ...others] = drafts.of('web-key')
    assert.equal(others.length, 0)
    assert.equal(key?.id, keyIdOf(publicKey))
    assert.deepEqual(
      [key?.state, key?.key.alg, key?.key.n, key?.key.d],
      ['inactive', 'RS256', publicKey.export({ format: 'jwk' }).n, undefined],
    )
    assert.match(drafts.reasons('encrypts'), /encrypted/)
  })

  test('keeps the organizations in it; their members stay where they are and keep the alias', async () => {
    const drafts = await readRealm({
      users: [user('anna')],
      organizations: [
        {
          id: 'o1',
          name: 'Globex',
          alias: 'globex',
          enabled: false,
          attributes: { plan: ['gold'] },
          domains: [{ name: 'globex.example', verified: true }],
          members: [{ username: 'anna' }],
        },
      ],
    })
    const globex = drafts.one('organization', 'o1')
    assert.deepEqual([globex.name, globex.isActive], ['Globex', false])
    assert.deepEqual(globex.domains, [{ name: 'globex.example', isVerified: true, isPrimary: true }])
    const kept = drafts
      .of('metadata')
      .map(({ objectId, key, value }) => [objectId, key, Buffer.from(value, 'base64').toString()])
    assert.deepEqual(kept, [
      ['o1', 'plan', 'gold'],
      ['id-anna', 'keycloak.organizations', '["globex"]'],
    ])
    assert.match(drafts.reasons('globex'), /1 members stay/)
  })

  test('yields its drafts in their order, and the same ones each time and in both forms of an export', async () => {
    const realm = {
      id: 'realm-1',
      realm: 'r',
      clients: [client('job', { serviceAccountsEnabled: true })],
      roles: { realm: [{ name: 'a' }] },
    }
    const users = [
      user('anna', { realmRoles: ['a'], attributes: { x: ['y'] }, createdTimestamp: 1 }),
      user('bert'),
      user('carl'),
    ]
    const one = await folderWith({ 'export.json': { ...realm, users } })
    const several = await folderWith({
      'r-realm.json': realm,
      'r-users-0.json': { realm: 'r', users: users.slice(0, 2) },
      'r-users-1.json': { realm: 'r', users: users.slice(2) },
      'other-users-0.json': { realm: 'other', users },
    })
    const source = await openKeycloak({ path: join(one, 'export.json'), target: 'organization' })
    const first = await Array.fromAsync(source.read())
    assert.deepEqual(await Array.fromAsync(source.read()), first)
    const inFiles = await readAll({ path: several, target: 'organization' })
    const ids = (drafts: Drafts) => drafts.all.map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(ids(inFiles), ids(new Drafts(first)))
    const order = inFiles.all.map(({ kind }) => OBJECT_ORDER.indexOf(kind))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
    assert.deepEqual(ids(await readAll({ path: join(several, 'r-realm.json'), target: 'organization' })), ids(inFiles))
  })

  test('that the console exported has no users and no secrets, and says so', async () => {
    const drafts = await readRealm({
      clients: [client('shop', { secret: '**********', redirectUris: ['https://s.example/'] })],
    })
    assert.match(drafts.reasons(''), /no users/)
    assert.equal(drafts.one('application', 'id-shop').secret, undefined)
    assert.match(drafts.reasons('shop'), /no secret/)
  })
})
