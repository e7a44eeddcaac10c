/** The ManagedUserService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ManagedUserService } from '../../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { changeDateOf } from '../../module/details.ts'
import { groupForCaller, groups, releaseGroup } from '../groups/index.ts'
import { organizations, requireOrganization } from '../organizations/index.ts'
import { releaseUser, requireHuman, users, userToChange } from '../users/index.ts'
import { endSync, managedBy } from './end-sync.ts'

/** The methods about what directories manage. */
export function managedUserMethods(app: App): readonly Method[] {
  return methods(ManagedUserService, {
    async getManagedUserSettings({ organizationId }, call) {
      call.authorize(organizationId)
      const { state } = await requireOrganization(app, organizationId)
      const where = managedBy({ organizationId })
      const [people, teams] = await Promise.all([
        app.store.find(users, { where, orderBy: 'id', limit: 1 }),
        app.store.find(groups, { where, orderBy: 'id', limit: 1 }),
      ])
      return {
        changesAllowed: state.allowsManagedChanges === true,
        users: BigInt(people.total),
        groups: BigInt(teams.total),
      }
    },
    async setManagedUserSettings({ organizationId, changesAllowed: areAllowed }, call) {
      call.authorize(organizationId)
      const written = await app.store.write(call.origin, (work) =>
        work.decide(organizations, organizationId, { type: 'set_managed_changes', areAllowed }),
      )
      return { changeDate: changeDateOf(written) }
    },
    async detachUser({ userId }, call) {
      const { id } = requireHuman(await userToChange(app, call, userId))
      return { changeDate: changeDateOf(await app.store.write(call.origin, (work) => releaseUser(work, id))) }
    },
    async detachGroup({ groupId: id }, call) {
      await groupForCaller(app, call, id)
      return { changeDate: changeDateOf(await app.store.write(call.origin, (work) => releaseGroup(work, id))) }
    },
    async endDirectorySync({ organizationId, directoryId }, call) {
      call.authorize(organizationId)
      await requireOrganization(app, organizationId)
      const managed = { organizationId, ...(directoryId !== '' && { directoryId }) }
      const { at } = await app.store.write(call.origin, async (work) => endSync(work, managed))
      return { changeDate: timestampFromMs(at) }
    },
  })
}
