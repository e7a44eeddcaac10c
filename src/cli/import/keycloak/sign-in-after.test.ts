/** What a realm has signs in here: a password, an authenticator app, the secret of a client and that of a service account. */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { SessionService } from '../../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { bothEngines } from '../../../../test/support/engines.ts'
import { client, credential, folderWith, user } from '../../../../test/support/foreign-exports.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { encodeBase32 } from '../../../crypto/base32.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { findApplicationByClientId, matchesApplicationSecret } from '../../../features/applications/index.ts'
import { findMachineSecret } from '../../../features/machines/index.ts'
import { runMove } from '../move.ts'
import { openKeycloak } from './source.ts'

const PASSWORD = 'Throw-away 1!'
const OTP = 'abcdefghij0123456789'

function passwordCredential() {
  const salt = Buffer.from('salt of a password')
  const value = pbkdf2Sync(PASSWORD, salt, 1000, 64, 'sha512').toString('base64')
  const secret = { value, salt: salt.toString('base64') }
  return credential('password', secret, { algorithm: 'pbkdf2-sha512', hashIterations: 1000 })
}

const REALM = {
  id: '5a000000-0000-4000-8000-000000000001',
  realm: 'r',
  roles: { realm: [{ name: 'employee' }] },
  clients: [
    client('shop', { redirectUris: ['https://shop.example/cb'] }),
    client('job', { serviceAccountsEnabled: true, standardFlowEnabled: false }),
  ],
  users: [
    user('anna', {
      realmRoles: ['employee'],
      credentials: [
        passwordCredential(),
        credential('otp', { value: OTP }, { subType: 'totp', digits: 6, period: 30 }),
      ],
    }),
    user('bert', { enabled: false, credentials: [passwordCredential()] }),
    user('service-account-job', { serviceAccountClientId: 'job' }),
  ],
}

for (const engine of bothEngines)
  suite(`a realm that was moved to ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
      const path = await folderWith({ 'r-realm.json': REALM })
      const source = await openKeycloak({ path, target: 'organization' })
      const { kinds } = await runMove(world.app, source, { isQuiet: true })
      assert.deepEqual(
        Object.values(kinds).filter(({ refused }) => refused > 0),
        [],
      )
      assert.equal(kinds.authorization?.carried, 1)
    })
    after(() => world.dispose())

    const signIn = (loginName: string, password: string, code?: string) =>
      world.call(
        SessionService.method.createSession,
        {
          checks: {
            user: { search: { case: 'loginName', value: loginName } },
            password: { password },
            ...(code !== undefined && { totp: { code } }),
          },
        },
        world.owner,
      )

    test('signs people in with their password and app, and nobody else', async () => {
      const step = totpStep(world.clock.now)
      const code = (at: number) => totpCode(encodeBase32(Buffer.from(OTP)), at)
      await signIn('anna', PASSWORD, code(step))
      await assert.rejects(signIn('anna', `${PASSWORD}x`))
      await assert.rejects(signIn('anna', PASSWORD, code(step + 1000)))
      await assert.rejects(signIn('bert', PASSWORD))
    })

    test('knows its clients by their IDs and secrets', async () => {
      const { app } = world
      const shop = (await findApplicationByClientId(app, 'shop')) ?? assert.fail('no application')
      assert.equal(await matchesApplicationSecret(app, shop, 's-shop'), true)
      assert.equal(await matchesApplicationSecret(app, shop, 's-job'), false)
      assert.ok(await findMachineSecret(app, 'id-service-account-job', 's-job'))
      assert.equal(await findMachineSecret(app, 'id-service-account-job', 's-shop'), undefined)
    })
  })
