import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { State } from '../../../contract/gen/signet/instance/v1/instance_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openHouse } from '../../../test/support/in-memory.ts'

for (const engine of engines) {
  suite(`the instance on ${engine.name}`, () => {
    test('is shown to those who may see it, with its domain and version', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { instance } = await house.call(AdminService.method.getMyInstance, {}, house.owner)
      assert.equal(instance?.id, house.instanceId)
      assert.equal(instance?.state, State.RUNNING)
      assert.equal(instance?.name, 'Signet')
      assert.equal(instance?.version, 'test')
      assert.equal(instance?.details?.resourceOwner, house.instanceId)
      assert.deepEqual(
        instance?.domains.map(({ domain, primary }) => [domain, primary]),
        [['localhost:8080', true]],
      )
      const nobody = await house.addMachine()
      await assert.rejects(house.call(AdminService.method.getMyInstance, {}, nobody.request), { kind: 'forbidden' })
    })

    test('has a default organization', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { org } = await house.call(AdminService.method.getDefaultOrg, {}, house.owner)
      assert.equal(org?.id, house.defaultOrganizationId)
      assert.equal(org?.name, 'Signet')
    })
  })
}

test('every v1 service says that it is there, to anybody', async (t) => {
  const house = await openHouse()
  t.after(house.dispose)
  await house.call(AdminService.method.healthz, {})
  await house.call(ManagementService.method.healthz, {})
  await house.call(AuthService.method.healthz, {})
})
