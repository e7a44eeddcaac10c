/** Every member of a realm is decided. `keycloak-realm.json` is an export of Keycloak 26.4 that has each of them, with throw-away values. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { folderWith, readAll, readRealm, user } from '../../../../test/support/foreign-exports.ts'
import { Members } from '../json/members.ts'
import { countFates, decide, membersWithoutRule, rulesByPath } from '../members/table.ts'
import { CLIENT } from './client-members.ts'
import { KEY } from './component-members.ts'
import { EXECUTION } from './flow-members.ts'
import { PROVIDER } from './provider-members.ts'
import { REALM } from './realm-members.ts'
import { CREDENTIAL, LINK } from './user-members.ts'

type Json = Readonly<Record<string, unknown>>

const KEYS = 'org.keycloak.keys.KeyProvider'
const text = await readFile(new URL('../../../../test/support/keycloak-realm.json', import.meta.url), 'utf8')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')

/** The export, with keys and certificates that can be read. */
function whole(): Record<string, unknown> {
  const realm = JSON.parse(text) as { components: Record<string, { providerId: string; config: Json }[]> } & Json
  const keys = realm.components[KEYS] ?? assert.fail('no keys')
  realm.components[KEYS] = keys.map((one) => {
    const { certificate: _, ...config } = one.config
    return { ...one, config: 'privateKey' in config ? { ...config, privateKey: [key] } : config }
  })
  return realm
}

/** All objects of the export that a member can be planted in, each at its path; free names belong to somebody. */
function objectsIn(value: unknown, path: string, found: Map<string, Record<string, unknown>>) {
  if (Array.isArray(value)) for (const one of value) objectsIn(one, `${path}[]`, found)
  else if (typeof value === 'object' && value !== null) {
    if (!found.has(path)) found.set(path, value as Record<string, unknown>)
    for (const [name, inner] of Object.entries(value)) objectsIn(inner, path === '' ? name : `${path}.${name}`, found)
  }
  return found
}

const of = (value: unknown) => new Members('realm.json', '', value)

suite('every member of a realm of Keycloak', () => {
  test('is in a table', () => {
    assert.deepEqual([...membersWithoutRule(of(whole()), REALM)], [])
  })

  test('that a table calls carried is asked for', async () => {
    const asked = new Set<string>()
    const folder = await folderWith({ 'acme-realm.json': whole() })
    const oldUrl = 'https://sso.example'
    for (const target of ['organization', 'instance'] as const)
      await readAll({ path: folder, target, oldUrl, oldKeys: true, asked: (path) => asked.add(path) })
    const carried = [...rulesByPath(of(whole()), REALM)].filter(
      // What is compared with its harmless values is asked for by the table.
      ([, rule]) => rule?.fate === 'carried' && rule.isHarmless === undefined && rule.inside === undefined,
    )
    assert.ok(carried.length > 150)
    const paths = carried.map(([path]) => path).filter((path) => !asked.has(path))
    assert.deepEqual(paths, [])
  })

  test('that is new fails, wherever it is', () => {
    const FREE =
      /(attributes|clientRoles|composites|config|roles\.client|components|scopeMappings|clientScopeMappings|Headers)\b/
    const realm = whole()
    const places = [...objectsIn(realm, '', new Map())]
    const planted = places.filter(
      ([path]) => !FREE.test(path) || /^(clients|identityProviders)\[\]\.(attributes|config)$/.test(path),
    )
    assert.ok(planted.length > 15)
    for (const [path, object] of planted) {
      // Nobody restricts anything with what is ignored as a whole.
      if (/^(clientScopes\[\]\.protocolMappers|clientProfiles|authenticatorConfig|localizationTexts)/.test(path))
        continue
      object.admitsOnly = ['staff']
      const expected = path === '' ? 'admitsOnly' : `${path}.admitsOnly`
      assert.deepEqual([...membersWithoutRule(of(realm), REALM)], [expected])
      delete object.admitsOnly
    }
  })

  test('that is new closes providers, clients, credentials, links, keys and steps', () => {
    for (const table of [PROVIDER, CLIENT, CREDENTIAL, LINK, KEY, EXECUTION])
      assert.equal(decide(of({ admitsOnly: ['staff'] }), table).closed.length, 1)
  })

  test('closes what has a new one: the draft is inactive, or missing', async () => {
    const realm = whole() as {
      identityProviders: Json[]
      clients: Json[]
      components: Record<string, Json[]>
      users: Json[]
    }
    const planted = (list: readonly Json[]) => list.map((one) => ({ ...one, admitsOnly: ['staff'] }))
    const users = realm.users.map((one) => ({ ...one, credentials: planted((one.credentials ?? []) as Json[]) }))
    const components = { ...realm.components, [KEYS]: planted(realm.components[KEYS] ?? []) }
    const drafts = await readRealm(
      {
        ...realm,
        clients: planted(realm.clients),
        identityProviders: planted(realm.identityProviders),
        users,
        components,
      },
      { oldUrl: 'https://sso.example', oldKeys: true },
    )
    assert.ok(drafts.of('identity-provider').length > 1 && drafts.of('application').length > 3)
    for (const kind of ['identity-provider', 'application'] as const)
      for (const draft of drafts.of(kind)) assert.equal(draft.isActive, false, draft.id)
    for (const { password, passkeys, totpSecret } of drafts.of('human'))
      assert.deepEqual([password, passkeys, totpSecret], [undefined, [], undefined])
    assert.equal(drafts.of('web-key').length, 0)
    for (const id of ['corp-oidc', 'web-shop', 'alice', 'rsa-generated'])
      assert.match(drafts.reasons(id), /admitsOnly” is not known/, id)
  })

  test('is carried, reported or ignored', () => {
    const { carried, reported, ignored } = countFates(REALM)
    assert.ok(carried > 150 && reported > 90 && ignored > 200, JSON.stringify({ carried, reported, ignored }))
  })

  test('of an object that is small is reported with the object', async () => {
    const drafts = await readRealm({
      admitsOnly: ['staff'],
      attributes: { 'admits.only': 'staff' },
      roles: { realm: [{ name: 'employee', until: '2030' }] },
      groups: [{ id: 'g', name: 'Sales', subGroups: [{ id: 'h', name: 'EMEA', until: '2030' }] }],
      organizations: [{ id: 'o', name: 'Globex', until: '2030' }],
      clientScopes: [{ name: 'orders', until: '2030' }],
      requiredActions: [{ alias: 'SIGN', until: '2030' }],
      users: [user('anna', { until: '2030' })],
    })
    for (const [id, member] of [
      ['admitsOnly', 'admitsOnly'],
      ['attributes.admits.only', 'attributes.admits.only'],
      ['employee', 'until'],
      ['Sales', 'subGroups.until'],
      ['Globex', 'until'],
      ['orders', 'until'],
      ['SIGN', 'until'],
      ['anna', 'until'],
    ] as const)
      assert.ok(drafts.reasons(id).includes(`“${member}” is not known`), id)
  })
})

