import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { TextFilterMethod, TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { AdministratorFieldName } from '../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { grantsOf } from '../memberships/index.ts'

const permission = InternalPermissionService.method

const INSTANCE = { resource: { case: 'instance', value: true } } as const
function inOrganization(value: string) {
  return { resource: { case: 'organizationId', value } } as const
}

async function list(world: World, filters: unknown[], request = world.owner) {
  const message = {
    filters: filters as never[],
    sortingColumn: AdministratorFieldName.CREATION_DATE,
    pagination: { asc: true },
  }
  const reply = await world.call(permission.listAdministrators, message, request)
  assert.equal(Number(reply.pagination?.totalResult), reply.administrators.length)
  return reply.administrators
}

for (const engine of bothEngines) {
  suite(`administrators on ${engine.name}`, () => {
    test('are changed to the roles they have and removed twice without complaint', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId } = await world.addMachine({ instanceRoles: ['IAM_USER_MANAGER'] })
      const roles = ['IAM_USER_MANAGER']
      const update = { userId, resource: INSTANCE, roles }
      assert.ok((await world.call(permission.updateAdministrator, update, world.owner)).changeDate)
      for (const attempt of ['first', 'second']) {
        const removal = await world.call(permission.deleteAdministrator, { userId, resource: INSTANCE }, world.owner)
        assert.ok(removal.deletionDate, attempt)
      }
      await assert.rejects(world.call(permission.updateAdministrator, update, world.owner), {
        code: 'membership.not_found',
      })
    })

    test('are found as administrators by every filter, combined with and, or and not', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'ACME' },
        world.owner,
      )
      const boss = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER', 'ORG_USER_MANAGER'] })
      world.clock.now = instant(world.clock.now + 5000)
      const later = await world.addMachine({ instanceRoles: ['IAM_USER_MANAGER'] })
      const ids = async (...filters: unknown[]) => (await list(world, filters)).map(({ user }) => user?.id).sort()
      const sorted = (...some: string[]) => some.sort()
      const of = (name: string, value: unknown) => ({ filter: { case: name, value } })
      const name = (preferredLoginName: string, method: TextFilterMethod) =>
        of('userPreferredLoginName', { preferredLoginName, method })

      assert.equal((await ids()).length, 5)
      assert.deepEqual(
        await ids(of('resource', inOrganization(organizationId))),
        sorted(boss.userId, world.machineAdministratorId),
      )
      assert.equal((await ids(of('resource', INSTANCE))).length, 3)
      assert.deepEqual(await ids(of('role', { roleKey: 'ORG_USER_MANAGER' })), [boss.userId])
      assert.deepEqual(await ids(of('role', { roleKey: 'ORG_USER' })), [])
      assert.deepEqual(await ids(of('userOrganizationId', { id: organizationId })), [boss.userId])
      assert.deepEqual(await ids(of('inUserIdsFilter', { ids: [later.userId, 'nobody'] })), [later.userId])
      assert.deepEqual(await ids(name('ADMIN', TextFilterMethod.EQUALS_IGNORE_CASE)), [world.administratorId])
      assert.deepEqual(await ids(name('ADMIN', TextFilterMethod.EQUALS)), [])
      const machines = of('userDisplayName', { displayName: 'machine', method: TextFilterMethod.CONTAINS_IGNORE_CASE })
      assert.equal((await ids(machines)).length, 4)
      const after = of('creationDate', {
        timestamp: timestampFromMs(world.clock.now),
        method: TimestampFilterMethod.AFTER_OR_EQUALS,
      })
      assert.deepEqual(await ids(after), [later.userId])
      assert.deepEqual(await ids(of('and', { queries: [after, machines] })), [later.userId])
      assert.deepEqual(await ids(of('and', { queries: [after, of('not', { query: machines })] })), [])
      const either = of('or', { queries: [after, name('admin', TextFilterMethod.EQUALS)] })
      assert.deepEqual(await ids(either), sorted(later.userId, world.administratorId))
      assert.deepEqual(await ids(of('not', { query: machines })), [world.administratorId])
      let deep = after as unknown
      for (let depth = 0; depth < 20; depth++) deep = of('not', { query: deep })
      await assert.rejects(ids(deep), { code: 'membership.query_invalid', kind: 'invalid' })

      const own = await list(world, [], boss.request)
      assert.deepEqual(own.map(({ user }) => user?.id).sort(), sorted(boss.userId, world.machineAdministratorId))
      assert.deepEqual(own[0]?.resource, { case: 'organization', value: own[0]?.resource.value })
      assert.equal(own[0]?.resource.case === 'organization' && own[0].resource.value.name, 'ACME')
      assert.deepEqual(
        (await list(world, [of('resource', INSTANCE)], boss.request)).map(({ user }) => user?.id),
        [],
      )
    })

    test('are given and taken as administrators, on the instance and in organizations', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId } = await world.addMachine()
      for (const [resource, roles, others] of [
        [INSTANCE, ['IAM_OWNER_VIEWER'], ['IAM_USER_MANAGER']],
        [inOrganization(world.defaultOrganizationId), ['ORG_OWNER'], ['ORG_OWNER_VIEWER']],
      ] as const) {
        await world.call(permission.createAdministrator, { userId, resource, roles: [...roles] }, world.owner)
        await world.call(permission.updateAdministrator, { userId, resource, roles: [...others] }, world.owner)
        assert.ok((await grantsOf(world.app, userId)).some((grant) => grant.roles[0] === others[0]))
        await world.call(permission.deleteAdministrator, { userId, resource }, world.owner)
        assert.deepEqual(await grantsOf(world.app, userId), [])
      }
    })
  })
}
