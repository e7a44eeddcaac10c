/** What ends the tokens of a user or an organization ends nobody else's, whatever IDs were chosen. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { findAccessToken, openGrantWithToken } from '../grants/index.ts'
import { formerGenerations } from './index.ts'

const v1 = ManagementService.method
const v2 = UserService.method
const { addOrganization, deactivateOrganization } = OrganizationService.method
const profile = { firstName: 'Ann', lastName: 'Other' }

for (const engine of bothEngines) {
  suite(`invalidated tokens on ${engine.name}`, () => {
    let world: World
    let serial = 0

    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    /** An organization with a machine that has a token. */
    const tenant = async (chosen: { readonly organizationId?: string } = {}) => {
      const { organizationId } = await world.call(
        addOrganization,
        { name: `Tenant ${++serial}`, ...chosen },
        world.owner,
      )
      const { userId } = await world.addMachine({ organizationId })
      return { organizationId, userId, token: await tokenOf(userId, organizationId) }
    }
    const tokenOf = async (userId: string, organizationId: string) => {
      const subject = { userId, organizationId, isMachine: true, clientId: 'client', applicationId: '', projectId: '' }
      const circumstances = { sessionId: '', scope: 'openid', audience: [], amr: ['pwd'], acr: '' }
      const { text } = await openGrantWithToken(
        world.app,
        world.origin(),
        { ...subject, ...circumstances, authenticatedAt: world.clock.now },
        { grantType: 'client_credentials', lifetimeMs: 3_600_000 },
      )
      return text
    }
    const counts = async (token: string) => (await findAccessToken(world.app, token, world.clock.now)) !== undefined
    const addHuman = async (userId: string, orgId: string) => {
      const email = { email: `ann${++serial}@example.com`, verification: { case: 'isVerified', value: true } } as const
      const organisation = { org: { case: 'orgId', value: orgId } } as const
      await world.call(v2.addHumanUser, { userId, profile, email, organisation }, world.owner)
    }

    const ways = {
      'is locked': (userId: string) => world.call(v2.lockUser, { userId }, world.owner),
      'is deactivated': (userId: string) => world.call(v2.deactivateUser, { userId }, world.owner),
    }
    for (const [way, act] of Object.entries(ways)) {
      test(`a user with the ID of another organization who ${way} ends no token there`, async () => {
        const other = await tenant()
        const own = await tenant()
        await addHuman(other.organizationId, own.organizationId)
        await act(other.organizationId)
        assert.ok(await counts(other.token))
        assert.ok(await counts(await tokenOf(other.userId, other.organizationId)))
      })
    }

    test('an organization with the ID of a user ends no token of that user when it is deactivated', async () => {
      const { userId, token } = await tenant()
      const { organizationId } = await tenant({ organizationId: userId })
      await world.call(deactivateOrganization, { organizationId }, world.owner)
      assert.ok(await counts(token))
    })

    test('the end of an organization is an event of its own, also if a user with its ID was locked before', async () => {
      const other = await tenant()
      const own = await tenant()
      await addHuman(other.organizationId, own.organizationId)
      await ways['is locked'](other.organizationId)
      await world.call(deactivateOrganization, { organizationId: other.organizationId }, world.owner)
      assert.equal(await counts(other.token), false)
      const events = await world.store.events({ owner: own.organizationId, limit: 1000 })
      const told = events.filter(({ id, type }) => id === other.organizationId && type === 'tokens.invalidated.v1')
      assert.equal(told.length, 1, 'only the end of the own user')
    })

    test('an end that was recorded before users and organizations had counters of their own counts for both', async () => {
      const { userId, organizationId, token } = await tenant()
      const invalidate = (id: string) =>
        world.store.write(world.origin(), (work) => work.decide(formerGenerations, id, { of: 'all' }, organizationId))
      await invalidate(userId)
      assert.equal(await counts(token), false)
      const later = await tokenOf(userId, organizationId)
      assert.ok(await counts(later))
      await invalidate(organizationId)
      assert.equal(await counts(later), false)
    })

    test('the tokens of a user end with a lock, and the tokens of an organization with its end', async () => {
      const { userId, organizationId, token } = await tenant()
      const there = { ...world.owner, organizationId }
      await world.call(v1.lockUser, { id: userId }, there)
      await world.call(v1.unlockUser, { id: userId }, there)
      assert.equal(await counts(token), false)
      const later = await tokenOf(userId, organizationId)
      await world.call(v1.deactivateOrg, {}, there)
      await world.call(v1.reactivateOrg, {}, there)
      assert.equal(await counts(later), false)
    })
  })
}
