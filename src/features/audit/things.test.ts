/** The names of what events are about: of the object, and of what only the first event of the object names. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openSessionWorld, type SessionWorld } from '../../../test/support/session-world.ts'

const { listEvents } = AdminService.method
const { addProject, addProjectRole, addUserGrant, removeUserGrant, removeProject, removeUser } =
  ManagementService.method

for (const engine of bothEngines) {
  suite(`what events are about on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const namesOf = async (type: string) => {
      const [event] = (await world.call(listEvents, { eventTypes: [type], limit: 1 }, world.owner)).events
      return Object.fromEntries((event?.things ?? []).map(({ member, name }) => [member, name]))
    }

    test('is named by name: the object, what the payload names, and what the first event of the object named', async () => {
      const person = await world.addPerson()
      const { id: projectId } = await world.call(addProject, { name: 'Node Shop' }, world.owner)
      await world.call(addProjectRole, { projectId, roleKey: 'editor', displayName: 'Editor' }, world.owner)
      const { userId } = person
      const { userGrantId: grantId } = await world.call(
        addUserGrant,
        { userId, projectId, roleKeys: ['editor'] },
        world.owner,
      )
      assert.equal((await namesOf('project.added.v1')).object, 'Node Shop')
      const added = await namesOf('authorization.added.v1')
      assert.equal(added.userId, 'Ada Lovelace')
      assert.equal(added.projectId, 'Node Shop')
      assert.ok(added.organizationId)
      await world.call(removeUserGrant, { userId, grantId }, world.owner)
      const removed = await namesOf('authorization.removed.v1')
      assert.deepEqual([removed.userId, removed.projectId], ['Ada Lovelace', 'Node Shop'])

      // A removed thing keeps its name in the log, a removed person does not.
      await world.call(removeProject, { id: projectId }, world.owner)
      assert.equal((await namesOf('project.removed.v1')).object, 'Node Shop')
      await world.call(removeUser, { id: userId }, world.owner)
      assert.equal((await namesOf('user.removed.v1')).object, '')
      assert.equal((await namesOf('authorization.removed.v1')).userId, '')
    })
  })
}
