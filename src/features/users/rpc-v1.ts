/** Users as the v1 services serve them: those of one organization, and oneself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV1, listDetailsV1 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { refused } from '../../kernel/refusal.ts'
import { checkUserName } from './adding.ts'
import type { UserCommand } from './decider.ts'
import { USER_NAME_CLAIM, users } from './documents.ts'
import { userOfCaller, userOfOrganization } from './finding.ts'
import { userV1 } from './messages-v1.ts'
import { canonicalName } from './names.ts'
import type { UsersNeeds } from './needs.ts'
import { filtersOfV1, sortingOf } from './queries.ts'
import { userRefusals } from './refusals.ts'
import { removeUser } from './removing.ts'

const managementRpc = ({ store, whenRemoved }: UsersNeeds): Implementation<typeof ManagementService> => {
  const change = async (call: Call, userId: string, command: UserCommand) => {
    await userOfOrganization(store, call, userId)
    const { value, sequence } = await store.write(call.origin, (work) => work.decide(users, userId, command))
    return { details: detailsV1(value, sequence) }
  }

  return {
    async getUserByID({ id }, call) {
      return { user: userV1(await userOfOrganization(store, call, id)) }
    },

    async getUserByLoginNameGlobal({ loginName }) {
      const key = canonicalName(loginName)
      const userId = key === undefined ? undefined : await store.holder(USER_NAME_CLAIM, key)
      const user = userId === undefined ? undefined : await store.get(users, userId)
      if (user === undefined) throw refused(userRefusals, 'user.not_found')
      return { user: userV1(user) }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await store.find(users, {
        where: { all: [{ field: 'owner', equals: call.organizationId }, ...filtersOfV1(queries)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV1(page, call.at), sortingColumn, result: page.documents.map(userV1) }
    },

    async isUserUnique({ userName, email }) {
      if (userName === '' && email === '') {
        const description = 'must not be empty when email is'
        throw refused(userRefusals, 'user.query_invalid', { violations: [{ field: 'userName', description }] })
      }
      if (userName !== '') {
        checkUserName('userName', userName)
        if ((await store.holder(USER_NAME_CLAIM, canonicalName(userName) ?? '')) !== undefined) {
          return { isUnique: false }
        }
      }
      if (email === '') return { isUnique: true }
      const { total } = await store.find(users, { where: { field: 'email', equals: searchText(email) }, limit: 1 })
      return { isUnique: total === 0 }
    },

    deactivateUser: ({ id }, call) => change(call, id, { type: 'deactivate' }),
    reactivateUser: ({ id }, call) => change(call, id, { type: 'reactivate' }),
    lockUser: ({ id }, call) => change(call, id, { type: 'lock' }),
    unlockUser: ({ id }, call) => change(call, id, { type: 'unlock' }),

    async removeUser({ id }, call) {
      await userOfOrganization(store, call, id)
      const { value, sequence } = await removeUser(store, call.origin, id, whenRemoved)
      return { details: detailsV1(value, sequence) }
    },

    async updateUserName({ userId, userName }, call) {
      checkUserName('userName', userName)
      return change(call, userId, { type: 'change_username', userName })
    },
  }
}

const authRpc = ({ store }: UsersNeeds): Implementation<typeof AuthService> => ({
  async getMyUser(_, call) {
    return { user: userV1(await userOfCaller(store, call)) }
  },
})

/** The v1 methods of this room. */
export const userMethodsV1 = (needs: UsersNeeds): readonly Method[] => [
  ...methods(ManagementService, managementRpc(needs)),
  ...methods(AuthService, authRpc(needs)),
]
