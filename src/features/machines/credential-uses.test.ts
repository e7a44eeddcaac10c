import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { lastUseOf, noteCredentialUse, storeCredentialUses } from './credential-uses.ts'

const HOUR = 3_600_000

for (const engine of engines) {
  suite(`the last use of tokens and keys on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const tokensOf = async (userId: string) => {
      const filters = [{ filter: { case: 'userIdFilter', value: { id: userId } } as const }]
      return (await world.call(UserService.method.listPersonalAccessTokens, { filters }, world.owner)).result
    }
    const ownToken = async () => (await tokensOf(world.machineAdministratorId))[0]
    const lastUse = async () => {
      const time = (await ownToken())?.lastUsedDate
      return time && timestampMs(time)
    }
    const noted = async () => {
      const events = await world.store.events({ types: ['personal_access_token.used.v1'], limit: 10 })
      return events.length
    }

    test('is shown at once, to the hour, and not for a token that nobody used', async () => {
      const start = world.clock.now
      assert.equal(await lastUse(), start)
      world.clock.now = instant(start + HOUR / 2)
      assert.equal(await lastUse(), start)
      world.clock.now = instant(start + HOUR)
      assert.equal(await lastUse(), start + HOUR)
      const { userId } = await world.addMachine()
      const { tokenId } = await world.call(ManagementService.method.addPersonalAccessToken, { userId }, world.owner)
      assert.equal((await tokensOf(userId)).find(({ id }) => id === tokenId)?.lastUsedDate, undefined)
    })

    test('is stored once a day, for all nodes', async () => {
      const { id = '', changeDate } = (await ownToken()) ?? {}
      const other = await world.another()
      assert.equal(await lastUseOf(other.app, { type: 'token', id }), undefined)
      assert.equal(await noted(), 0)
      const used = world.clock.now
      await storeCredentialUses(world.app)
      await storeCredentialUses(world.app)
      assert.equal(await lastUseOf(other.app, { type: 'token', id }), used)
      world.clock.now = instant(used + 23 * HOUR)
      await lastUse()
      await storeCredentialUses(world.app)
      assert.equal(await noted(), 1)
      world.clock.now = instant(used + 24 * HOUR)
      await lastUse()
      await storeCredentialUses(world.app)
      assert.equal(await noted(), 2)
      assert.equal(await lastUseOf(other.app, { type: 'token', id }), used + 24 * HOUR)
      // The use of a token is no change of it.
      assert.deepEqual((await ownToken())?.changeDate, changeDate)
    })

    test('of keys is stored in the same way, and apart from tokens', async () => {
      const key = { type: 'key', id: world.app.newId() } as const
      const organizationId = world.defaultOrganizationId
      const used = world.clock.now
      for (const at of [used, instant(used + HOUR)]) {
        noteCredentialUse(world.app, { ...key, organizationId }, at)
        await storeCredentialUses(world.app)
      }
      const other = await world.another()
      assert.equal(await lastUseOf(world.app, key), used + HOUR)
      assert.equal(await lastUseOf(other.app, key), used)
      assert.equal(await lastUseOf(world.app, { ...key, type: 'token' }), undefined)
      assert.equal((await world.store.events({ types: ['machine_key.used.v1'], limit: 10 })).length, 1)
    })
  })
}
