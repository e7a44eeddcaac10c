/** What becomes of the settings, identity providers and secrets of a ZITADEL. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SettingsValues } from '../../../src/cli/import/draft.ts'
import { pemOf } from '../../../src/crypto/certificate.ts'
import { UPSTREAM_CERTIFICATE, UPSTREAM_KEY, upstreamMetadata } from '../../support/response-forger.ts'
import { instance, moveOf, ORGANIZATION, organization, type PeerWorld, peerWorld } from './peer-world.ts'

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
      'instance.idp.ldap.added': { id: 'i4', name: 'LDAP', host: 'ldap.example' },
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
    assert.ok(remarks.some(({ id, reason }) => id === 'i3' && reason.includes('its metadata')))
    assert.ok(remarks.some(({ id, reason }) => id === 'i4' && reason.includes('names no server')))
  })

  test('ZI2: directories, signed tokens and other ZITADELs are carried with their secrets', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const secret = world.seal('idpConfigKey', 'between us')
    const options = { isCreationAllowed: true, isLinkingAllowed: true }
    await world.add(instance, {
      'instance.idp.ldap.v2.added': {
        ...{ id: 'i1', name: 'Directory', servers: ['ldaps://ldap.example'], startTLS: false, timeout: 5_000_000_000 },
        ...{ baseDN: 'dc=example', bindDN: 'cn=reader,dc=example', bindPassword: secret, userBase: 'dn' },
        ...{
          userObjectClasses: ['inetOrgPerson'],
          userFilters: ['uid'],
          idAttribute: 'uid',
          avatarURLAttribute: 'photo',
        },
        ...options,
      },
      'instance.idp.jwt.added': {
        ...{ id: 'i2', name: 'Tokens', issuer: 'https://tokens.example', jwtEndpoint: 'https://tokens.example/page' },
        ...{ keysEndpoint: 'https://tokens.example/keys', headerName: 'x-token', audience: 'signet' },
      },
      'instance.idp.zitadel.added': {
        ...{ id: 'i3', name: 'Other', issuer: 'https://other.example', clientId: 'c', clientSecret: secret },
        ...{ scopes: ['openid'], instanceRolesInfo: [{ organizationId: '7', organizationDomain: 'x.example' }] },
      },
      'instance.idp.ldap.v2.changed': { id: 'i1', userFilters: ['uid', 'mail'] },
    })
    const directory = await world.draft('identity-provider', 'i1')
    assert.deepEqual(
      [directory.type, directory.clientSecret, directory.values.options.isCreationAllowed],
      ['ldap', 'between us', true],
    )
    assert.deepEqual(directory.values.connection, {
      ...{
        protocol: 'ldap',
        servers: ['ldaps://ldap.example'],
        startTls: false,
        baseDn: 'dc=example',
        timeoutMs: 5000,
      },
      ...{ bindDn: 'cn=reader,dc=example', userBase: 'dn', userObjectClasses: ['inetOrgPerson'] },
      ...{ userFilters: ['uid', 'mail'], attributes: { id: 'uid', avatarUrl: 'photo' } },
    })
    assert.deepEqual((await world.draft('identity-provider', 'i2')).values.connection, {
      ...{ protocol: 'jwt', issuer: 'https://tokens.example', jwtEndpoint: 'https://tokens.example/page' },
      ...{ keysEndpoint: 'https://tokens.example/keys', headerName: 'x-token', audience: 'signet' },
    })
    const other = await world.draft('identity-provider', 'i3')
    const { connection } = other.values
    assert.ok(connection?.protocol === 'oidc')
    assert.deepEqual(
      [other.type, other.clientSecret, connection.issuer],
      ['zitadel', 'between us', 'https://other.example'],
    )
    assert.deepEqual(connection.zitadel?.instanceRoles, [{ organizationId: '7', organizationDomain: 'x.example' }])
    const kinds = await moveOf(world, t)
    assert.deepEqual([kinds['identity-provider']?.carried, kinds['identity-provider']?.refused], [3, 0])
  })

  test('a SAML provider keeps its key and certificate, and says when requests are signed in another way', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const provider = {
      name: 'SAML',
      metadata: base64(upstreamMetadata('https://upstream.example')),
      certificate: base64(pemOf(UPSTREAM_CERTIFICATE)),
      key: world.seal('idpConfigKey', UPSTREAM_KEY),
      binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
      nameIDFormat: 3,
      transientMappingAttributeName: 'uid',
      withSignedRequest: true,
    }
    const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'
    await world.add(instance, {
      'instance.idp.saml.added': { id: 'i1', ...provider },
      'instance.idp.saml.changed': { id: 'i1', name: 'Renamed' },
    })
    await world.add(organization, { 'org.idp.saml.added': { id: 'i2', ...provider, signatureAlgorithm } })
    const [one, two] = [await world.draft('identity-provider', 'i1'), await world.draft('identity-provider', 'i2')]
    assert.deepEqual([one.type, one.name, one.clientSecret], ['saml', 'Renamed', UPSTREAM_KEY])
    const { own, metadataXml, ...saml } = one.values.saml ?? assert.fail()
    assert.equal(own.certificate, UPSTREAM_CERTIFICATE)
    assert.equal(metadataXml, upstreamMetadata('https://upstream.example'))
    const choices = { binding: 'post', signsRequests: true, nameIdFormat: 'transient', transientAttribute: 'uid' }
    assert.deepEqual(saml, { ...choices, signature: 'unspecified' })
    assert.equal(two.values.saml?.signature, 'sha512')
    const { remarks } = await world.read()
    assert.deepEqual(
      remarks.filter(({ reason }) => reason.includes('SHA-1')).map(({ id }) => id),
      ['i1'],
    )
  })

  test('a mail server with access tokens arrives with the client, whatever it had before', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const tokens = (sealed: object) => ({
      tokenEndpoint: 'https://login.example/token',
      scopes: ['mail.send'],
      clientCredentials: { clientId: 'mailer', clientSecret: sealed },
    })
    await world.add(instance, {
      'instance.smtp.config.added': {
        id: 's1',
        host: 'mail.example:587',
        user: 'robot@example.org',
        senderAddress: 'a@b.example',
        plainAuth: { password: world.seal('smtpKey', 'mail secret') },
      },
      'instance.smtp.config.changed': { id: 's1', xoauth2Auth: tokens(world.seal('smtpKey', 'client secret')) },
      'instance.smtp.config.activated': { id: 's1' },
    })
    const smtp = await section(world, 'smtp')
    const oauth = { tokenEndpoint: 'https://login.example/token', scopes: ['mail.send'], clientId: 'mailer' }
    assert.deepEqual([smtp?.oauth, smtp?.password, smtp?.isActive], [oauth, 'client secret', true])
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
