/** Users as the v1 services serve them: those of one organization, and oneself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV1, listDetailsV1 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document } from '../../store/index.ts'
import { checkUserName } from './adding.ts'
import { changeState, type StateChange } from './changing-states.ts'
import { users } from './documents.ts'
import { passwordFactsOf, userOfCaller, userOfOrganization } from './finding.ts'
import { userV1 } from './messages-v1.ts'
import { findByLoginName, isNameFree, scopeForName } from './name-scope.ts'
import type { UsersNeeds } from './needs.ts'
import { filtersOfV1, sortingOf } from './queries.ts'
import { userRefusals } from './refusals.ts'
import { removeUser } from './removing.ts'
import type { User } from './state.ts'

function shownV1(needs: UsersNeeds) {
  const showAll = async (documents: readonly Document<User>[]) => {
    const facts = await passwordFactsOf(needs, documents)
    return documents.map((document) => userV1(document, facts.get(document.id)))
  }
  return { showAll, showOne: async (document: Document<User>) => (await showAll([document]))[0] ?? {} }
}

function managementRpc(needs: UsersNeeds): Implementation<typeof ManagementService> {
  const { store, whenRemoved } = needs
  const { showOne, showAll } = shownV1(needs)

  const change = async (call: Call, userId: string, type: StateChange) => {
    await userOfOrganization(store, call, userId)
    const { value, sequence } = await changeState(needs, call.origin, userId, type)
    return { details: detailsV1(value, sequence) }
  }

  return {
    async getUserByID({ id }, call) {
      return { user: await showOne(await userOfOrganization(store, call, id)) }
    },

    async getUserByLoginNameGlobal({ loginName }) {
      const user = await findByLoginName(store, loginName)
      if (user === undefined) throw refused(userRefusals, 'user.not_found')
      return { user: await showOne(user) }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await store.find(users, {
        where: { all: [{ field: 'owner', equals: call.organizationId }, ...filtersOfV1(queries)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV1(page, call.at), sortingColumn, result: await showAll(page.documents) }
    },

    async isUserUnique({ userName, email }, call) {
      if (userName === '' && email === '') {
        const description = 'is required if email is empty'
        throw refused(userRefusals, 'user.query_invalid', { violations: [{ field: 'userName', description }] })
      }
      if (userName !== '') {
        checkUserName('userName', userName)
        if (!(await isNameFree(store, call.organizationId, userName))) return { isUnique: false }
      }
      if (email === '') return { isUnique: true }
      const { total } = await store.find(users, { where: { field: 'email', equals: searchText(email) }, limit: 1 })
      return { isUnique: total === 0 }
    },

    deactivateUser: ({ id }, call) => change(call, id, 'deactivate'),
    reactivateUser: ({ id }, call) => change(call, id, 'reactivate'),
    lockUser: ({ id }, call) => change(call, id, 'lock'),
    unlockUser: ({ id }, call) => change(call, id, 'unlock'),

    async removeUser({ id }, call) {
      await userOfOrganization(store, call, id)
      const { value, sequence } = await removeUser(store, call.origin, id, whenRemoved)
      return { details: detailsV1(value, sequence) }
    },

    async updateUserName({ userId, userName }, call) {
      checkUserName('userName', userName)
      const { owner: organizationId } = await userOfOrganization(store, call, userId)
      const { value, sequence } = await store.write(call.origin, async (work) => {
        const scope = await scopeForName(store, work, { userId, organizationId, userName })
        return work.decide(users, userId, { type: 'change_username', userName, ...scope })
      })
      return { details: detailsV1(value, sequence) }
    },
  }
}

function authRpc(needs: UsersNeeds): Implementation<typeof AuthService> {
  return {
    async getMyUser(_, call) {
      return { user: await shownV1(needs).showOne(await userOfCaller(needs.store, call)) }
    },
  }
}

/** The v1 methods of this room. */
export function userMethodsV1(needs: UsersNeeds): readonly Method[] {
  return [...methods(ManagementService, managementRpc(needs)), ...methods(AuthService, authRpc(needs))]
}
