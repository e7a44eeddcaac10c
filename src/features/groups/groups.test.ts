import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { GroupService } from '../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { FieldName } from '../../../contract/gen/signet/group/v2/query_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { groupMembers, groupsOfUser, isInGroup } from './index.ts'

const v2 = GroupService.method

for (const engine of bothEngines) {
  suite(`groups on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const addOrganization = async () =>
      (
        await world.call(
          OrganizationService.method.addOrganization,
          { name: `Organization of groups ${++count}` },
          world.owner,
        )
      ).organizationId
    const addGroup = async (organizationId = world.defaultOrganizationId, name = `Group ${++count}`) =>
      (await world.call(v2.createGroup, { organizationId, name, description: 'A group' }, world.owner)).id
    const addUser = async (organizationId = world.defaultOrganizationId, ...organizationRoles: string[]) =>
      world.addMachine({ organizationId, ...(organizationRoles.length > 0 && { organizationRoles }) })
    const usersOf = async (groupId: string, request = world.owner) => {
      const filters = [{ filter: { case: 'groupIds' as const, value: { ids: [groupId] } } }]
      return world.call(v2.listGroupUsers, { filters }, request)
    }
    const idsOf = async (groupId: string) =>
      (await usersOf(groupId)).groupUsers.map(({ user }) => user?.id ?? '').sort()
    const add = (id: string, ...userIds: string[]) => world.call(v2.addUsersToGroup, { id, userIds }, world.owner)
    const remove = (id: string, ...userIds: string[]) =>
      world.call(v2.removeUsersFromGroup, { id, userIds }, world.owner)

    test('are created, changed, read and listed', async () => {
      const organizationId = await addOrganization()
      const created = { organizationId, id: `chosen-${count}`, name: 'Sales', description: 'Sells' }
      const { id } = await world.call(v2.createGroup, created, world.owner)
      assert.equal(id, created.id)
      await world.call(v2.updateGroup, { id, name: 'Sales Team' }, world.owner)
      const { group } = await world.call(v2.getGroup, { id }, world.owner)
      assert.deepEqual(
        [group?.name, group?.description, group?.organizationId],
        ['Sales Team', 'Sells', organizationId],
      )
      await world.call(v2.updateGroup, { id, description: '' }, world.owner)
      assert.equal((await world.call(v2.getGroup, { id }, world.owner)).group?.description, '')
      const other = await addGroup(organizationId, 'Accounting')
      const filters = [{ filter: { case: 'organizationId' as const, value: { id: organizationId } } }]
      const list = await world.call(
        v2.listGroups,
        { filters, sortingColumn: FieldName.NAME, pagination: { asc: true } },
        world.owner,
      )
      assert.deepEqual(
        list.groups.map((one) => one.id),
        [other, id],
      )
      assert.equal(list.pagination?.totalResult, 2n)
    })

    test('have names that are unique in their organization, and need an organization', async () => {
      const organizationId = await addOrganization()
      const id = await addGroup(organizationId, 'Same')
      const refusals: [Record<string, string>, string][] = [
        [{ organizationId, name: 'sAME' }, 'group.name_taken'],
        [{ organizationId, name: 'Other', id }, 'group.id_taken'],
        [{ organizationId, name: 'Other', id: 'with space' }, 'group.id_invalid'],
        [{ organizationId, name: ' ' }, 'group.name_invalid'],
        [{ organizationId: 'none', name: 'Other' }, 'group.organization_not_found'],
      ]
      for (const [request, code] of refusals) {
        await assert.rejects(world.call(v2.createGroup, request, world.owner), { code }, code)
      }
      await addGroup(await addOrganization(), 'Same')
    })

    test('have users of their organization, each once, however often they are added', async () => {
      const id = await addGroup()
      const [one, two] = [await addUser(), await addUser()]
      await add(id, one.userId, one.userId, two.userId)
      await add(id, one.userId)
      assert.deepEqual(await idsOf(id), [one.userId, two.userId].sort())
      const stranger = await addUser(await addOrganization())
      const third = await addUser()
      for (const userIds of [
        [third.userId, 'none'],
        [third.userId, stranger.userId],
      ]) {
        await assert.rejects(add(id, ...userIds), { code: 'group.user_not_found' })
      }
      assert.equal((await idsOf(id)).length, 2)
      await remove(id, one.userId, stranger.userId, 'none')
      await remove(id, one.userId)
      assert.deepEqual(await idsOf(id), [two.userId])
      await add(id, one.userId)
      assert.equal(await isInGroup(world.app.store, id, one.userId), true)
      for (const attempt of [add('none', one.userId), remove('none', one.userId)]) {
        await assert.rejects(attempt, { code: 'group.missing' })
      }
    })

    test('list the users of one call as it named them, the newest call first', async () => {
      const id = await addGroup()
      const added = await Promise.all(Array.from({ length: 12 }, () => addUser()))
      const userIds = added.map(({ userId }) => userId).sort((a, b) => a.localeCompare(b) * (a.endsWith('1') ? 1 : -1))
      const [first, second] = [userIds.slice(0, 8), userIds.slice(8)]
      await add(id, ...first)
      world.clock.now = instant(world.clock.now + 1_000)
      await add(id, ...second)
      const listed = (await usersOf(id)).groupUsers.map(({ user }) => user?.id)
      assert.deepEqual(listed, [...second, ...first])
    })

    test('tell when they last changed, also when nothing is left to do', async () => {
      const id = await addGroup()
      const { userId } = await addUser()
      const dates: number[] = []
      for (const change of [add, add, remove, remove]) {
        world.clock.now = instant(world.clock.now + 1_000)
        const { changeDate } = await change(id, userId)
        dates.push(timestampMs(changeDate ?? assert.fail()) - world.clock.now)
      }
      assert.deepEqual(dates, [0, -1_000, 0, -1_000])
    })

    test('get more users than fit into a commit, or none when one of them is a stranger', async () => {
      const id = await addGroup()
      const added = await Promise.all(Array.from({ length: 101 }, () => addUser()))
      const userIds = added.map(({ userId }) => userId)
      await assert.rejects(add(id, ...userIds, 'none'), { code: 'group.user_not_found' })
      assert.deepEqual(await idsOf(id), [])
      await add(id, ...userIds)
      assert.equal((await usersOf(id)).pagination?.totalResult, 101n)
      await remove(id, ...userIds)
      assert.deepEqual(await idsOf(id), [])
    })

    test('end for all users in the commit that deletes them, and a job removes the rest', async () => {
      const id = await addGroup()
      const added = await Promise.all(Array.from({ length: 3 }, () => addUser()))
      const userIds = added.map(({ userId }) => userId)
      await add(id, ...userIds)
      const first = await world.call(v2.deleteGroup, { id }, world.owner)
      for (const userId of userIds) assert.equal(await isInGroup(world.app.store, id, userId), false)
      assert.deepEqual(await idsOf(id), [])
      assert.deepEqual(await groupsOfUser(world.app, userIds[0] ?? ''), [])
      const again = await world.call(v2.deleteGroup, { id }, world.owner)
      assert.deepEqual(again.deletionDate, first.deletionDate)
      await assert.rejects(world.call(v2.getGroup, { id }, world.owner), { code: 'group.not_found' })
      await assert.rejects(add(id, ...userIds), { code: 'group.missing' })
      await world.runJobs()
      assert.deepEqual(await world.app.store.findIds(groupMembers, { field: 'groupId', equals: id }), [])
    })

    test('lose a user who is deleted, and end with their organization', async () => {
      const organizationId = await addOrganization()
      const id = await addGroup(organizationId)
      const [one, two] = [await addUser(organizationId), await addUser(organizationId)]
      await add(id, one.userId, two.userId)
      await world.call(UserService.method.deleteUser, { userId: one.userId }, world.owner)
      assert.deepEqual(await idsOf(id), [two.userId])
      assert.deepEqual(
        (await groupsOfUser(world.app, two.userId)).map((group) => group.id),
        [id],
      )
      await world.call(OrganizationService.method.deactivateOrganization, { organizationId }, world.owner)
      assert.equal(await isInGroup(world.app.store, id, two.userId), false)
      assert.deepEqual(await groupsOfUser(world.app, two.userId), [])
      await world.call(OrganizationService.method.deleteOrganization, { organizationId }, world.owner)
      await world.runJobs()
      const filters = [{ filter: { case: 'organizationId' as const, value: { id: organizationId } } }]
      assert.deepEqual((await world.call(v2.listGroups, { filters }, world.owner)).groups, [])
      await assert.rejects(add(id, two.userId), { code: 'group.missing' })
    })

    test('are not found by those who may not see them, who are not told which exist', async () => {
      const [organizationId, elsewhere] = [await addOrganization(), await addOrganization()]
      const id = await addGroup(organizationId)
      const [owner, away] = [await addUser(organizationId, 'ORG_OWNER'), await addUser(elsewhere, 'ORG_OWNER')]
      const member = await addUser(organizationId)
      await add(id, member.userId)
      await world.call(v2.updateGroup, { id, name: 'Mine' }, owner.request)
      for (const caller of [away, member]) {
        for (const one of [id, 'none']) {
          await assert.rejects(world.call(v2.getGroup, { id: one }, caller.request), { code: 'access.not_found' })
        }
        const refusal = { code: 'access.not_found' }
        await assert.rejects(world.call(v2.updateGroup, { id, name: 'Theirs' }, caller.request), refusal)
        await assert.rejects(world.call(v2.deleteGroup, { id }, caller.request), refusal)
        const userIds = [caller.userId]
        await assert.rejects(world.call(v2.addUsersToGroup, { id, userIds }, caller.request), refusal)
        await assert.rejects(world.call(v2.removeUsersFromGroup, { id, userIds }, caller.request), refusal)
        await assert.rejects(world.call(v2.createGroup, { organizationId, name: 'New' }, caller.request), refusal)
      }
      assert.deepEqual((await world.call(v2.listGroups, {}, away.request)).groups, [])
      assert.deepEqual((await usersOf(id, away.request)).groupUsers, [])
      // A member sees the group and themself in it.
      const other = await addUser(organizationId)
      await add(id, other.userId)
      assert.deepEqual(
        (await world.call(v2.listGroups, {}, member.request)).groups.map((group) => group.id),
        [id],
      )
      assert.deepEqual(
        (await usersOf(id, member.request)).groupUsers.map(({ user }) => user?.id),
        [member.userId],
      )
    })

    test('have metadata, which ends with them', async () => {
      const id = await addGroup()
      const metadata = [
        { key: 'color', value: new Uint8Array([1, 2]) },
        { key: 'other', value: new Uint8Array([3]) },
      ]
      await world.call(v2.setGroupMetadata, { id, metadata }, world.owner)
      await world.call(v2.deleteGroupMetadata, { id, keys: ['other', 'none'] }, world.owner)
      const list = await world.call(v2.listGroupMetadata, { id }, world.owner)
      assert.deepEqual(
        list.metadata.map(({ key, value }) => [key, [...value]]),
        [['color', [1, 2]]],
      )
      await world.call(v2.deleteGroup, { id }, world.owner)
      await assert.rejects(world.call(v2.listGroupMetadata, { id }, world.owner), { code: 'group.not_found' })
    })
  })
}
