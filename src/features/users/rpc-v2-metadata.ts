/** The metadata of users in the v2 service. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import { textFilter, type Work } from '../../store/index.ts'
import { checkMetadataKeys, listMetadata, METADATA_KEY, removeMetadata, setMetadata } from '../metadata/index.ts'
import { users } from './documents.ts'
import { userForCaller } from './finding.ts'
import type { UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'

/** Guards that the user stays until the commit: what is kept about somebody goes with them. */
export async function requireUser(work: Work, userId: string): Promise<void> {
  if ((await work.get(users, userId)) === undefined) throw refused(userRefusals, 'user.not_found')
}

function metadataRpc({ store }: UsersNeeds): Implementation<typeof UserService> {
  return {
    async setUserMetadata({ userId, metadata }, call) {
      const { owner } = await userForCaller(store, call, userId)
      checkMetadataKeys(metadata, 'metadata')
      const { at } = await store.write(call.origin, async (work) => {
        await requireUser(work, userId)
        await setMetadata(work, { userId, organizationId: owner }, metadata)
      })
      return { setDate: timestampFromMs(at) }
    },

    async listUserMetadata({ userId, pagination, filters }, call) {
      await userForCaller(store, call, userId)
      const conditions = filters.map(({ filter }) => {
        if (filter.case === undefined) throw refused(userRefusals, 'user.query_invalid')
        return textFilter(METADATA_KEY, filter.value.method, filter.value.key)
      })
      const page = pageOf(pagination, 'pagination')
      const where = { all: [{ field: 'userId', equals: userId } as const, ...conditions] }
      const { documents, total } = await listMetadata(store, { where, orderBy: 'typedKey', ...page })
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        metadata: documents.map(({ createdAt, changedAt, state }) => ({
          creationDate: timestampFromMs(createdAt),
          changeDate: timestampFromMs(changedAt),
          key: state.key,
          value: Buffer.from(state.value, 'base64'),
        })),
      }
    },

    async deleteUserMetadata({ userId, keys }, call) {
      await userForCaller(store, call, userId)
      const { at } = await store.write(call.origin, async (work) => {
        await requireUser(work, userId)
        await removeMetadata(work, userId, keys)
      })
      return { deletionDate: timestampFromMs(at) }
    },
  }
}

/** The methods about metadata. */
export function metadataMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, metadataRpc(needs))
}
