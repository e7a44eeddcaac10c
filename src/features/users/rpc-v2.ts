/** Users as the v2 service serves them: of every organization in which the caller may act. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2, listDetailsV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import type { Document, Filter } from '../../store/index.ts'
import { changeState, type StateChange } from './changing-states.ts'
import { type UserField, users } from './documents.ts'
import { passwordFactsOf, userForCaller } from './finding.ts'
import { userV2 } from './messages-v2.ts'
import type { UsersNeeds } from './needs.ts'
import { filtersOfV2, sortingOf } from './queries.ts'
import { removeUser } from './removing.ts'
import type { User } from './state.ts'

/** What the caller may see: the users of some organizations, and always oneself. */
function visibleTo(call: Call): readonly Filter<UserField>[] {
  const owners = call.visibleOwners()
  if (owners === 'all') return []
  return [
    {
      any: [
        { field: 'owner', in: owners },
        { field: 'id', equals: call.caller.userId },
      ],
    },
  ]
}

function userRpc(needs: UsersNeeds): Implementation<typeof UserService> {
  const { store, whenRemoved } = needs

  const showAll = async (documents: readonly Document<User>[]) => {
    const facts = await passwordFactsOf(needs, documents)
    return documents.map((document) => userV2(document, facts.get(document.id)))
  }
  const showOne = async (document: Document<User>) => (await showAll([document]))[0] ?? {}

  const change = async (call: Call, userId: string, type: StateChange) => {
    await userForCaller(store, call, userId)
    const { value, sequence } = await changeState(needs, call.origin, userId, type)
    return { details: detailsV2(value, sequence) }
  }

  return {
    async getUserByID({ userId }, call) {
      const document = await userForCaller(store, call, userId)
      return { details: detailsV2(document), user: await showOne(document) }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await store.find(users, {
        where: { all: [...visibleTo(call), ...filtersOfV2(queries)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV2(page, call.at), sortingColumn, result: await showAll(page.documents) }
    },

    deactivateUser: ({ userId }, call) => change(call, userId, 'deactivate'),
    reactivateUser: ({ userId }, call) => change(call, userId, 'reactivate'),
    lockUser: ({ userId }, call) => change(call, userId, 'lock'),
    unlockUser: ({ userId }, call) => change(call, userId, 'unlock'),

    async deleteUser({ userId }, call) {
      await userForCaller(store, call, userId)
      const { value, sequence } = await removeUser(store, call.origin, userId, whenRemoved)
      return { details: detailsV2(value, sequence) }
    },
  }
}

/** The v2 methods of this room. */
export function userMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, userRpc(needs))
}
