import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { type Drafts, readRealm, user } from '../../../../test/support/foreign-exports.ts'

function provider(alias: string, config: object, more: object = {}) {
  const known = { clientId: 'c', clientSecret: 's' }
  return {
    alias,
    internalId: `id-${alias}`,
    providerId: 'oidc',
    enabled: true,
    config: { ...known, ...config },
    ...more,
  }
}

const OIDC = { issuer: 'https://idp.example' }
const linked = (alias: string) =>
  user('anna', { federatedIdentities: [{ identityProvider: alias, userId: '1001', userName: 'anna' }] })

function execution(name: string, requirement: string) {
  return /^idp-|^auth-|^conditional-|^deny-/.test(name)
    ? { authenticator: name, authenticatorFlow: false, requirement }
    : { flowAlias: name, authenticatorFlow: true, requirement }
}

function flow(alias: string, executions: Readonly<Record<string, string>>, builtIn = false) {
  const authenticationExecutions = Object.entries(executions).map(([name, requirement]) => execution(name, requirement))
  return { alias, builtIn, topLevel: true, providerId: 'basic-flow', authenticationExecutions }
}

async function creates(drafts: Promise<Drafts>, alias: string): Promise<boolean> {
  const { isCreationAllowed, isAutoCreation } = (await drafts).one('identity-provider', `id-${alias}`).values.options
  assert.equal(isCreationAllowed, isAutoCreation)
  return isCreationAllowed
}

