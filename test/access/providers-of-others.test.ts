/** Nobody starts sign-ins at the provider of an organization that they have nothing to do with. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../support/small-world.ts'

const BOSS = { bearer: 'boss' }
const URLS = { successUrl: 'https://app.example/yes', failureUrl: 'https://app.example/no' }
const GATE = {
  name: 'Gate',
  issuer: 'https://gate.example',
  jwtEndpoint: 'https://gate.example/in',
  keysEndpoint: 'https://gate.example/keys',
  headerName: 'x-token',
  audience: 'signet',
}
const DIRECTORY = {
  name: 'Directory',
  servers: ['ldap://directory.invalid'],
  baseDn: 'dc=corp,dc=example',
  bindDn: 'cn=reader',
  bindPassword: 'secret',
  userBase: 'dn',
  userObjectClasses: ['user'],
  userFilters: ['uid'],
  timeout: { seconds: 1n },
  attributes: { idAttribute: 'uid' },
}

for (const engine of engines) {
  suite(`providers of others on ${engine.name}`, () => {
    let world: SmallWorld
    let ofNorth: string
    let ofInstance: string
    let directory: string

    before(async () => {
      world = await openSmallWorld(engine)
      const inNorth = { ...BOSS, organizationId: 'north' }
      ofNorth = (await world.call(ManagementService.method.addJWTProvider, GATE, inNorth)).id
      directory = (await world.call(ManagementService.method.addLDAPProvider, DIRECTORY, inNorth)).id
      ofInstance = (await world.call(AdminService.method.addJWTProvider, GATE, BOSS)).id
    })
    after(() => world.dispose())

    const start = (bearer: string, idpId: string) =>
      world.call(
        UserService.method.startIdentityProviderIntent,
        { idpId, content: { case: 'urls', value: URLS } },
        { bearer },
      )
    const tryPassword = (bearer: string, idpId: string) =>
      world.call(
        UserService.method.startIdentityProviderIntent,
        { idpId, content: { case: 'ldap', value: { username: 'chief', password: 'guess' } } },
        { bearer },
      )

    test('are started by nobody of another organization, not even by its owner, and nothing is written', async () => {
      const { length } = await world.store.events({ owner: 'north', limit: 1000 })
      await isRefused(start('south', ofNorth), 'intent.provider_not_found')
      await isRefused(tryPassword('south', directory), 'intent.provider_not_found')
      await isRefused(tryPassword('south', 'none'), 'intent.provider_not_found')
      assert.equal((await world.store.events({ owner: 'north', limit: 1000 })).length, length)
    })

    for (const bearer of ['nobody', 'north', 'viewer', 'login', 'boss']) {
      test(`are started by ${bearer}, of the organization or with a role there`, async () => {
        const { nextStep } = await start(bearer, ofNorth)
        assert.equal(nextStep.case, 'authUrl')
      })
    }

    test('of the instance are started by everybody', async () => {
      for (const bearer of ['south', 'nobody', 'login']) await start(bearer, ofInstance)
    })
  })
}
