/** What was closed in a tenant is closed here, and what closes again can be written. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { folderWith } from '../../../../test/support/foreign-exports.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { findApplicationByClientId, matchesApplicationSecret } from '../../../features/applications/index.ts'
import { identityProviders } from '../../../features/identity-providers/index.ts'
import { effectiveSettings } from '../../../features/settings/index.ts'
import { users } from '../../../features/users/index.ts'
import { derivedId } from '../derived-id.ts'
import { runMove } from '../move.ts'
import { openAuth0 } from './source.ts'

const CLIENT = { app_type: 'regular_web', client_secret: 's', callbacks: ['https://a.example/cb'] }
const FILES = {
  users: [{ user_id: 'auth0|1', email: 'anna@a.example', name: 'Anna Arndt' }],
  clients: [
    { ...CLIENT, client_id: 'both', name: 'Both', grant_types: ['authorization_code', 'client_credentials'] },
    { ...CLIENT, client_id: 'none', name: 'None', grant_types: [] },
    { ...CLIENT, client_id: 'implicit', name: 'Implicit', grant_types: ['implicit'] },
    { ...CLIENT, client_id: 'key', name: 'Key', client_authentication_methods: { private_key_jwt: {} } },
    { ...CLIENT, client_id: 'job', name: 'Job', app_type: 'non_interactive', grant_types: ['password'] },
  ],
  connections: [
    {
      id: 'con_db',
      name: 'db',
      strategy: 'auth0',
      options: { passwordPolicy: 'low', disable_self_service_change_password: true },
    },
    {
      id: 'con_1',
      name: 'it',
      strategy: 'waad',
      enabled_clients: [],
      show_as_button: false,
      options: { client_id: 'c', client_secret: 's', tenantId: '1111-2222' },
    },
  ],
}

for (const engine of engines)
  suite(`a tenant that was moved to ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
      const folder = await folderWith(FILES)
      const paths = Object.fromEntries(Object.keys(FILES).map((name) => [name, join(folder, name)]))
      const { kinds, reasons } = await runMove(world.app, await openAuth0({ users: '', name: 'Acme', ...paths }), {
        isQuiet: true,
      })
      assert.deepEqual(
        reasons.filter(({ type }) => type === 'refused'),
        [],
      )
      assert.equal(kinds.application?.carried, 4)
    })
    after(() => world.dispose())

    test('has its applications and providers as they may be used', async () => {
      const state = async (id: string) => {
        const found = (await findApplicationByClientId(world.app, id)) ?? assert.fail(id)
        return [found.state.status, await matchesApplicationSecret(world.app, found, 's')]
      }
      assert.deepEqual(await state('both'), ['active', true])
      for (const id of ['none', 'implicit']) assert.equal((await state(id))[0], 'inactive')
      assert.deepEqual(await state('key'), ['active', false])
      const provider = (await world.store.get(identityProviders, 'con_1'))?.state
      assert.ok(provider?.status === 'inactive')
      assert.deepEqual([provider.options.emailTrust, provider.options.isHidden], ['never', true])
    })

    test('has its machine users and settings', async () => {
      const status = async (name: string) => (await world.store.get(users, `${name}@clients`))?.state.status
      assert.deepEqual([await status('both'), await status('job')], ['active', 'inactive'])
      const { login, passwordPolicy } = await effectiveSettings(world.app, derivedId('auth0 organization', 'Acme'))
      assert.deepEqual([login.allowsPasswordReset, passwordPolicy.minLength], [false, 6])
    })
  })
