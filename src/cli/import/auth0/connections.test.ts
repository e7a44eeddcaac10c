import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type Drafts, draftsOf, folderWith } from '../../../../test/support/foreign-exports.ts'
import { openAuth0 } from './source.ts'

const CLIENTS = [
  { client_id: 'web', name: 'Web', app_type: 'regular_web', client_secret: 's1' },
  { client_id: 'spa', name: 'Spa', app_type: 'spa', token_endpoint_auth_method: 'none' },
  { client_id: 'job', name: 'Job', app_type: 'non_interactive', client_secret: 's2' },
  { client_id: 'all', name: 'All Applications', global: true },
]

const LINKED = {
  user_id: 'auth0|1',
  email: 'anna@a.example',
  name: 'Anna Arndt',
  identities: [{ connection: 'it', provider: 'waad', user_id: 'x' }],
}

async function readConnection(connection: object, more: { clients?: readonly object[] } = { clients: CLIENTS }) {
  const files = { users: [LINKED], connections: [{ id: 'con_1', name: 'it', enabled_clients: [], ...connection }] }
  const folder = await folderWith({ ...files, ...more })
  const paths = Object.fromEntries(Object.keys({ ...files, ...more }).map((name) => [name, join(folder, name)]))
  return await draftsOf(await openAuth0({ users: '', name: 'Acme', ...paths }))
}

function isActive(drafts: Drafts): boolean {
  return drafts.one('identity-provider', 'con_1').isActive
}

const GOOGLE = { strategy: 'google-oauth2', options: { client_id: 'c', client_secret: 's' } }

suite('a connection is active only if all applications of the tenant could use it', () => {
  test('AU1: nobody could: it is inactive', async () => {
    const drafts = await readConnection({ ...GOOGLE, enabled_clients: [] })
    assert.equal(isActive(drafts), false)
    assert.match(drafts.reasons('it'), /not active\. No application of the tenant can use it/)
  })

  test('AU1: some could: it is inactive, because here it would be for all', async () => {
    for (const enabled_clients of [['web'], ['web', 'job', 'all']]) {
      const drafts = await readConnection({ ...GOOGLE, enabled_clients })
      assert.equal(isActive(drafts), false)
      assert.match(drafts.reasons('it'), /not active\. .*only by some.*not by spa;.*all applications/)
    }
  })

  test('all that sign users in could: it is active, without a remark', async () => {
    const drafts = await readConnection({ ...GOOGLE, enabled_clients: ['web', 'spa', 'gone'] })
    assert.equal(isActive(drafts), true)
    assert.equal(drafts.reasons('it'), '')
  })

  test('the files do not say: it is inactive', async () => {
    const unknown = [
      await readConnection({ ...GOOGLE, enabled_clients: undefined }),
      await readConnection({ ...GOOGLE, enabled_clients: ['web'] }, {}),
    ]
    for (const drafts of unknown) {
      assert.equal(isActive(drafts), false)
      assert.match(drafts.reasons('it'), /not active\. The files do not say/)
    }
  })

  test('AU1: its sign-in is disabled: it is inactive', async () => {
    const drafts = await readConnection({
      ...GOOGLE,
      enabled_clients: ['web', 'spa'],
      authentication: { active: false },
    })
    assert.equal(isActive(drafts), false)
    assert.match(drafts.reasons('it'), /not active\. .*disabled/)
  })
})

suite('a company connection of Microsoft is of its tenant only', () => {
  const read = (options: object) =>
    readConnection({
      strategy: 'waad',
      enabled_clients: ['web', 'spa'],
      options: { client_id: 'c', client_secret: 's', userid_attribute: 'sub', ...options },
    })

  const TENANTS = [
    [{ tenantId: '1111-2222' }, '1111-2222'],
    [{ domain: 'corp.example' }, 'corp.example'],
    [{ tenant_domain: 'corp.example' }, 'corp.example'],
    [{ tenant_domain: 'corp.example', tenantId: '1111-2222', domain: 'other.example' }, '1111-2222'],
    [{ tenant_domain: '', tenantId: '', domain: 'corp.example' }, 'corp.example'],
    [{ tenant_domain: 'common', domain: 'corp.example' }, 'corp.example'],
  ] as const

  test('AU2: named by its ID or a domain', async () => {
    for (const [options, tenant] of TENANTS) {
      const provider = (await read(options)).one('identity-provider', 'con_1')
      assert.equal(provider.values.tenant, tenant)
      assert.equal(provider.isActive, true)
    }
  })

  test('AU2: without a tenant it is left behind with its links', async () => {
    for (const options of [{}, { useCommonEndpoint: true }, { tenant_domain: 'organizations' }, { tenantId: '' }]) {
      const drafts = await read(options)
      assert.deepEqual(drafts.of('identity-provider'), [])
      assert.deepEqual(drafts.one('human', 'auth0|1').links, [])
      assert.match(drafts.reasons('it'), /tenant of Microsoft/)
    }
  })

  test('AU2: where every tenant could sign in, only its own can, and the report says so', async () => {
    for (const name of ['useCommonEndpoint', 'use_common_endpoint', 'waad_common_endpoint']) {
      const drafts = await read({ tenant_domain: 'corp.example', [name]: true })
      assert.equal(drafts.one('identity-provider', 'con_1').values.tenant, 'corp.example')
      assert.match(drafts.reasons('it'), /all tenants.*only accounts of its own/)
    }
  })
})
