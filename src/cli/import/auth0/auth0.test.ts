import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Drafts, draftsOf, folderWith } from '../../../../test/support/foreign-exports.ts'
import { CannotImport } from '../import.ts'
import { openAuth0 } from './source.ts'

const BCRYPT = `$2b$10$${'a'.repeat(53)}`

function lines(...objects: readonly object[]): string {
  return objects.map((one) => `${JSON.stringify(one)}\n`).join('')
}

type Files = Readonly<Record<'users' | 'clients' | 'connections' | 'hashes' | 'factors', unknown>>

async function readTenant(files: Partial<Files>): Promise<Drafts> {
  const folder = await folderWith(files)
  const paths = Object.fromEntries(Object.keys(files).map((name) => [name, join(folder, name)]))
  return draftsOf(await openAuth0({ users: '', name: 'Acme', ...paths }))
}

const ANNA = {
  user_id: 'auth0|5f1',
  email: 'anna@a.example',
  email_verified: true,
  given_name: 'Anna',
  family_name: 'Arndt',
  created_at: '2020-01-02T03:04:05.000Z',
  identities: [{ connection: 'db', provider: 'auth0', user_id: '5f1', isSocial: false }],
}

suite('users of Auth0', () => {
  test('of an export job keep their ID, names, address, dates, state and metadata', async () => {
    const drafts = await readTenant({
      users: lines(
        { ...ANNA, user_metadata: { color: 'red' }, app_metadata: {}, picture: 'https://p.example/a.png' },
        { user_id: 'auth0|2', username: 'bert', email: 'bert@a.example', nickname: 'Bertie', blocked: true },
        { user_id: 'sms|3', phone_number: '+41791234567', phone_verified: true, name: 'Carla Di Rossi' },
      ),
    })
    const anna = drafts.one('human', 'auth0|5f1')
    assert.deepEqual([anna.userName, anna.email?.isVerified], ['anna@a.example', true])
    assert.equal(anna.createdAt, Date.parse('2020-01-02T03:04:05Z'))
    assert.equal(anna.state, 'initial')
    assert.match(drafts.reasons('auth0|5f1'), /nothing to sign in with/)
    const bert = drafts.one('human', 'auth0|2')
    assert.deepEqual([bert.userName, bert.state, bert.profile.firstName], ['bert', 'inactive', 'Bertie'])
    assert.match(drafts.reasons('auth0|2'), /name is missing/)
    const carla = drafts.one('human', 'sms|3')
    assert.deepEqual([carla.profile.firstName, carla.profile.lastName], ['Carla', 'Di Rossi'])
    assert.deepEqual(carla.phone, { number: '+41791234567', isVerified: true })
    const kept = drafts.of('metadata').map(({ key, value }) => [key, Buffer.from(value, 'base64').toString()])
    assert.deepEqual(kept, [
      ['user_metadata', '{"color":"red"}'],
      ['picture', 'https://p.example/a.png'],
    ])
  })

  test('get their password from the file of hashes, by ID or the other ID', async () => {
    const drafts = await readTenant({
      users: lines(
        ANNA,
        { ...ANNA, user_id: 'auth0|alt', email: 'b@a.example' },
        { ...ANNA, user_id: 'auth0|9', email: 'c@a.example' },
      ),
      hashes: lines(
        { _id: { $oid: '5f1' }, email: 'anna@a.example', passwordHash: BCRYPT, connection: 'db' },
        { _ID: { $oid: '777' }, alt_id: 'alt', passwordHash: BCRYPT },
      ),
    })
    assert.deepEqual(
      drafts.of('human').map(({ password }) => password?.hash),
      [BCRYPT, BCRYPT, undefined],
    )
    assert.equal(drafts.one('human', 'auth0|5f1').state, 'active')
  })

  test('can come from the file of hashes alone, or packed', async () => {
    const text = lines({
      _id: { $oid: '5f1' },
      email: 'anna@a.example',
      email_verified: true,
      passwordHash: BCRYPT,
      password_set_date: { $date: '2021-01-01T00:00:00Z' },
    })
    const folder = await folderWith({})
    const users = join(folder, 'users.json.gz')
    await writeFile(users, gzipSync(text))
    const source = await openAuth0({ users, name: 'Acme' })
    const drafts = new Drafts(await Array.fromAsync(source.read()))
    const anna = drafts.one('human', 'auth0|5f1')
    assert.deepEqual([anna.userName, anna.password?.hash], ['anna@a.example', BCRYPT])
    assert.equal(anna.password?.changedAt, Date.parse('2021-01-01T00:00:00Z'))
  })

  const CUSTOM = [
    [{ algorithm: 'bcrypt', hash: { value: BCRYPT } }, BCRYPT],
    [
      { algorithm: 'argon2', hash: { value: '$argon2id$v=19$m=8192,t=1,p=1$c2FsdA$aGFzaA' } },
      '$argon2id$v=19$m=8192,t=1,p=1$c2FsdA$aGFzaA',
    ],
    [
      { algorithm: 'pbkdf2', hash: { value: '$pbkdf2-sha512$i=100000,l=64$c2FsdA$aGFzaA==', encoding: 'utf8' } },
      '$pbkdf2-sha512$100000$c2FsdA$aGFzaA',
    ],
    [
      {
        algorithm: 'scrypt',
        cost: 16384,
        hash: { value: 'aa55', encoding: 'hex' },
        salt: { value: 'ab', encoding: 'utf8' },
      },
      '$scrypt$ln=14,r=8,p=1$YWI$qlU',
    ],
    [{ algorithm: 'md5', hash: { value: 'A'.repeat(32), encoding: 'hex' } }, 'a'.repeat(32)],
    [{ algorithm: 'hmac', hash: { value: 'x', digest: 'sha1' } }, undefined],
    [{ algorithm: 'sha1', hash: { value: 'x' }, salt: { value: 'y', position: 'prefix' } }, undefined],
  ] as const

  test('in the schema of imports keep hashes of their own and second factors', async () => {
    for (const [custom_password_hash, expected] of CUSTOM) {
      const mfa_factors = [{ totp: { secret: 'JBSWY3DPEHPK3PXP' } }, { phone: { value: '+41791234567' } }]
      const drafts = await readTenant({
        users: [{ user_id: '7', email: 'a@a.example', custom_password_hash, mfa_factors }],
      })
      const user = drafts.one('human', 'auth0|7')
      assert.equal(user.password?.hash, expected)
      assert.deepEqual([user.totpSecret, user.otpSms, user.otpEmail], ['JBSWY3DPEHPK3PXP', true, false])
      if (expected === undefined) assert.match(drafts.reasons('auth0|7'), /password stays behind/)
    }
    const drafts = await readTenant({ users: [{ email: 'a@a.example', password_hash: BCRYPT }] })
    const [user] = drafts.of('human')
    assert.equal(user?.password?.hash, BCRYPT)
    assert.match(drafts.reasons(user?.id ?? ''), /no ID/)
  })

  test('are linked with the connections of the tenant, and keep secrets of authenticator apps', async () => {
    const identities = [
      { connection: 'google-oauth2', provider: 'google-oauth2', user_id: '109', isSocial: true },
      { connection: 'corp', provider: 'samlp', user_id: 'x' },
      { connection: 'github', provider: 'github', user_id: 42 },
    ]
    const options = { client_id: 'c', client_secret: 's' }
    const drafts = await readTenant({
      users: lines({ ...ANNA, user_id: 'google-oauth2|109', identities }),
      connections: [
        { id: 'con_1', name: 'google-oauth2', strategy: 'google-oauth2', options },
        { id: 'con_2', name: 'corp', strategy: 'samlp', options: {} },
        { id: 'con_3', name: 'github', strategy: 'github', options },
        { id: 'con_4', name: 'db', strategy: 'auth0', options: {} },
      ],
      factors: lines({ user_id: 'google-oauth2|109', otp_secret: 'JBSWY3DPEHPK3PXP', tenant: 't' }),
    })
    const anna = drafts.one('human', 'google-oauth2|109')
    assert.deepEqual(
      anna.links.map(({ providerId, userId }) => [providerId, userId]),
      [
        ['con_1', '109'],
        ['con_3', '42'],
      ],
    )
    assert.equal(anna.totpSecret, 'JBSWY3DPEHPK3PXP')
    assert.match(drafts.reasons('google-oauth2|109'), /“corp”/)
    assert.deepEqual(
      drafts.of('identity-provider').map(({ type, clientSecret }) => [type, clientSecret]),
      [
        ['google', 's'],
        ['github', 's'],
      ],
    )
    assert.match(drafts.reasons('corp'), /samlp/)
  })
})

