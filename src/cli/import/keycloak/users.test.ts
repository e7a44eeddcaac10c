import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { credential, type Drafts, readRealm, user } from '../../../../test/support/foreign-exports.ts'

suite('users', () => {
  test('keep their ID, names, address, dates and state', async () => {
    const drafts = await readRealm({
      users: [
        user('anna', {
          email: 'anna@a.example',
          emailVerified: true,
          firstName: 'Anna',
          lastName: 'Arndt',
          createdTimestamp: 5,
        }),
        user('bert', { enabled: false }),
      ],
    })
    const anna = drafts.one('human', 'id-anna')
    assert.equal(anna.userName, 'anna')
    assert.deepEqual(anna.email, { address: 'anna@a.example', isVerified: true })
    assert.equal(anna.createdAt, 5)
    assert.equal(anna.organizationId, 'realm-1')
    const bert = drafts.one('human', 'id-bert')
    assert.equal(bert.state, 'inactive')
    assert.deepEqual([bert.profile.firstName, bert.profile.lastName], ['bert', 'bert'])
    assert.match(drafts.reasons('bert'), /name is missing/)
    assert.match(drafts.reasons('bert'), /no email address/)
    assert.deepEqual(bert.email, { address: 'id-bert@no-email.invalid', isVerified: false })
  })

  test('keep their attributes: locale, nickname and telephone in their places, all others as metadata', async () => {
    const attributes = { locale: ['de'], nickname: ['A'], phone: ['0041 79 123 45 67'], team: ['x'], many: ['1', '2'] }
    const drafts = await readRealm({ users: [user('anna', { attributes })] })
    const anna = drafts.one('human', 'id-anna')
    assert.equal(anna.profile.preferredLanguage, 'de')
    assert.equal(anna.profile.nickName, 'A')
    assert.deepEqual(anna.phone, { number: '+41791234567', isVerified: false })
    const found = drafts.of('metadata').map(({ key, value }) => [key, Buffer.from(value, 'base64').toString()])
    assert.deepEqual(found, [
      ['phone', '0041 79 123 45 67'],
      ['team', 'x'],
      ['many', '["1","2"]'],
    ])
  })

  const SALT = 'c2FsdHNhbHRzYWx0c2FsdA=='
  const HASH = 'AAECAwQFBgcICQoLDA0ODw=='
  const PASSWORDS = [
    [{ algorithm: 'pbkdf2-sha512', hashIterations: 210_000 }, '$pbkdf2-sha512$210000$'],
    [{ algorithm: 'pbkdf2-sha256', hashIterations: 27_500 }, '$pbkdf2-sha256$27500$'],
    [{ algorithm: 'pbkdf2', hashIterations: 20_000 }, '$pbkdf2$20000$'],
    [
      {
        algorithm: 'argon2',
        hashIterations: 5,
        additionalParameters: {
          type: ['id'],
          version: ['1.3'],
          memory: ['7168'],
          parallelism: ['1'],
          hashLength: ['32'],
        },
      },
      '$argon2id$v=19$m=7168,t=5,p=1$',
    ],
    [
      { algorithm: 'argon2', hashIterations: 3, additionalParameters: { type: ['i'], memory: ['65536'] } },
      '$argon2i$v=19$m=65536,t=3,p=1$',
    ],
  ] as const

  test('keep their password, whatever made the hash', async () => {
    for (const [data, prefix] of PASSWORDS) {
      const password = credential('password', { value: HASH, salt: SALT }, data)
      const drafts = await readRealm({ users: [user('anna', { credentials: [password] })] })
      assert.deepEqual(drafts.one('human', 'id-anna').password, {
        hash: `${prefix}${SALT.replaceAll('=', '')}$${HASH.replaceAll('=', '')}`,
        changedAt: 1_700_000_000_000,
        changeRequired: false,
      })
    }
  })

  test('must change a temporary password, and hear which other required actions stay behind', async () => {
    const password = credential('password', { value: HASH, salt: SALT }, PASSWORDS[0][0])
    const requiredActions = ['UPDATE_PASSWORD', 'CONFIGURE_TOTP']
    const drafts = await readRealm({ users: [user('anna', { credentials: [password], requiredActions })] })
    assert.equal(drafts.one('human', 'id-anna').password?.changeRequired, true)
    assert.match(drafts.reasons('anna'), /CONFIGURE_TOTP/)
    assert.doesNotMatch(drafts.reasons('anna'), /UPDATE_PASSWORD/)
  })

  test('who must confirm their address first reset their password by mail', async () => {
    const secrets = {
      credentials: [
        credential(
          'password',
          { value: 'dg==', salt: 'c2FsdA==' },
          { hashIterations: 210_000, algorithm: 'pbkdf2-sha512' },
        ),
      ],
    }
    const anna = (more: object) => user('anna', { email: 'anna@x.example', ...secrets, ...more })
    const read = async (more: object, realm: object = {}) => await readRealm({ users: [anna(more)], ...realm })
    for (const drafts of [await read({}, { verifyEmail: true }), await read({ requiredActions: ['VERIFY_EMAIL'] })]) {
      const { state, password } = drafts.one('human', 'id-anna')
      assert.deepEqual([state, password], ['initial', undefined])
      assert.match(drafts.reasons('anna'), /confirmed their email address/)
    }
    for (const drafts of [await read({ emailVerified: true }, { verifyEmail: true }), await read({})])
      assert.notEqual(drafts.one('human', 'id-anna').password, undefined)
  })

  test('keep an authenticator app whose codes are of our form, with its secret as text or in base32', async () => {
    const data = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
    const own = credential('otp', { value: 'abcdefghij0123456789' }, data)
    const imported = credential('otp', { value: 'JBSWY3DPEHPK3PXP' }, { ...data, secretEncoding: 'BASE32' })
    const others = [
      { ...data, digits: 8 },
      { ...data, subType: 'hotp' },
      { ...data, algorithm: 'HmacSHA256' },
    ]
    const drafts = await readRealm({
      users: [
        user('anna', { credentials: [own] }),
        user('bert', { credentials: [imported, own] }),
        ...others.map((other, index) => user(`u${index}`, { credentials: [credential('otp', { value: 'x' }, other)] })),
      ],
    })
    assert.equal(drafts.one('human', 'id-anna').totpSecret, 'MFRGGZDFMZTWQ2LKGAYTEMZUGU3DOOBZ')
    assert.equal(drafts.one('human', 'id-bert').totpSecret, 'JBSWY3DPEHPK3PXP')
    assert.match(drafts.reasons('bert'), /a user has one/)
    for (const index of others.keys()) {
      assert.equal(drafts.one('human', `id-u${index}`).totpSecret, undefined)
      assert.match(drafts.reasons(`u${index}`), /stays behind/)
    }
  })

  test('keep passkeys and security keys, for the host that the realm or the caller names', async () => {
    const data = { credentialId: '+/+/', credentialPublicKey: '-_-_', counter: 3, aaguid: 'a', transports: ['usb'] }
    const users = [
      user('anna', {
        credentials: [
          credential('webauthn', {}, data, { userLabel: 'Key' }),
          credential('webauthn-passwordless', {}, data, { id: 'c2', userLabel: 'Phone' }),
        ],
      }),
    ]
    const realm = { users, webAuthnPolicyPasswordlessRpId: 'id.example' }
    const drafts = await readRealm(realm, { oldUrl: 'https://sso.example:8443/' })
    const [key, passkey] = drafts.one('human', 'id-anna').passkeys
    assert.deepEqual([key?.use, key?.rpId, key?.name, key?.signCount], ['second-factor', 'sso.example', 'Key', 3])
    assert.deepEqual([key?.credentialId, key?.publicKey, key?.transports], ['-_-_', '-_-_', ['usb']])
    assert.deepEqual([passkey?.use, passkey?.rpId], ['passkey', 'id.example'])
    await assert.rejects(readRealm(realm), /users\[0\]\.credentials\[0\].*--old-url/)
  })

  test('are linked with providers that are carried, and learn of the others', async () => {
    const federatedIdentities = [
      { identityProvider: 'corp', userId: 'x|1', userName: 'anna@corp' },
      { identityProvider: 'saml', userId: 'y', userName: 'y' },
    ]
    const drafts = await readRealm({
      users: [user('anna', { federatedIdentities })],
      identityProviders: [
        {
          alias: 'corp',
          internalId: 'p1',
          providerId: 'oidc',
          config: { issuer: 'https://c.example', clientId: 'c', clientSecret: 's' },
        },
        { alias: 'saml', internalId: 'p2', providerId: 'saml', config: {} },
      ],
    })
    assert.deepEqual(drafts.one('human', 'id-anna').links, [{ providerId: 'p1', userId: 'x|1', userName: 'anna@corp' }])
    assert.equal(drafts.one('human', 'id-anna').state, 'active')
    assert.match(drafts.reasons('anna'), /“saml”/)
    const provider = drafts.one('identity-provider', 'p1')
    assert.deepEqual([provider.type, provider.clientSecret, provider.values.issuer], ['oidc', 's', 'https://c.example'])
    assert.match(drafts.reasons('saml'), /type saml/)
  })
})

