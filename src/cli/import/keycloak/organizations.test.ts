import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readRealm, user } from '../../../../test/support/foreign-exports.ts'

const CORP = {
  ...{ alias: 'corp', internalId: 'id-corp', providerId: 'oidc', enabled: true },
  config: { clientId: 'c', clientSecret: 's', issuer: 'https://idp.example' },
}
const LINKED = user('anna', { federatedIdentities: [{ identityProvider: 'corp', userId: '1001', userName: 'anna' }] })

suite('organizations in a realm', () => {
  test('KC4: a stranger enters through no imported organization', async () => {
    const organizations = [{ id: 'o1', name: 'Partner', domains: [{ name: 'partner.example' }] }]
    for (const target of ['organization', 'instance'] as const) {
      const realm = { registrationAllowed: true, identityProviders: [CORP], organizations }
      const drafts = await readRealm(realm, { target })
      const logins = drafts.of('settings').filter(({ section }) => section === 'login')
      const [own, partner] = logins.map(
        ({ values }) => values as { allowsRegistration: boolean; allowsExternal?: boolean },
      )
      assert.deepEqual([own?.allowsRegistration, own?.allowsExternal], [true, undefined])
      assert.deepEqual([partner?.allowsRegistration, partner?.allowsExternal], [false, false])
      assert.equal(logins[1]?.organizationId, 'o1')
      assert.match(drafts.reasons('Partner'), /Nobody can register in it/)
    }
  })

  test('KC4: members who are managed by a disabled organization do not get in', async () => {
    const state = async (organization: object, realm: object = {}) => {
      const members = [
        { username: 'anna', membershipType: 'MANAGED' },
        { username: 'bert', membershipType: 'UNMANAGED' },
      ]
      const organizations = [{ id: 'o1', name: 'Partner', members, ...organization }]
      const drafts = await readRealm({
        users: [LINKED, user('bert')],
        identityProviders: [CORP],
        organizations,
        ...realm,
      })
      return ['id-anna', 'id-bert'].map((id) => drafts.one('human', id).state)
    }
    assert.deepEqual(await state({ enabled: false }), ['inactive', 'initial'])
    assert.deepEqual(await state({}, { organizationsEnabled: false }), ['inactive', 'initial'])
    assert.deepEqual(await state({}), ['active', 'initial'])
  })
})
