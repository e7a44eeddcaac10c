import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { State } from '../../../contract/gen/signet/instance/v1/instance_pb.ts'
import { FieldName, InstanceService } from '../../../contract/gen/signet/instance/v2/instance_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld } from '../../../test/support/world.ts'

for (const engine of engines) {
  suite(`the instance on ${engine.name}`, () => {
    test('is shown to those who may see it, with its domain and version', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { instance } = await world.call(AdminService.method.getMyInstance, {}, world.owner)
      assert.equal(instance?.id, world.instanceId)
      assert.equal(instance?.state, State.RUNNING)
      assert.equal(instance?.name, 'Signet')
      assert.equal(instance?.version, 'test')
      assert.equal(instance?.details?.resourceOwner, world.instanceId)
      assert.deepEqual(
        instance?.domains.map(({ domain, primary }) => [domain, primary]),
        [['localhost:8080', true]],
      )
      const v2 = InstanceService.method
      await world.call(v2.updateInstance, { instanceName: 'Renamed' }, world.owner)
      const shown = (await world.call(v2.getInstance, { instanceId: world.instanceId }, world.owner)).instance
      assert.deepEqual([shown?.name, shown?.customDomains[0]?.domain], ['Renamed', 'localhost:8080'])
      const { domains, pagination } = await world.call(v2.listCustomDomains, {}, world.owner)
      assert.deepEqual([domains.length, pagination?.totalResult, pagination?.appliedLimit], [1, 1n, 100n])
      const filters = [{ filter: { case: 'generatedFilter', value: true } as const }]
      assert.deepEqual((await world.call(v2.listCustomDomains, { filters }, world.owner)).domains, [])
      assert.deepEqual((await world.call(v2.listTrustedDomains, {}, world.owner)).trustedDomain, [])
      const elsewhere = world.call(v2.getInstance, { instanceId: 'other' }, world.owner)
      await assert.rejects(elsewhere, { code: 'instance.not_found' })
      const other = await world.addMachine()
      await assert.rejects(world.call(AdminService.method.getMyInstance, {}, other.request), { kind: 'forbidden' })
    })

    test('is listed under the field numbers that clients send', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { listInstances } = InstanceService.method
      const inIds = new BinaryWriter().tag(1, WireType.LengthDelimited).string(world.instanceId).finish()
      const filter = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(inIds).finish()
      const page = new BinaryWriter().tag(2, WireType.Varint).uint32(5).finish()
      const sent = new BinaryWriter()
        .tag(1, WireType.LengthDelimited)
        .bytes(page)
        .tag(2, WireType.Varint)
        .uint32(FieldName.NAME)
        .tag(3, WireType.LengthDelimited)
        .bytes(filter)
        .finish()
      const { instances, pagination } = await world.call(
        listInstances,
        fromBinary(listInstances.input, sent),
        world.owner,
      )
      assert.deepEqual([instances[0]?.id, pagination?.appliedLimit], [world.instanceId, 5n])
    })

    test('has a default organization', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { org } = await world.call(AdminService.method.getDefaultOrg, {}, world.owner)
      assert.equal(org?.id, world.defaultOrganizationId)
      assert.equal(org?.name, 'Signet')
    })
  })
}

test('every v1 service answers Healthz, also without a token', async (t) => {
  const world = await openWorld()
  t.after(world.dispose)
  await world.call(AdminService.method.healthz, {})
  await world.call(ManagementService.method.healthz, {})
  await world.call(AuthService.method.healthz, {})
})