test('applications of Auth0 keep their IDs, secrets and addresses; those for machines become machine users', async () => {
  const clients = [
    {
      client_id: 'web',
      name: 'Web',
      app_type: 'regular_web',
      client_secret: 's1',
      callbacks: ['https://w.example/cb'],
      allowed_logout_urls: ['https://w.example/'],
      is_first_party: false,
      jwt_configuration: { alg: 'HS256' },
    },
    {
      client_id: 'spa',
      name: 'web',
      app_type: 'spa',
      token_endpoint_auth_method: 'none',
      callbacks: ['https://*.s.example/cb', '*'],
      web_origins: ['https://o.example'],
      grant_types: ['implicit', 'refresh_token'],
    },
    { client_id: 'job', name: 'Job', app_type: 'non_interactive', client_secret: 's2' },
    { client_id: 'all', name: 'All Applications', global: true },
  ]
  for (const form of [clients, JSON.stringify({ total: 4, start: 0, clients }, null, 2)]) {
    const drafts = await readTenant({ users: lines(ANNA), clients: form })
    const web = drafts.one('application', 'web')
    assert.ok(web.config.type === 'oidc')
    assert.deepEqual(
      [web.clientId, web.secret, web.config.authMethod, web.config.isThirdParty],
      ['web', { plain: 's1' }, 'post', true],
    )
    assert.match(drafts.reasons('web'), /RS256/)
    const spa = drafts.one('application', 'spa')
    assert.ok(spa.config.type === 'oidc')
    assert.deepEqual(
      [spa.name, spa.config.redirectUris, spa.config.developmentMode],
      ['web (spa)', ['https://*.s.example/cb'], true],
    )
    assert.deepEqual(
      [spa.config.authMethod, spa.config.applicationType, spa.config.additionalOrigins],
      ['none', 'user_agent', ['https://o.example']],
    )
    for (const expected of [/implicit/, /address \* cannot/, /development mode/])
      assert.match(drafts.reasons('spa'), expected)
    const job = drafts.one('machine', 'job@clients')
    assert.deepEqual([job.userName, job.secret], ['job', { plain: 's2' }])
    assert.equal(drafts.of('application').length, 2)
  }
})

