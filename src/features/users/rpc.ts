/** The methods that change the state and the name of users, and remove them: v1 for one organization, v2 for all. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { holdsEverywhere } from '../../access/roles.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, detailsV2 } from '../../module/details.ts'
import { removeOnce } from '../../module/remove-once.ts'
import { users } from './documents.ts'
import { checkUserName } from './field-problems.ts'
import { userOfOrganizationToChange, userToChange } from './find-user.ts'
import { changeUserName } from './handlers/add-user.ts'
import { changeState, type StateChange } from './handlers/change-state.ts'
import { removeUser } from './handlers/remove-user.ts'
import { setPicture } from './handlers/set-picture.ts'
import { isNameFree } from './name-scope.ts'
import { userRefusals } from './refusals.ts'

async function removePicture(app: App, call: Call, userId: string) {
  const { value } = await app.store.write(call.origin, (work) => setPicture(app, work, userId, undefined))
  return { details: detailsV1(value) }
}

function managementRpc(app: App): Implementation<typeof ManagementService> {
  const change = async (call: Call, userId: string, type: StateChange) => {
    await userOfOrganizationToChange(app, call, userId)
    const { value } = await changeState(app, call.origin, userId, type)
    return { details: detailsV1(value) }
  }

  return {
    async isUserUnique({ userName, email }, call) {
      if (userName === '' && email === '') {
        const description = 'is required if email is empty'
        throw refused(userRefusals, 'user.query_invalid', { violations: [{ field: 'userName', description }] })
      }
      if (userName !== '') {
        checkUserName('userName', userName)
        if (!(await isNameFree(app, call.organizationId, userName))) return { isUnique: false }
      }
      if (email === '') return { isUnique: true }
      // Addresses need not be unique, so nothing is said about those in organizations that the caller cannot read.
      const isThere = { field: 'email', equals: searchText(email) } as const
      const isOwn = { field: 'owner', equals: call.organizationId } as const
      const where = holdsEverywhere(call.caller.grants, 'user.read') ? isThere : { all: [isThere, isOwn] }
      const { total } = await app.store.find(users, { where, limit: 1 })
      return { isUnique: total === 0 }
    },

    deactivateUser: ({ id }, call) => change(call, id, 'deactivate'),
    reactivateUser: ({ id }, call) => change(call, id, 'reactivate'),
    lockUser: ({ id }, call) => change(call, id, 'lock'),
    unlockUser: ({ id }, call) => change(call, id, 'unlock'),

    async removeUser({ id }, call) {
      const findRemoved = async () => {
        const before = await app.store.getRemoved(users, id)
        return before?.owner === call.organizationId ? before : undefined
      }
      const removed = await removeOnce(findRemoved, async () => {
        await userOfOrganizationToChange(app, call, id)
        return (await removeUser(app, call.origin, id)).value
      })
      return { details: detailsV1(removed) }
    },

    async removeHumanAvatar({ userId }, call) {
      await userOfOrganizationToChange(app, call, userId)
      return removePicture(app, call, userId)
    },

    async updateUserName({ userId, userName }, call) {
      checkUserName('userName', userName)
      const user = await userOfOrganizationToChange(app, call, userId)
      const { value } = await app.store.write(call.origin, (work) => changeUserName(app, work, user, userName))
      return { details: detailsV1(value) }
    },
  }
}

function userRpc(app: App): Implementation<typeof UserService> {
  const change = async (call: Call, userId: string, type: StateChange) => {
    await userToChange(app, call, userId)
    const { value } = await changeState(app, call.origin, userId, type)
    return { details: detailsV2(value) }
  }

  return {
    deactivateUser: ({ userId }, call) => change(call, userId, 'deactivate'),
    reactivateUser: ({ userId }, call) => change(call, userId, 'reactivate'),
    lockUser: ({ userId }, call) => change(call, userId, 'lock'),
    unlockUser: ({ userId }, call) => change(call, userId, 'unlock'),

    async deleteUser({ userId }, call) {
      const findRemoved = async () => {
        const before = await app.store.getRemoved(users, userId)
        if (before !== undefined) call.authorize(before.owner, userId)
        return before
      }
      const removed = await removeOnce(findRemoved, async () => {
        await userToChange(app, call, userId)
        return (await removeUser(app, call.origin, userId)).value
      })
      return { details: detailsV2(removed) }
    },
  }
}

/** The methods that change the state or the name of users, or remove them. */
export function userMethods(app: App): readonly Method[] {
  return [
    ...methods(ManagementService, managementRpc(app)),
    ...methods(AuthService, {
      async removeMyAvatar(_, call) {
        const { id } = await userToChange(app, call, call.caller.userId)
        return removePicture(app, call, id)
      },
    }),
    ...methods(UserService, userRpc(app)),
  ]
}