suite('providers', () => {
  const github = (config: object) => ({ identityProviders: [provider('gh', config, { providerId: 'github' })] })

  test('KC1: GitHub of a company stays the server of the company', async () => {
    const own = { baseUrl: 'https://github.corp.example/', apiUrl: 'https://github.corp.example/api/v3' }
    const drafts = await readRealm({ ...github(own), users: [linked('gh')] })
    const { type, values } = drafts.one('identity-provider', 'id-gh')
    assert.equal(type, 'github_es')
    assert.deepEqual(
      [values.authorizationEndpoint, values.tokenEndpoint, values.userEndpoint],
      [
        'https://github.corp.example/login/oauth/authorize',
        'https://github.corp.example/login/oauth/access_token',
        'https://github.corp.example/api/v3/user',
      ],
    )
    assert.equal(drafts.one('human', 'id-anna').links.length, 1)
    for (const open of [
      {},
      { baseUrl: ' ', apiUrl: '' },
      { baseUrl: 'https://github.com/', apiUrl: 'https://api.github.com' },
    ])
      assert.equal((await readRealm(github(open))).one('identity-provider', 'id-gh').type, 'github')
  })

  test('KC1: GitHub with one of two addresses stays behind with its links', async () => {
    for (const half of [
      { baseUrl: 'https://github.corp.example' },
      { apiUrl: 'https://github.corp.example/api/v3' },
      { baseUrl: 'https://github.com', apiUrl: 'https://github.corp.example/api/v3' },
      { baseUrl: 'not an address', apiUrl: 'https://github.corp.example/api/v3' },
    ]) {
      const drafts = await readRealm({ ...github(half), users: [linked('gh')] })
      assert.equal(drafts.of('identity-provider').length, 0)
      assert.equal(drafts.one('human', 'id-anna').links.length, 0)
      assert.match(drafts.reasons('gh'), /baseUrl and apiUrl/)
      assert.match(drafts.reasons('anna'), /“gh” stays behind/)
    }
  })

  test('KC2: a provider that looks at a claim is inactive', async () => {
    const filter = { filteredByClaim: 'true', claimFilterName: 'department', claimFilterValue: 'staff' }
    const drafts = await readRealm({ identityProviders: [provider('corp', { ...OIDC, ...filter })] })
    assert.equal(drafts.one('identity-provider', 'id-corp').isActive, false)
    assert.match(drafts.reasons('corp'), /department.*staff/)
    const open = await readRealm({ identityProviders: [provider('corp', { ...OIDC, filteredByClaim: 'false' })] })
    assert.equal(open.one('identity-provider', 'id-corp').isActive, true)
  })

  const FIRST = {
    'idp-review-profile': 'REQUIRED',
    'User creation or linking': 'REQUIRED',
    'Conditional organization': 'CONDITIONAL',
  }
  const BUILT_IN = [
    flow('first broker login', FIRST, true),
    flow('User creation or linking', { 'idp-create-user-if-unique': 'ALTERNATIVE', Existing: 'ALTERNATIVE' }, true),
    flow('Existing', { 'idp-confirm-link': 'REQUIRED', 'idp-username-password-form': 'REQUIRED' }, true),
    flow(
      'Conditional organization',
      { 'conditional-user-configured': 'REQUIRED', 'idp-add-organization-member': 'REQUIRED' },
      true,
    ),
  ]
  const withFlow = (authenticationFlows: readonly object[], firstBrokerLoginFlowAlias?: string, more: object = {}) =>
    readRealm({
      authenticationFlows,
      identityProviders: [provider('corp', OIDC, { firstBrokerLoginFlowAlias })],
      ...more,
    })

  test('KC3: a provider creates users where its first login flow does', async () => {
    assert.equal(await creates(withFlow([]), 'corp'), true)
    assert.equal(await creates(withFlow(BUILT_IN), 'corp'), true)
    assert.equal(await creates(withFlow(BUILT_IN, 'first broker login'), 'corp'), true)
    const own = flow('own', { 'idp-create-user-if-unique': 'ALTERNATIVE', 'idp-auto-link': 'ALTERNATIVE' })
    assert.equal(await creates(withFlow([...BUILT_IN, own], 'own'), 'corp'), true)
  })

  const CLOSED: readonly (readonly [
    what: string,
    flows: readonly object[],
    alias?: string | undefined,
    more?: object,
  ])[] = [
    [
      'only links',
      [...BUILT_IN, flow('own', { 'idp-detect-existing-broker-user': 'REQUIRED', 'idp-auto-link': 'REQUIRED' })],
      'own',
    ],
    ['is not in the export', BUILT_IN, 'own'],
    [
      'has creation disabled',
      [flow('own', { 'idp-create-user-if-unique': 'DISABLED', 'idp-auto-link': 'ALTERNATIVE' })],
      'own',
    ],
    [
      'creates under a condition',
      [flow('own', { inner: 'CONDITIONAL' }), flow('inner', { 'idp-create-user-if-unique': 'REQUIRED' })],
      'own',
    ],
    [
      'denies some',
      [
        flow('own', { 'idp-create-user-if-unique': 'REQUIRED', inner: 'CONDITIONAL' }),
        flow('inner', { 'conditional-user-attribute': 'REQUIRED', 'deny-access-authenticator': 'REQUIRED' }),
      ],
      'own',
    ],
    [
      'asks for a password, too',
      [flow('own', { 'idp-create-user-if-unique': 'REQUIRED', 'idp-username-password-form': 'REQUIRED' })],
      'own',
    ],
    [
      'ignores its alternatives',
      [flow('own', { 'idp-create-user-if-unique': 'ALTERNATIVE', 'idp-detect-existing-broker-user': 'REQUIRED' })],
      'own',
    ],
    ['contains itself', [flow('own', { own: 'REQUIRED' })], 'own'],
    [
      'is that of the realm',
      [...BUILT_IN, flow('own', { 'idp-auto-link': 'REQUIRED' })],
      undefined,
      { firstBrokerLoginFlow: 'own' },
    ],
    [
      'is built in and was changed',
      [
        flow(
          'first broker login',
          { 'idp-detect-existing-broker-user': 'REQUIRED', 'idp-auto-link': 'REQUIRED' },
          true,
        ),
      ],
    ],
  ]
  for (const [what, flows, alias, more] of CLOSED)
    test(`KC3: a provider creates nobody if its first login flow ${what}`, async () => {
      const drafts = withFlow(flows, alias, more)
      assert.equal(await creates(drafts, 'corp'), false)
      assert.match((await drafts).reasons('corp'), /creates nobody/)
    })

  test('KC4: a provider for the domains of an organization is inactive', async () => {
    const organization = (more: object) => ({
      id: 'o1',
      name: 'Partner',
      alias: 'partner',
      domains: [{ name: 'partner.example' }],
      ...more,
    })
    const read = (config: object, more: object = {}, own: object = {}) =>
      readRealm({
        organizationsEnabled: true,
        identityProviders: [provider('corp', { ...OIDC, ...config }, own)],
        organizations: [organization({ identityProviders: [{ alias: 'corp', config: {} }], ...more })],
      })
    const drafts = await read({ 'kc.org.domain': 'partner.example' })
    assert.equal(drafts.one('identity-provider', 'id-corp').isActive, false)
    assert.match(drafts.reasons('corp'), /partner\.example.*Partner/)
    const inside = await read(
      {},
      { identityProviders: [{ alias: 'corp', config: { 'kc.org.domain': 'partner.example' } }] },
    )
    assert.equal(inside.one('identity-provider', 'id-corp').isActive, false)
    const byId = await read({ 'kc.org.domain': 'partner.example' }, { identityProviders: [] }, { organizationId: 'o1' })
    assert.equal(byId.one('identity-provider', 'id-corp').isActive, false)
    assert.equal((await read({})).one('identity-provider', 'id-corp').isActive, true)
  })

  test('KC4: a provider of a disabled organization is disabled, as it is in Keycloak', async () => {
    const organizations = [
      { id: 'o1', name: 'Partner', enabled: false, identityProviders: [{ alias: 'corp', config: {} }] },
    ]
    const drafts = await readRealm({
      organizationsEnabled: true,
      identityProviders: [provider('corp', OIDC)],
      organizations,
    })
    assert.equal(drafts.one('identity-provider', 'id-corp').isActive, false)
    assert.match(drafts.reasons('corp'), /organization “Partner” is disabled/)
  })

  test('KC5: a signing key that was disabled is not carried', async () => {
    const key = (name: string, config: object) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const text = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')
      return { name, providerId: 'rsa-generated', config: { privateKey: [text], kid: [name], ...config } }
    }
    const keys = [
      key('active', { enabled: ['true'], active: ['true'] }),
      key('passive', { active: ['false'] }),
      key('revoked', { enabled: ['false'], active: ['true'] }),
    ]
    const drafts = await readRealm({ components: { 'org.keycloak.keys.KeyProvider': keys } })
    assert.deepEqual(
      drafts.of('web-key').map(({ id }) => id),
      ['active', 'passive'],
    )
    assert.match(drafts.reasons('revoked'), /disabled in Keycloak/)
  })
})