test('files of Auth0 that cannot be read are refused before anything is written, with file and line', async () => {
  const CASES: readonly (readonly [Partial<Files>, RegExp])[] = [
    [{ users: '' }, /users is empty/],
    [{ users: `${lines(ANNA)}{"user_id":"auth0|2","email":` }, /users is not valid JSON, in line 2/],
    [{ users: '[{"email":"a@a.example"},{"email"' }, /users is not complete.*\[1\]/],
    [{ users: lines({ user_id: 'auth0|1', email: 7 }) }, /users: line 1\.email must be a text/],
    [{ users: lines({ name: 'Nobody' }) }, /users: line 1\.user_id must be there, or email/],
    [{ users: lines({ ...ANNA, created_at: 'yesterday' }) }, /line 1\.created_at must be a date/],
    [{ users: lines(ANNA), clients: [{ name: 'x' }] }, /clients: \[0\]\.client_id must be/],
    [{ users: lines(ANNA), hashes: lines({ passwordHash: BCRYPT }) }, /hashes: line 1\._id must be there/],
  ]
  for (const [files, expected] of CASES)
    await assert.rejects(
      readTenant(files),
      (error: unknown) => error instanceof CannotImport && expected.test(error.message),
    )
  await assert.rejects(openAuth0({ users: '/nowhere/users.json', name: 'x' }), /\/nowhere\/users\.json does not exist/)
})
