/** Users as the v2 service serves them: of every organization in which the caller may act. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AccessTokenType } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2, listDetailsV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Filter } from '../../store/index.ts'
import { addUser, checkMachineTexts, checkUserId, checkUserName } from './adding.ts'
import type { UserCommand } from './decider.ts'
import { type UserField, users } from './documents.ts'
import { userForCaller } from './finding.ts'
import { userV2 } from './messages-v2.ts'
import type { UsersNeeds } from './needs.ts'
import { filtersOfV2, sortingOf } from './queries.ts'
import { userRefusals } from './refusals.ts'
import { removeUser } from './removing.ts'

/** What the caller may see: the users of some organizations, and always oneself. */
const visibleTo = (call: Call): readonly Filter<UserField>[] => {
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

const userRpc = ({ store, newId, whenRemoved }: UsersNeeds): Implementation<typeof UserService> => {
  const change = async (call: Call, userId: string, command: UserCommand) => {
    await userForCaller(store, call, userId)
    const { value, sequence } = await store.write(call.origin, (work) => work.decide(users, userId, command))
    return { details: detailsV2(value, sequence) }
  }

  return {
    async createUser({ organizationId, userId = newId(), username = userId, userType }, call) {
      call.authorize(organizationId)
      if (userType.case === undefined) {
        const violations = [{ field: 'userType', description: 'must be given' }]
        throw refused(userRefusals, 'user.field_invalid', { violations })
      }
      const { name, description = '', accessTokenType } = userType.value
      checkUserId(userId)
      checkUserName('username', username)
      checkMachineTexts(name, description, 'machine.')
      const { value } = await addUser(store, call.origin, {
        userId,
        organizationId,
        command: {
          type: 'add_machine',
          userName: username,
          name,
          description,
          accessTokenType: accessTokenType === AccessTokenType.JWT ? 'jwt' : 'bearer',
        },
      })
      return { id: userId, creationDate: timestampFromMs(value.createdAt) }
    },

    async getUserByID({ userId }, call) {
      const document = await userForCaller(store, call, userId)
      return { details: detailsV2(document), user: userV2(document) }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await store.find(users, {
        where: { all: [...visibleTo(call), ...filtersOfV2(queries)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV2(page, call.at), sortingColumn, result: page.documents.map(userV2) }
    },

    deactivateUser: ({ userId }, call) => change(call, userId, { type: 'deactivate' }),
    reactivateUser: ({ userId }, call) => change(call, userId, { type: 'reactivate' }),
    lockUser: ({ userId }, call) => change(call, userId, { type: 'lock' }),
    unlockUser: ({ userId }, call) => change(call, userId, { type: 'unlock' }),

    async deleteUser({ userId }, call) {
      await userForCaller(store, call, userId)
      const { value, sequence } = await removeUser(store, call.origin, userId, whenRemoved)
      return { details: detailsV2(value, sequence) }
    },
  }
}

/** The v2 methods of this room. */
export const userMethodsV2 = (needs: UsersNeeds): readonly Method[] => methods(UserService, userRpc(needs))
