import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type Drafts, draftsOf, folderWith } from '../../../../test/support/foreign-exports.ts'
import { openAuth0 } from './source.ts'

const ANNA = {
  user_id: 'auth0|1',
  email: 'anna@a.example',
  name: 'Anna Arndt',
  password_hash: `$2b$10$${'a'.repeat(53)}`,
  identities: [{ connection: 'db', provider: 'auth0', user_id: '1' }],
}
const DB = { id: 'con_db', name: 'db', strategy: 'auth0', enabled_clients: ['app'], options: {} }

async function read(files: { clients?: readonly object[]; connections?: readonly object[] }): Promise<Drafts> {
  const all = { users: [ANNA], ...files }
  const folder = await folderWith(all)
  const paths = Object.fromEntries(Object.keys(all).map((name) => [name, join(folder, name)]))
  return await draftsOf(await openAuth0({ users: '', name: 'Acme', ...paths }))
}

const APP = {
  client_id: 'app',
  name: 'App',
  app_type: 'regular_web',
  client_secret: 's',
  callbacks: ['https://a.example/cb'],
}

async function readApp(more: object) {
  const drafts = await read({ clients: [{ ...APP, ...more }] })
  const app = drafts.one('application', 'app')
  assert.ok(app.config.type === 'oidc')
  return { drafts, app, config: app.config, reasons: drafts.reasons('app') }
}

async function readMachine(more: object) {
  const drafts = await read({ clients: [{ ...APP, app_type: 'non_interactive', ...more }] })
  return { drafts, machine: drafts.one('machine', 'app@clients'), reasons: drafts.reasons('app') }
}

const ONLY_KEY = { client_authentication_methods: { private_key_jwt: { credentials: [{ id: 'cred_1' }] } } }

test('an address with * opens no other ports of this machine', async () => {
  const local = 'http://localhost:3000/cb'
  const star = await readApp({ callbacks: ['https://*.a.example/cb', local] })
  assert.deepEqual([star.config.redirectUris, star.config.developmentMode], [['https://*.a.example/cb'], true])
  assert.match(star.reasons, /localhost:3000\/cb stays behind/)
  const exact = await readApp({ callbacks: ['https://a.example/cb', local] })
  assert.deepEqual(exact.config.redirectUris, ['https://a.example/cb', local])
})

suite('an old secret is not carried where another method is set', () => {
  const METHODS = [
    ONLY_KEY,
    { client_authentication_methods: { tls_client_auth: { credentials: [{ id: 'cred_1' }] } } },
    { client_authentication_methods: { self_signed_tls_client_auth: { credentials: [{ id: 'cred_1' }] } } },
    { client_authentication_methods: { of_tomorrow: {} } },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: 'of_tomorrow' },
  ]

  test('AU3: neither for an application nor for a machine', async () => {
    for (const methods of METHODS) {
      const { app, config, reasons } = await readApp(methods)
      assert.equal(app.secret, undefined)
      assert.notEqual(config.authMethod, 'none')
      assert.match(reasons, /authenticates with/)
      const { machine } = await readMachine(methods)
      assert.equal(machine.secret, undefined)
    }
  })

  test('nor does a native client become public, and a public one has no secret', async () => {
    assert.equal((await readApp({ app_type: 'native', ...ONLY_KEY })).config.authMethod, 'private_key_jwt')
    assert.equal((await readApp({ token_endpoint_auth_method: 'none' })).app.secret, undefined)
  })

  test('AU3: public keys that the file has are carried, unless they have expired', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ format: 'pem', type: 'spki' })
    const withKey = (expires_at?: string) => ({
      client_authentication_methods: {
        private_key_jwt: { credentials: [{ id: 'cred_1', kid: 'k1', pem, expires_at }] },
      },
    })
    const { app, config } = await readApp(withKey())
    assert.deepEqual([config.authMethod, app.keys.map(({ id }) => id)], ['private_key_jwt', ['k1']])
    assert.deepEqual((await readMachine(withKey())).machine.keys.length, 1)
    assert.deepEqual((await readApp(withKey('2020-01-01T00:00:00Z'))).app.keys, [])
  })

  test('a secret stays where a secret is what it uses', async () => {
    for (const more of [
      {},
      { token_endpoint_auth_method: 'client_secret_basic' },
      { client_authentication_methods: {} },
    ])
      assert.deepEqual((await readApp(more)).app.secret, { plain: 's' })
  })
})

