/** What becomes of the settings, identity providers and secrets of a ZITADEL. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SettingsValues } from '../../../src/cli/import/draft.ts'
import { instance, ORGANIZATION, organization, type PeerWorld, peerWorld } from './peer-world.ts'

async function section<Name extends keyof SettingsValues>(
  world: PeerWorld,
  name: Name,
  organizationId = '',
): Promise<SettingsValues[Name] | undefined> {
  const { drafts } = await world.read()
  const found = drafts.find(
    (draft) => draft.kind === 'settings' && draft.section === name && draft.organizationId === organizationId,
  )
  return found?.kind === 'settings' ? (found.values as SettingsValues[Name]) : undefined
}

suite('settings of a ZITADEL', () => {
  test('a policy of an organization is its own until it is removed', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(instance, { 'instance.policy.lockout.added': { maxPasswordAttempts: 5 } })
    await world.add(organization, {
      'org.policy.lockout.added': { maxPasswordAttempts: 3, maxOTPAttempts: 4 },
      'org.policy.lockout.changed': { maxOTPAttempts: 0 },
    })
    assert.deepEqual(await section(world, 'lockout'), { maxPasswordAttempts: 5, maxOtpAttempts: 0 })
    assert.deepEqual(await section(world, 'lockout', ORGANIZATION), { maxPasswordAttempts: 3, maxOtpAttempts: 0 })
    await world.add(organization, { 'org.policy.lockout.removed': null })
    assert.equal(await section(world, 'lockout', ORGANIZATION), undefined)
  })

  test('durations are milliseconds, and what is disabled there is not allowed here', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(instance, {
      'instance.policy.login.added': {
        allowUsernamePassword: true,
        passwordlessType: 1,
        disableLoginWithEmail: true,
        passwordCheckLifetime: 864_000_000_000_000,
      },
      'instance.policy.login.secondfactor.added': { mfaType: 3 },
    })
    const login = await section(world, 'login')
    assert.deepEqual(
      [login?.passwordLifetimeMs, login?.allowsEmailLogin, login?.allowsPhoneLogin, login?.secondFactors],
      [864_000_000, false, true, ['otp_email']],
    )
  })

  test('login names with a domain become names that are unique in the organization', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    assert.equal((await world.draft('organization')).hasScopedUserNames, false)
    await world.add(instance, { 'instance.policy.domain.added': { userLoginMustBeDomain: true } })
    assert.equal((await world.draft('organization')).hasScopedUserNames, true)
    await world.add(organization, { 'org.policy.domain.added': {} })
    assert.equal((await world.draft('organization')).hasScopedUserNames, false)
    const own = { type: 'organization_settings', id: ORGANIZATION, owner: ORGANIZATION }
    await world.add(own, { 'settings.organization.set': { organizationScopedUsernames: true } })
    assert.equal((await world.draft('organization')).hasScopedUserNames, true)
  })

  test('a provider that no login policy lists cannot be chosen, and its secret is opened', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const clientSecret = world.seal('idpConfigKey', 'between us')
    await world.add(instance, {
      'instance.idp.google.added': { id: 'i1', name: 'Google', clientId: 'c', clientSecret },
      'instance.idp.gitlab.added': { id: 'i2', name: 'Google', client_id: 'd', client_secret: clientSecret },
      'instance.policy.login.added': { allowExternalIdp: true },
      'instance.policy.login.idpprovider.added': { idpConfigId: 'i1' },
      'instance.idp.saml.added': { id: 'i3', name: 'SAML' },
    })
    await world.add(organization, {
      'org.policy.login.added': { allowExternalIdp: true },
      'org.policy.login.idpprovider.added': { idpConfigId: 'i2' },
    })
    const google = await world.draft('identity-provider', 'i1')
    assert.equal(google.clientSecret, 'between us')
    assert.deepEqual(google.choices, [{ organizationId: ORGANIZATION, isOffered: false }])
    const gitlab = await world.draft('identity-provider', 'i2')
    assert.deepEqual([gitlab.type, gitlab.clientId, gitlab.name], ['gitlab', 'd', 'Google (2)'])
    assert.deepEqual(gitlab.choices, [
      { organizationId: '', isOffered: false },
      { organizationId: ORGANIZATION, isOffered: true },
    ])
    const { remarks } = await world.read()
    assert.ok(remarks.some(({ id, reason }) => id === 'i3' && reason.includes('no type saml')))
  })

  test('the active mail server arrives with its password, and a look that was not activated is a draft', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const password = world.seal('smtpKey', 'mail secret')
    await world.add(instance, {
      'instance.smtp.config.added': {
        id: 's1',
        host: 'mail.example:587',
        senderAddress: 'a@b.example',
        plainAuth: { password },
      },
      'instance.smtp.config.http.added': { id: 's2', endpoint: 'https://hook.example' },
      'instance.smtp.config.activated': { id: 's1' },
      'instance.policy.label.added': { primaryColor: '#111111', disableMsgPopup: true },
      'instance.policy.label.activated': {},
      'instance.policy.label.changed': { primaryColor: '#222222' },
    })
    const smtp = await section(world, 'smtp')
    assert.deepEqual([smtp?.host, smtp?.password, smtp?.isActive], ['mail.example:587', 'mail secret', true])
    const { drafts, remarks } = await world.read()
    const looks = drafts.flatMap((draft) =>
      draft.kind === 'settings' && draft.section === 'branding'
        ? [[draft.values.light.primaryColor, draft.values.isActive, draft.values.disablesWatermark]]
        : [],
    )
    assert.deepEqual(looks, [
      ['#111111', true, true],
      ['#222222', false, true],
    ])
    assert.ok(remarks.some(({ id }) => id === 's2'))
  })

  test('a type of event that nobody knows is pointed out', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(instance, { 'instance.brand.new': { x: 1 } })
    const { remarks } = await world.read()
    assert.deepEqual(
      remarks.filter(({ kind }) => kind === 'event').map(({ id }) => id),
      ['instance.brand.new'],
    )
  })
})
