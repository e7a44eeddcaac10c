import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { PersonalAccessTokensSearchFilterSchema } from '../../../contract/gen/signet/user/v2/machine_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'

type TokenFilter = MessageInitShape<typeof PersonalAccessTokensSearchFilterSchema>

const v2 = UserService.method
const asNorth = { bearer: 'north' }
const asSouth = { bearer: 'south' }
const tomorrow = timestampFromMs(NOON + 86_400_000)

for (const engine of bothEngines) {
  suite(`lists of tokens and keys on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const newMachine = async () => {
      const { addMachineUser } = ManagementService.method
      return (await world.call(addMachineUser, { userName: 'robot', name: 'Robot', userId: 'robot' }, asNorth)).userId
    }

    test('are filtered, sorted and paged', async () => {
      const userId = await newMachine()
      const ids: string[] = []
      for (const offset of [3, 1, 2]) {
        world.clock.now = instant(NOON + ids.length)
        const expirationDate = timestampFromMs(NOON + offset * 1000)
        ids.push((await world.call(v2.addPersonalAccessToken, { userId, expirationDate }, asNorth)).tokenId)
      }
      world.clock.now = NOON
      const ofUser = { filter: { case: 'userIdFilter', value: { id: userId } } } as const
      const list = async (...filters: readonly TokenFilter[]) => {
        const request = { filters: [ofUser, ...filters], sortingColumn: 5 as const, pagination: { asc: true } }
        const { result } = await world.call(v2.listPersonalAccessTokens, request, asNorth)
        return result.map(({ id }) => ids.indexOf(id)).join('')
      }
      assert.equal(await list(), '120')
      assert.equal(await list({ filter: { case: 'tokenIdFilter', value: { id: ids.at(-1) ?? '' } } }), '2')
      assert.equal(await list({ filter: { case: 'organizationIdFilter', value: { id: 'south' } } }), '')
      const { EQUALS, AFTER, AFTER_OR_EQUALS, BEFORE, BEFORE_OR_EQUALS } = TimestampFilterMethod
      const expiring = (method: TimestampFilterMethod): TokenFilter => ({
        filter: { case: 'expirationDateFilter', value: { timestamp: timestampFromMs(NOON + 2000), method } },
      })
      assert.equal(await list(expiring(EQUALS)), '2')
      assert.equal(await list(expiring(AFTER)), '0')
      assert.equal(await list(expiring(AFTER_OR_EQUALS)), '20')
      assert.equal(await list(expiring(BEFORE)), '1')
      assert.equal(await list(expiring(BEFORE_OR_EQUALS)), '12')
      const created = { timestamp: timestampFromMs(NOON + 1), method: AFTER }
      assert.equal(await list({ filter: { case: 'createdDateFilter', value: created } }), '2')
      const farAway = { timestamp: { seconds: 2n ** 62n, nanos: 0 }, method: BEFORE }
      assert.equal(await list({ filter: { case: 'createdDateFilter', value: farAway } }), '120')
      await isRefused(list({ filter: { case: 'createdDateFilter', value: {} } }), 'machine.query_invalid', 'filters')

      const page = await world.call(
        v2.listPersonalAccessTokens,
        { filters: [ofUser], pagination: { offset: 1n, limit: 1, asc: true } },
        asNorth,
      )
      assert.deepEqual([page.pagination?.totalResult, page.pagination?.appliedLimit], [3n, 1n])
      assert.equal(page.result[0]?.id, ids[1])
      assert.equal(page.result[0]?.userId, userId)
      assert.equal(page.result[0]?.organizationId, 'north')
      const first = await world.call(v2.listPersonalAccessTokens, { filters: [ofUser] }, asNorth)
      assert.equal(first.pagination?.appliedLimit, 100n)
      assert.equal(first.result[0]?.id, ids[2])
    })

    test('show what the caller may see, and always what is one’s own', async () => {
      const machine = { case: 'machine', value: { name: 'N' } } as const
      await world.call(
        v2.createUser,
        { organizationId: 'north', userId: 'nobody', userType: machine },
        { bearer: 'boss' },
      )
      const asNoRole = { bearer: 'nobody' }
      const { keyId } = await world.call(v2.addKey, { userId: 'nobody', expirationDate: tomorrow }, asNoRole)
      const own = await world.call(v2.listKeys, {}, asNoRole)
      assert.deepEqual(
        own.result.map(({ id }) => id),
        [keyId],
      )
      assert.equal((await world.call(v2.listKeys, {}, asSouth)).pagination?.totalResult, 0n)
      assert.ok((await world.call(v2.listKeys, {}, { bearer: 'viewer' })).result.some(({ id }) => id === keyId))
      await isRefused(
        world.call(v2.addKey, { userId: 'robot', expirationDate: tomorrow }, asNoRole),
        'access.forbidden',
      )
    })
  })
}