suite('a client asks only for what is listed', () => {
  test('AU4: without a code there is none, and with nothing left it is not active', async () => {
    for (const grant_types of [[], ['password'], ['refresh_token'], ['implicit'], ['of_tomorrow']]) {
      const { app, config, reasons } = await readApp({ grant_types })
      assert.equal(app.isActive, false)
      assert.ok(!config.grantTypes.includes('authorization_code') && config.responseTypes.length === 0)
      assert.match(reasons, /not active\. Nothing/)
    }
    const { app, config } = await readApp({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] })
    assert.deepEqual([app.isActive, config.grantTypes], [true, ['device_code']])
    assert.deepEqual((await readApp({ grant_types: ['authorization_code'] })).config.grantTypes, ['authorization_code'])
  })

  test('AU4: a machine without client_credentials is not active', async () => {
    assert.equal((await readMachine({ grant_types: ['password'] })).machine.state, 'inactive')
    assert.equal((await readMachine({ grant_types: [] })).machine.state, 'inactive')
    assert.equal((await readMachine({ grant_types: ['client_credentials'] })).machine.state, 'active')
  })
})

suite('what a client must do, it must do here', () => {
  test('AU5: push its requests and prove its key', async () => {
    const { app, config } = await readApp({
      require_pushed_authorization_requests: true,
      require_proof_of_possession: true,
    })
    assert.deepEqual([app.isActive, config.requirePushedAuthorizationRequests, config.requireDpop], [true, true, true])
    assert.equal((await readMachine({ require_proof_of_possession: true })).machine.state, 'inactive')
  })

  test('AU5: else it is not active', async () => {
    const CLOSING = [
      { organization_usage: 'require' },
      { organization_usage: 'of_tomorrow' },
      { require_proof_of_possession: true, proof_of_possession_mechanism: 'mtls' },
      { compliance_level: 'fapi1_adv_mtls_par' },
      { signed_request_object: { required: true } },
      { only_on_mondays: true },
      { jwt_configuration: { only_for: 'x' } },
    ]
    for (const more of CLOSING) {
      const { app, reasons } = await readApp(more)
      assert.equal(app.isActive, false, JSON.stringify(more))
      assert.match(reasons, /not active/)
    }
    for (const organization_usage of ['deny', 'allow']) assert.ok((await readApp({ organization_usage })).app.isActive)
  })

  test('AU5: lifetimes are reported', async () => {
    const { app, reasons } = await readApp({
      jwt_configuration: { lifetime_in_seconds: 300 },
      refresh_token: { rotation_type: 'rotating', idle_token_lifetime: 1296 },
    })
    assert.ok(app.isActive)
    assert.match(reasons, /300 s/)
    assert.match(reasons, /1296 s/)
  })
})

suite('a database connection', () => {
  const complexity = (drafts: Drafts) =>
    drafts.of('settings').flatMap((one) => (one.section === 'passwordComplexity' ? [one.values] : []))

  test('AU6: has the length of its passwords here, and the rest is reported', async () => {
    const options = {
      passwordPolicy: 'good',
      password_complexity_options: { min_length: 14 },
      password_history: { enable: true, size: 5 },
      mfa: { active: true, return_enroll_settings: true },
      disable_signup: true,
    }
    const drafts = await read({ connections: [{ ...DB, options }] })
    assert.deepEqual(
      complexity(drafts).map(({ minLength }) => minLength),
      [14],
    )
    for (const expected of [/three of the four/, /password_history/, /second factor/])
      assert.match(drafts.reasons('db'), expected)
    const fair = complexity(await read({ connections: [{ ...DB, options: { passwordPolicy: 'fair' } }] }))
    assert.deepEqual(fair, [
      { minLength: 8, needsUppercase: true, needsLowercase: true, needsNumber: true, needsSymbol: false },
    ])
    assert.deepEqual(complexity(await read({ connections: [DB] })), [])
  })

  test('that nobody can use gives nobody a password; one for some applications closes the others', async () => {
    for (const closed of [{ enabled_clients: [] }, { authentication: { active: false } }]) {
      const drafts = await read({ connections: [{ ...DB, ...closed }], clients: [APP] })
      assert.equal(drafts.one('human', 'auth0|1').password, undefined)
      assert.match(drafts.reasons('auth0|1'), /nobody can sign in with the database/)
    }
    const drafts = await read({ connections: [DB], clients: [APP, { ...APP, client_id: 'staff', name: 'Staff' }] })
    assert.ok(drafts.one('human', 'auth0|1').password)
    assert.deepEqual(
      drafts.of('application').map(({ id, isActive }) => [id, isActive]),
      [
        ['app', true],
        ['staff', false],
      ],
    )
  })

  test('whose users cannot choose a new password themselves: they cannot here', async () => {
    const options = { disable_self_service_change_password: true }
    const [login] = (await read({ connections: [{ ...DB, options }] })).of('settings')
    assert.deepEqual(login?.values, { allowsPasswordReset: false })
  })
})

