/** An organization and the human user who administers it, in one request of the v1 services. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

const admin = AdminService.method
const management = ManagementService.method

for (const engine of engines) {
  suite(`SetUpOrg on ${engine.name}`, () => {
    let world: World
    const call: World['call'] = (method, request) => world.call(method, request, world.owner)
    const setUp = (org: { name: string; domain?: string }, userName: string, more: object = {}) => {
      const email = { email: `${userName}@example.com`, isEmailVerified: true }
      const human = { userName, profile: { firstName: 'Ada', lastName: 'Byron' }, email, ...more }
      return call(admin.setUpOrg, { org, user: { case: 'human', value: human } as const })
    }
    const organizationIds = async () => (await call(admin.listOrgs, {})).result.map(({ id }) => id)
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    test('adds the organization with a domain to be verified, and its owner', async () => {
      const { orgId, userId } = await setUp({ name: 'North', domain: 'North.Example' }, 'ada')
      const inNorth = { ...world.owner, organizationId: orgId }
      const { org } = await world.call(management.getMyOrg, {}, inNorth)
      assert.equal(org?.name, 'North')
      const { result: domains } = await world.call(management.listOrgDomains, {}, inNorth)
      const added = domains.find(({ domainName }) => domainName === 'north.example')
      assert.deepEqual([added?.isVerified, added?.isPrimary], [false, false])
      const { result: members } = await world.call(management.listOrgMembers, {}, inNorth)
      assert.deepEqual(
        members.map((member) => [member.userId, member.roles]),
        [[userId, ['ORG_OWNER']]],
      )
    })

    test('adds nothing when a part of it is refused, and names the field', async () => {
      const before = await organizationIds()
      await isRefused(setUp({ name: 'South', domain: 'no domain' }, 'eve'), 'organization.domain_invalid', 'org.domain')
      await isRefused(setUp({ name: 'South' }, 'ada'), 'user.username_taken')
      const nameless = { profile: { firstName: 'Eve', lastName: '\u0007' } }
      await isRefused(setUp({ name: 'South' }, 'eve', nameless), 'user.field_invalid', 'human.profile.lastName')
      await isRefused(setUp({ name: 'South' }, 'eve', { password: 'short' }), 'password.against_policy')
      assert.deepEqual(await organizationIds(), before)
    })
  })
}
