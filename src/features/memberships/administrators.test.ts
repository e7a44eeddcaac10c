import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { TextFilterMethod, TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { AdministratorFieldName } from '../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type House, openHouse } from '../../../test/support/in-memory.ts'
import { instant } from '../../kernel/instant.ts'
import { grantsOf } from './index.ts'

const permission = InternalPermissionService.method

const INSTANCE = { resource: { case: 'instance', value: true } } as const
function inOrganization(value: string) {
  return { resource: { case: 'organizationId', value } } as const
}

async function list(house: House, filters: unknown[], request = house.owner) {
  const message = {
    filters: filters as never[],
    sortingColumn: AdministratorFieldName.CREATION_DATE,
    pagination: { asc: true },
  }
  const reply = await house.call(permission.listAdministrators, message, request)
  assert.equal(Number(reply.pagination?.totalResult), reply.administrators.length)
  return reply.administrators
}

for (const engine of engines) {
  suite(`administrators on ${engine.name}`, () => {
    test('are found as administrators by every filter, combined with and, or and not', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { organizationId } = await house.call(
        OrganizationService.method.addOrganization,
        { name: 'ACME' },
        house.owner,
      )
      const boss = await house.addMachine({ organizationId, organizationRoles: ['ORG_OWNER', 'ORG_USER_MANAGER'] })
      house.clock.now = instant(house.clock.now + 5000)
      const later = await house.addMachine({ instanceRoles: ['IAM_USER_MANAGER'] })
      const ids = async (...filters: unknown[]) => (await list(house, filters)).map(({ user }) => user?.id).sort()
      const sorted = (...some: string[]) => some.sort()
      const of = (name: string, value: unknown) => ({ filter: { case: name, value } })
      const name = (preferredLoginName: string, method: TextFilterMethod) =>
        of('userPreferredLoginName', { preferredLoginName, method })

      assert.equal((await ids()).length, 5)
      assert.deepEqual(
        await ids(of('resource', inOrganization(organizationId))),
        sorted(boss.userId, house.machineAdministratorId),
      )
      assert.equal((await ids(of('resource', INSTANCE))).length, 3)
      assert.deepEqual(await ids(of('role', { roleKey: 'ORG_USER_MANAGER' })), [boss.userId])
      assert.deepEqual(await ids(of('role', { roleKey: 'ORG_USER' })), [])
      assert.deepEqual(await ids(of('userOrganizationId', { id: organizationId })), [boss.userId])
      assert.deepEqual(await ids(of('inUserIdsFilter', { ids: [later.userId, 'nobody'] })), [later.userId])
      assert.deepEqual(await ids(name('ADMIN', TextFilterMethod.EQUALS_IGNORE_CASE)), [house.administratorId])
      assert.deepEqual(await ids(name('ADMIN', TextFilterMethod.EQUALS)), [])
      const machines = of('userDisplayName', { displayName: 'machine', method: TextFilterMethod.CONTAINS_IGNORE_CASE })
      assert.equal((await ids(machines)).length, 4)
      const after = of('creationDate', {
        timestamp: timestampFromMs(house.clock.now),
        method: TimestampFilterMethod.AFTER_OR_EQUALS,
      })
      assert.deepEqual(await ids(after), [later.userId])
      assert.deepEqual(await ids(of('and', { queries: [after, machines] })), [later.userId])
      assert.deepEqual(await ids(of('and', { queries: [after, of('not', { query: machines })] })), [])
      const either = of('or', { queries: [after, name('admin', TextFilterMethod.EQUALS)] })
      assert.deepEqual(await ids(either), sorted(later.userId, house.administratorId))
      assert.deepEqual(await ids(of('not', { query: machines })), [house.administratorId])
      let deep = after as unknown
      for (let depth = 0; depth < 20; depth++) deep = of('not', { query: deep })
      await assert.rejects(ids(deep), { code: 'membership.query_invalid', kind: 'invalid' })

      const own = await list(house, [], boss.request)
      assert.deepEqual(own.map(({ user }) => user?.id).sort(), sorted(boss.userId, house.machineAdministratorId))
      assert.deepEqual(own[0]?.resource, { case: 'organization', value: own[0]?.resource.value })
      assert.equal(own[0]?.resource.case === 'organization' && own[0].resource.value.name, 'ACME')
      assert.deepEqual(
        (await list(house, [of('resource', INSTANCE)], boss.request)).map(({ user }) => user?.id),
        [],
      )
    })

    test('are given and taken as administrators, on the instance and in organizations', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { userId } = await house.addMachine()
      for (const [resource, roles, others] of [
        [INSTANCE, ['IAM_OWNER_VIEWER'], ['IAM_USER_MANAGER']],
        [inOrganization(house.defaultOrganizationId), ['ORG_OWNER'], ['ORG_OWNER_VIEWER']],
      ] as const) {
        await house.call(permission.createAdministrator, { userId, resource, roles: [...roles] }, house.owner)
        await house.call(permission.updateAdministrator, { userId, resource, roles: [...others] }, house.owner)
        assert.ok((await grantsOf(house.store, userId)).some((grant) => grant.roles[0] === others[0]))
        await house.call(permission.deleteAdministrator, { userId, resource }, house.owner)
        assert.deepEqual(await grantsOf(house.store, userId), [])
      }
    })
  })
}
