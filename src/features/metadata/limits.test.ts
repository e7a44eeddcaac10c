/** How much metadata a user and an organization can have, whichever method sets it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'

const v1 = ManagementService.method
const v2 = UserService.method

/** The largest value of the contract. */
const LARGEST = new Uint8Array(375_000)

function entries(prefix: string, number: number, value = new Uint8Array(1)) {
  return Array.from({ length: number }, (_, index) => ({ key: `${prefix}${index}`, value }))
}

for (const engine of engines) {
  suite(`the limits of metadata on ${engine.name}`, () => {
    let world: SmallWorld
    const north = { bearer: 'north' }
    const addRobot = (userId: string, metadata: ReturnType<typeof entries> = []) => {
      const userType = { case: 'machine', value: { name: userId } } as const
      return world.call(v2.createUser, { organizationId: 'north', userId, userType, metadata }, north)
    }
    const set = (userId: string, metadata: ReturnType<typeof entries>) =>
      world.call(v2.setUserMetadata, { userId, metadata }, north)
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    test('a value of the largest size can be set, and twelve can be together', async () => {
      await addRobot('large', entries('a', 11, LARGEST))
      await set('large', entries('b', 1, LARGEST))
      await isRefused(set('large', entries('c', 1, LARGEST)), 'store.limit_reached')
      await set('large', entries('b', 1, new Uint8Array(10)))
      await set('large', entries('c', 1, LARGEST.subarray(20)))
    })

    test('there are at most 1,000 entries, and all may be replaced', async () => {
      await addRobot('many', entries('a', 1000))
      await isRefused(set('many', entries('b', 1)), 'store.limit_reached')
      await set('many', entries('a', 1000, new Uint8Array(2)))
      await world.call(v2.deleteUserMetadata, { userId: 'many', keys: ['a0'] }, north)
      await set('many', entries('b', 1))
    })

    test('no other method sets more', async () => {
      await isRefused(addRobot('added', entries('a', 17, LARGEST)), 'store.limit_reached')
      await addRobot('other', entries('a', 1000))
      const one = { key: 'b', value: new Uint8Array(1) }
      const organization = { ...north, organization: 'north' }
      await isRefused(world.call(v1.setUserMetadata, { id: 'other', ...one }, organization), 'store.limit_reached')
      await isRefused(
        world.call(v1.bulkSetUserMetadata, { id: 'other', metadata: [one] }, organization),
        'store.limit_reached',
      )
      await isRefused(world.call(v2.updateUser, { userId: 'other', metadata: [one] }, north), 'store.limit_reached')
      const profile = { firstName: 'Ada', lastName: 'Lovelace' }
      const human = { profile, email: { email: 'ada@example.com' }, metadata: entries('a', 17, LARGEST) }
      await isRefused(
        world.call(v2.addHumanUser, { ...human, organisation: { org: { case: 'orgId', value: 'north' } } }, north),
        'store.limit_reached',
      )
    })

    test('an organization has the same limits', async () => {
      const setOrganization = (metadata: ReturnType<typeof entries>) =>
        world.call(OrganizationService.method.setOrganizationMetadata, { organizationId: 'north', metadata }, north)
      await setOrganization(entries('a', 12, LARGEST))
      await isRefused(setOrganization(entries('b', 1, LARGEST)), 'store.limit_reached')
      await setOrganization(entries('a', 12))
      await setOrganization(entries('c', 988))
      await isRefused(setOrganization(entries('d', 1)), 'store.limit_reached')
      const { metadata } = await world.call(
        OrganizationService.method.listOrganizationMetadata,
        { organizationId: 'north', pagination: { limit: 1 } },
        north,
      )
      assert.equal(metadata.length, 1)
    })
  })
}