suite('settings of a realm that have no equivalent', () => {
  const PROFILE = (edit: readonly string[]) => ({
    'org.keycloak.userprofile.UserProfileProvider': [
      {
        providerId: 'declarative-user-profile',
        config: {
          'kc.user.profile.config': [
            JSON.stringify({
              attributes: ['username', 'email', 'firstName', 'department'].map((name) => ({
                name,
                permissions: { edit },
              })),
            }),
          ],
        },
      },
    ],
  })

  test('KC33: names and addresses that only administrators change are named', async () => {
    const closed = await readRealm({ components: PROFILE(['admin']) })
    assert.match(closed.reasons('email, firstName'), /Only administrators change this/)
    const open = await readRealm({ components: PROFILE(['admin', 'user']) })
    assert.deepEqual(
      open.remarks.filter(({ kind }) => kind === 'user-profile'),
      [],
    )
  })

  test('KC34: are named, each in its own line', async () => {
    const values = {
      eventsEnabled: true,
      adminEventsEnabled: true,
      notBefore: 1_700_000_000,
      otpPolicyDigits: 8,
      otpPolicyType: 'hotp',
      otpPolicyAlgorithm: 'HmacSHA256',
      webAuthnPolicyAcceptableAaguids: ['fa2b99dc-9e39-4257-8f92-4a30d23c4118'],
      webAuthnPolicyPasswordlessAttestationConveyancePreference: 'direct',
      clientSessionIdleTimeout: 300,
      defaultSignatureAlgorithm: 'PS256',
    }
    for (const [name, value] of Object.entries(values))
      assert.notEqual((await readRealm({ [name]: value })).reasons(name), '', name)
    for (const name of ['acr.loa.map', 'clientSessionMaxLifespan'])
      assert.notEqual(
        (await readRealm({ attributes: { [name]: '{"gold":2}' } })).reasons(`attributes.${name}`),
        '',
        name,
      )
    const usual = { eventsEnabled: false, notBefore: 0, otpPolicyDigits: 6, eventsListeners: ['jboss-logging'] }
    const quiet = await readRealm({ ...usual, attributes: { 'acr.loa.map': '{}', clientSessionIdleTimeout: '0' } })
    for (const name of [...Object.keys(usual), 'attributes.acr.loa.map']) assert.equal(quiet.reasons(name), '')
  })

  test('KC21: users without the role for offline tokens are named', async () => {
    const roles = {
      realm: [{ name: 'offline_access' }, { name: 'default-roles-r', composites: { realm: ['offline_access'] } }],
    }
    const users = [user('anna', { realmRoles: ['default-roles-r'] }), user('bert')]
    const drafts = await readRealm({ roles, users })
    assert.doesNotMatch(drafts.reasons('anna'), /offline/)
    assert.match(drafts.reasons('bert'), /no offline tokens/)
    assert.doesNotMatch((await readRealm({ users })).reasons('bert'), /offline/)
  })
})