suite('roles', () => {
  const roles = {
    realm: [
      { name: 'employee' },
      { name: 'boss', composite: true, composites: { realm: ['employee', 'loop'], client: { shop: ['edit'] } } },
      { name: 'loop', composite: true, composites: { realm: ['boss'] } },
      { name: 'default-roles-r', composite: true, composites: { realm: ['customer', 'offline_access'] } },
      { name: 'customer' },
      { name: 'offline_access' },
    ],
    client: { shop: [{ name: 'edit', description: 'May edit' }], account: [{ name: 'view-profile' }] },
  }
  const groups = [
    {
      name: 'A',
      path: '/A',
      realmRoles: ['employee'],
      id: 'group-a',
      description: 'All of A',
      attributes: { cost: ['1'], floors: ['2', '3'] },
      subGroups: [{ id: 'group-c', name: 'B/C', path: '/A/B/C', clientRoles: { shop: ['edit'] } }],
    },
  ]

  function keysOf(drafts: Drafts, name: string): readonly string[] | undefined {
    const found = drafts.of('authorization').find(({ userId }) => userId === `id-${name}`)
    return found && [...found.roleKeys].sort()
  }

  test('are those of the user and those inside others', async () => {
    const drafts = await readRealm({
      roles,
      groups,
      users: [
        user('anna', { realmRoles: ['default-roles-r', 'boss'] }),
        user('bert', { groups: ['/A/B/C'] }),
        user('carl', { realmRoles: ['offline_access'], clientRoles: { account: ['view-profile'] } }),
      ],
    })
    assert.deepEqual(keysOf(drafts, 'anna'), ['boss', 'customer', 'employee', 'loop', 'shop:edit'])
    assert.equal(keysOf(drafts, 'bert'), undefined)
    assert.equal(keysOf(drafts, 'carl'), undefined)
    const [project] = drafts.of('project')
    assert.deepEqual(
      project?.roles.map(({ key }) => key),
      ['employee', 'boss', 'loop', 'customer', 'shop:edit'],
    )
    assert.deepEqual(project?.roles.at(-1), { key: 'shop:edit', displayName: 'May edit', group: 'shop' })
    assert.match(drafts.reasons('default-roles-r'), /customer/)
  })

  test('of groups and of the groups above belong to the group, whose members and attributes arrive', async () => {
    const administers = { id: 'group-x', name: 'X', clientRoles: { 'realm-management': ['realm-admin'] } }
    const drafts = await readRealm({
      roles,
      groups: [...groups, administers],
      users: [user('bert', { groups: ['/A/B/C', '/X'], realmRoles: ['customer'] })],
    })
    assert.deepEqual(
      drafts.of('group').map(({ id, name, description }) => [id, name, description]),
      [
        ['group-a', 'A', 'All of A'],
        ['group-c', 'A/B/C', ''],
        ['group-x', 'X', ''],
      ],
    )
    assert.deepEqual(
      drafts.of('group-member').map(({ groupId, userId }) => [groupId, userId]),
      [
        ['group-c', 'id-bert'],
        ['group-x', 'id-bert'],
      ],
    )
    const given = drafts.of('authorization').map(({ groupId, userId, roleKeys }) => [groupId ?? userId, ...roleKeys])
    assert.deepEqual(given, [
      ['group-a', 'employee'],
      ['group-c', 'employee', 'shop:edit'],
      ['id-bert', 'customer'],
    ])
    const entries = drafts.of('group-metadata').map(({ key, value }) => [key, Buffer.from(value, 'base64').toString()])
    assert.deepEqual(entries, [
      ['cost', '1'],
      ['floors', '["2","3"]'],
    ])
    assert.deepEqual(
      drafts.of('administrator').map(({ userId }) => userId),
      ['id-bert'],
    )
    assert.match(drafts.reasons('/X'), /administers nothing/)
  })

  test('of groups that share a path are given to nobody by chance', async () => {
    const drafts = await readRealm({
      groups: [
        { id: 'one', name: 'A', subGroups: [{ id: 'two', name: 'B' }] },
        { id: 'three', name: 'A/B' },
        { id: 'four', name: `${'x'.repeat(150)}`, subGroups: [{ id: 'five', name: 'y'.repeat(100) }] },
      ],
      users: [user('bert', { groups: ['/A/B', '/A'] })],
    })
    const names = new Map(drafts.of('group').map(({ id, name }) => [id, name]))
    assert.deepEqual([names.get('two'), names.get('three')], ['A/B', 'A/B (2)'])
    assert.match(names.get('five') ?? '', /^…x{98}\/y{100}$/)
    assert.deepEqual(
      drafts.of('group-member').map(({ groupId }) => groupId),
      ['one'],
    )
    assert.match(drafts.reasons('/A/B'), /2 groups have this path/)
  })

  test('of the administration make administrators, of the organization or the instance', async () => {
    const realm = {
      roles: {
        client: { 'realm-management': [{ name: 'realm-admin' }, { name: 'manage-users' }, { name: 'view-users' }] },
      },
      users: [
        user('anna', { clientRoles: { 'realm-management': ['realm-admin'] } }),
        user('bert', { clientRoles: { 'realm-management': ['manage-users', 'view-users'] } }),
        user('carl', { clientRoles: { 'realm-management': ['view-users'] } }),
      ],
    }
    const given = (drafts: Drafts) =>
      drafts.of('administrator').map(({ userId, level, roles: held }) => [userId, level, ...held])
    assert.deepEqual(given(await readRealm(realm)), [
      ['id-anna', 'organization', 'ORG_OWNER'],
      ['id-bert', 'organization', 'ORG_USER_MANAGER'],
    ])
    const drafts = await readRealm(realm, { target: 'instance' })
    assert.deepEqual(given(drafts), [
      ['id-anna', 'instance', 'IAM_OWNER'],
      ['id-bert', 'organization', 'ORG_USER_MANAGER'],
    ])
    assert.match(drafts.reasons('carl'), /view-users/)
  })
})
