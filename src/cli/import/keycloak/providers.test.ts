import assert from 'node:assert/strict'
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

  test('KC4: nobody signs in with it, neither in the realm nor in the organization of its domains', async () => {
    const organizations = [
      {
        id: 'o1',
        name: 'Partner',
        domains: [{ name: 'partner.example' }, { name: 'partner.test' }],
        identityProviders: [{ alias: 'corp', config: { 'kc.org.domain': 'ANY' } }],
      },
    ]
    for (const target of ['organization', 'instance'] as const) {
      const identityProviders = [provider('corp', OIDC, { hideOnLogin: true })]
      const drafts = await readRealm({ identityProviders, organizations }, { target })
      assert.deepEqual(
        drafts.of('identity-provider').map(({ isActive }) => isActive),
        [false],
      )
      assert.match(drafts.reasons('corp'), /partner\.example, partner\.test/)
    }
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

  async function read(config: object, more: object = {}, realm: object = {}) {
    return await readRealm({ identityProviders: [provider('corp', config, more)], users: [linked('corp')], ...realm })
  }
  async function isClosed(drafts: Drafts): Promise<boolean> {
    return !drafts.one('identity-provider', 'id-corp').isActive && /not active/.test(drafts.reasons('corp'))
  }

  test('KC12, KC25: a provider that asks for more in Keycloak is inactive', async () => {
    const google = { providerId: 'google' }
    const cases: readonly (readonly [config: object, more?: object])[] = [
      [OIDC, { postBrokerLoginFlowAlias: 'one-time code' }],
      [{ ...OIDC, prompt: 'login' }],
      [{ ...OIDC, passMaxAge: 'true' }],
      [{ ...OIDC, clientAuthMethod: 'private_key_jwt' }],
      [{ ...OIDC, useJwksUrl: 'false', publicKeySignatureVerifier: 'MIIB' }],
      [
        {
          userInfoUrl: 'https://idp.example/u',
          authorizationUrl: 'https://idp.example/a',
          tokenUrl: 'https://idp.example/t',
        },
      ],
      [{ hostedDomain: 'corp.example' }, google],
      [{ hostedDomain: '*' }, google],
      [{ ...OIDC, allowedGroups: 'staff' }],
      [OIDC, { onlyFrom: ['10.0.0.0/8'] }],
      [OIDC, { onlyWhen: false }],
    ]
    for (const [config, more] of cases)
      assert.ok(await isClosed(await read(config, more)), JSON.stringify([config, more]))
  })

  test('a provider with all usual members is active', async () => {
    const config = {
      ...OIDC,
      authorizationUrl: 'https://idp.example/authorize',
      tokenUrl: 'https://idp.example/token',
      jwksUrl: 'https://idp.example/jwks',
      useJwksUrl: 'true',
      publicKeySignatureVerifier: 'MIIB',
      validateSignature: 'true',
      clientAuthMethod: 'client_secret_post',
      filteredByClaim: 'false',
      'kc.org.domain': '',
      guiOrder: '1',
      syncMode: 'IMPORT',
      passMaxAge: 'false',
      tokenIntrospectionUrl: 'https://idp.example/introspect',
    }
    const drafts = await read(config, {
      storeToken: false,
      postBrokerLoginFlowAlias: '',
      updateProfileFirstLoginMode: 'on',
    })
    assert.equal(drafts.one('identity-provider', 'id-corp').isActive, true)
    assert.equal(drafts.reasons('corp'), '')
    assert.equal(drafts.one('human', 'id-anna').links.length, 1)
  })

  test('KC25, KC29: a provider that would lead to another server stays behind with its links', async () => {
    for (const config of [
      { ...OIDC, authorizationUrl: 'https://elsewhere.example/authorize' },
      { ...OIDC, authorizationUrl: 'https://idp.example.evil.example/authorize' },
      { issuer: 'https://idp.example,https://other.example', authorizationUrl: 'https://idp.example/authorize' },
    ]) {
      const drafts = await read(config)
      assert.equal(drafts.of('identity-provider').length, 0)
      assert.equal(drafts.one('human', 'id-anna').links.length, 0)
      assert.match(drafts.reasons('corp'), /another server|several issuers/)
    }
  })

  test('KC25: endpoints that are not at the issuer are named', async () => {
    const drafts = await read({ ...OIDC, tokenUrl: 'https://t.example/t', jwksUrl: 'https://k.example/k' })
    assert.match(drafts.reasons('corp'), /t\.example[\s\S]*k\.example/)
    assert.equal(drafts.one('identity-provider', 'id-corp').isActive, true)
  })

  test('KC26: links with other identifiers than those here stay behind', async () => {
    const microsoft = await read({ tenantId: 'tenant-1' }, { providerId: 'microsoft' })
    assert.equal(microsoft.one('identity-provider', 'id-corp').values.tenant, 'tenant-1')
    const mapper = { name: 'm', identityProviderAlias: 'corp', config: { target: 'BROKER_ID', template: 'x' } }
    const made = await read(OIDC, {}, { identityProviderMappers: [mapper] })
    for (const drafts of [microsoft, made]) {
      assert.equal(drafts.one('human', 'id-anna').links.length, 0)
      assert.match(drafts.reasons('anna'), /“corp” stays behind/)
      assert.match(drafts.reasons('corp'), /second account/)
    }
  })

  test('KC13: addresses of a provider count as verified where Keycloak trusts them, and are confirmed by mail elsewhere', async () => {
    const types = [
      ['oidc', OIDC],
      ['google', {}],
      ['github', {}],
      ['microsoft', { tenantId: 'tenant-1' }],
    ] as const
    for (const [providerId, config] of types)
      for (const [trustEmail, trust] of [
        [true, 'always'],
        [false, 'never'],
        [undefined, 'never'],
      ] as const) {
        const { values } = (await read(config, { providerId, trustEmail })).one('identity-provider', 'id-corp')
        assert.deepEqual([values.options.emailTrust, values.trustsEmail], [trust, undefined], providerId)
      }
  })

  test('KC27: a hidden provider has no button, and works for those who are linked', async () => {
    for (const [config, more] of [
      [OIDC, { hideOnLogin: true }],
      [{ ...OIDC, hideOnLoginPage: 'true' }, {}],
    ] as const) {
      const drafts = await read(config, more)
      const { isActive, choices, values } = drafts.one('identity-provider', 'id-corp')
      assert.deepEqual([isActive, choices, values.options.isHidden], [true, undefined, true])
      assert.equal(drafts.one('human', 'id-anna').links.length, 1)
    }
    assert.equal(
      Object.hasOwn((await read(OIDC)).one('identity-provider', 'id-corp').values.options, 'isHidden'),
      false,
    )
    const linkOnly = (await read(OIDC, { linkOnly: true })).one('identity-provider', 'id-corp')
    assert.deepEqual(linkOnly.choices, [{ organizationId: 'realm-1', isOffered: false }])
  })

  test('a secret that a vault has is not in the export', async () => {
    const drafts = await read({ ...OIDC, clientSecret: ['$', '{vault.corp}'].join('') })
    assert.equal(drafts.one('identity-provider', 'id-corp').clientSecret, undefined)
  })
})
