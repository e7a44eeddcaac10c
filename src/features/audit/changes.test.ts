/** Lists of changes: of one object, in order, without what was in the events, for those who may read it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import type { Change } from '../../../contract/gen/signet/change/v1/change_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'

const v1 = ManagementService.method
const keysOf = (changes: readonly Change[]) => changes.map(({ eventType }) => eventType?.key)

for (const engine of bothEngines) {
  suite(`changes on ${engine.name}`, () => {
    let world: SmallWorld
    const [north, south, boss] = [{ bearer: 'north' }, { bearer: 'south' }, { bearer: 'boss' }]
    const call: SmallWorld['call'] = (method, request, as = north) => world.call(method, request, as)
    before(async () => {
      world = await openSmallWorld(engine)
      await call(v1.addMachineUser, { userName: 'north-owner', name: 'The owner', userId: 'north-owner' }, boss)
    })
    after(() => world.dispose())

    test('of a user are listed newest first, and read on by sequence, either way', async () => {
      const { userId } = await call(v1.addMachineUser, { userName: 'robot', name: 'Robot' })
      await call(v1.generateMachineSecret, { userId })
      await call(v1.deactivateUser, { id: userId })
      const list = async (query?: object) =>
        (await call(v1.listUserChanges, { userId, ...(query && { query }) })).result
      const all = await list()
      assert.deepEqual(keysOf(all).slice(0, 1), ['user.deactivated.v1'])
      assert.deepEqual(keysOf(all).slice(1, 3).sort(), ['machine_secret.set.v1', 'user.machine_secret_set.v1'])
      assert.deepEqual(keysOf(all).slice(3), ['user.machine_added.v1'])
      assert.equal(all[0]?.eventType?.localizedMessage, 'User deactivated')
      assert.equal(all[0].resourceOwnerId, 'north')
      assert.deepEqual(await list({ asc: true }), all.toReversed())
      assert.deepEqual(await list({ sequence: all[1]?.sequence }), all.slice(2))
      assert.deepEqual(await list({ sequence: all[2]?.sequence, asc: true, limit: 1 }), all.slice(1, 2))
      await isRefused(list({ limit: 1001 }), 'list.limit_too_large', 'query.limit')
    })

    test('name who made them to those who may read that user', async () => {
      const { userId } = await call(v1.addMachineUser, { userName: 'shown', name: 'Shown' }, { ...boss })
      const ofBoss = (await call(v1.listUserChanges, { userId })).result[0]
      // There is no such user: a made-up caller.
      assert.deepEqual([ofBoss?.editorId, ofBoss?.editorDisplayName], ['boss', ''])
      await call(v1.deactivateUser, { id: userId })
      const own = (await call(v1.listUserChanges, { userId })).result[0]
      assert.deepEqual(
        [own?.editorId, own?.editorDisplayName, own?.editorPreferredLoginName],
        ['north-owner', 'The owner', 'north-owner'],
      )
      await call(
        v1.addMachineUser,
        { userName: 'south-owner', name: 'Of the south', userId: 'south-owner' },
        {
          ...boss,
          organizationId: 'south',
        },
      )
      const { id: projectId } = await call(v1.addProject, { name: 'Shop' }, south)
      const { grantId } = await call(v1.addProjectGrant, { projectId, grantedOrgId: 'north' }, south)
      const inSouth = (await call(v1.listProjectGrantChanges, { projectId, grantId }, south)).result[0]
      assert.equal(inSouth?.editorDisplayName, 'Of the south')
      const inNorth = (await call(v1.listProjectGrantChanges, { projectId, grantId }, north)).result[0]
      assert.deepEqual([inNorth?.editorId, inNorth?.editorDisplayName], ['south-owner', ''])
    })

    test('are those of the organization, the project and the application, and of no other', async () => {
      await call(v1.updateOrg, { name: 'Further north' })
      await call(v1.addCustomLockoutPolicy, { maxPasswordAttempts: 5 })
      const ofOrganization = keysOf((await call(v1.listOrgChanges, {})).result)
      assert.deepEqual(ofOrganization.slice(0, 2), ['settings.lockout_set.v1', 'organization.renamed.v1'])
      const { id: projectId } = await call(v1.addProject, { name: 'Shop' })
      const { appId } = await call(v1.addAPIApp, { projectId, name: 'API' })
      await call(v1.regenerateAPIClientSecret, { projectId, appId })
      assert.deepEqual(keysOf((await call(v1.listProjectChanges, { projectId })).result), ['project.added.v1'])
      const { result } = await call(v1.listAppChanges, { projectId, appId })
      const keys = keysOf(result)
      assert.equal(keys.at(-1), 'application.added.v1')
      assert.ok(keys.includes('application_secret.set.v1'), String(keys))
      assert.doesNotMatch(
        JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        /hash|secret":/,
      )
    })

    test('of something with the same ID elsewhere are not listed', async () => {
      const { id } = await call(v1.addProject, { name: 'Of the south' }, south)
      await call(v1.addMachineUser, { userName: 'twin', name: 'Twin', userId: id })
      assert.deepEqual(keysOf((await call(v1.listUserChanges, { userId: id })).result), ['user.machine_added.v1'])
      const { id: here } = await call(v1.addProject, { name: 'Here' })
      await call(v1.addMachineUser, { userName: 'twin-here', name: 'Twin', userId: here })
      assert.deepEqual(keysOf((await call(v1.listUserChanges, { userId: here })).result), ['user.machine_added.v1'])
    })

    test('are for those who may read the object', async () => {
      const { id: projectId } = await call(v1.addProject, { name: 'Secret' })
      const { appId } = await call(v1.addAPIApp, { projectId, name: 'API' })
      await isRefused(call(v1.listProjectChanges, { projectId }, south), 'access.forbidden')
      await isRefused(call(v1.listAppChanges, { projectId, appId }, south), 'access.forbidden')
      await isRefused(call(v1.listUserChanges, { userId: 'north-owner' }, south), 'user.not_found')
      await isRefused(call(v1.listUserChanges, { userId: 'north-owner' }, { bearer: 'nobody' }), 'access.forbidden')
      await isRefused(call(v1.listOrgChanges, {}, { bearer: 'nobody' }), 'access.forbidden')
      const own = await call(AuthService.method.listMyUserChanges, {}, north)
      assert.deepEqual(keysOf(own.result), ['user.machine_added.v1'])
    })
  })
}