test('AU7: a client that signs users in and gets tokens for itself is an application and a machine user', async () => {
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials']
  const { drafts, app, config } = await readApp({ grant_types })
  assert.deepEqual(config.grantTypes, ['authorization_code', 'refresh_token'])
  const machine = drafts.one('machine', 'app@clients')
  assert.deepEqual([machine.state, machine.userName, machine.secret], ['active', 'app@clients', app.secret])
  // Who cannot prove who it is gets no tokens for itself.
  const { drafts: none } = await readApp({ grant_types, token_endpoint_auth_method: 'none' })
  assert.deepEqual(none.of('machine'), [])
})

suite('a connection', () => {
  const google = { id: 'con_1', name: 'g', strategy: 'google-oauth2', enabled_clients: ['app'] }
  const provider = async (connection: object) => {
    const options = { client_id: 'c', client_secret: 's' }
    const one = { ...google, options, ...connection }
    const drafts = await read({ clients: [APP], connections: [one] })
    return { drafts, provider: drafts.of('identity-provider')[0], reasons: drafts.reasons('g') }
  }
  const options = (more: object) => ({ options: { client_id: 'c', client_secret: 's', ...more } })

  test('AU8: changes users at their sign-in only where it did', async () => {
    const updates = async (set_user_root_attributes?: string) =>
      (await provider(options({ set_user_root_attributes }))).provider?.values.options.isAutoUpdate
    assert.deepEqual(await Promise.all([undefined, 'on_each_login', 'on_first_login', 'never_on_login'].map(updates)), [
      true,
      true,
      false,
      false,
    ])
  })

  test('with a member that nobody knows is not active', async () => {
    for (const more of [
      { only_for: ['x'] },
      options({ hosted_domain: 'corp.example' }),
      { authentication: { active: true, only: 1 } },
    ]) {
      const { provider: found, reasons } = await provider(more)
      assert.equal(found?.isActive, false)
      assert.match(reasons, /not active\. .*is not known/)
    }
    assert.equal((await provider(options({ email: true, profile: true, calendar: false }))).provider?.isActive, true)
  })

  test('that would lead to another server stays behind, as do links by another identifier', async () => {
    const oidc = {
      strategy: 'oidc',
      ...options({ issuer: 'https://id.example', authorization_endpoint: 'https://evil.example/a' }),
    }
    assert.equal((await provider(oidc)).provider, undefined)
    const waad = (userid_attribute?: string) =>
      provider({ strategy: 'waad', ...options({ tenantId: 't', userid_attribute }) })
    assert.match((await waad('oid')).reasons, /links stay behind/)
    assert.match((await waad()).reasons, /links stay behind/)
    assert.doesNotMatch((await waad('sub')).reasons, /links stay behind/)
  })

  test('of Microsoft says whether its addresses are verified', async () => {
    const trust = async (should_trust_email_verified_connection?: string) =>
      (await provider({ strategy: 'waad', ...options({ tenantId: 't', should_trust_email_verified_connection }) }))
        .provider?.values.options.emailTrust
    assert.deepEqual(
      await Promise.all([undefined, 'never_set_emails_as_verified', 'always_set_emails_as_verified'].map(trust)),
      ['never', 'never', 'always'],
    )
  })
})
