/** The metadata of users: the v1 services for one organization and for oneself, the v2 service for all. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { MetadataQuery } from '../../../contract/gen/signet/metadata/v1/metadata_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import { textFilter } from '../../store/index.ts'
import {
  checkMetadataKeys,
  findMetadata,
  listMetadata,
  METADATA_KEY,
  metadataId,
  metadataRefusals,
  type NewMetadata,
  removeMetadata,
  type SetMetadata,
  setMetadata,
  userMetadata,
} from '../metadata/index.ts'
import {
  isUserInReach,
  requireUser,
  userForCaller,
  userOfOrganization,
  userOfOrganizationToChange,
  userRefusals,
  userToChange,
} from '../users/index.ts'

function metadataV1(document: Document<SetMetadata>) {
  return {
    details: detailsV1(document),
    key: document.state.key,
    value: Buffer.from(document.state.value, 'base64'),
  }
}

/** Sets entries and returns the details of the last one. */
async function setEntries(app: App, call: Call, userId: string, entries: readonly NewMetadata[]) {
  const user = await userOfOrganizationToChange(app, call, userId)
  checkMetadataKeys(entries, 'metadata')
  const { value } = await app.store.write(call.origin, async (work) => {
    await requireUser(work, userId)
    await setMetadata(work, { userId, organizationId: user.owner }, entries)
    const last = entries.at(-1)
    return last === undefined ? undefined : work.get(userMetadata, metadataId(userId, last.key))
  })
  return { details: detailsV1(value ?? user) }
}

interface EntryList {
  readonly query?: ListQuery | undefined
  readonly queries: readonly MetadataQuery[]
}

async function listEntries(app: App, call: Call, userId: string, { query, queries }: EntryList) {
  const conditions = queries.map((one) => {
    if (one.query.case === undefined) throw refused(userRefusals, 'user.query_invalid')
    return textFilter(METADATA_KEY, one.query.value.method, one.query.value.key)
  })
  const where = { all: [{ field: 'userId', equals: userId } as const, ...conditions] }
  const page = await listMetadata(app, { where, orderBy: 'typedKey', ...pageOf(query, 'query') })
  return { details: listDetailsV1(page, call.at), result: page.documents.map(metadataV1) }
}

async function getEntry(app: App, userId: string, key: string) {
  const entry = await findMetadata(app, userId, key)
  if (entry === undefined) throw refused(metadataRefusals, 'metadata.not_found')
  return { metadata: metadataV1(entry) }
}

function removeEntries(app: App, call: Call, userId: string, keys: readonly string[]) {
  return app.store.write(call.origin, async (work) => {
    await requireUser(work, userId)
    return removeMetadata(work, userId, keys)
  })
}

function managementRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async setUserMetadata({ id, key, value }, call) {
      return { id, ...(await setEntries(app, call, id, [{ key, value }])) }
    },

    bulkSetUserMetadata: ({ id, metadata }, call) => setEntries(app, call, id, metadata),

    async listUserMetadata({ id, query, queries }, call) {
      await userOfOrganization(app, call, id)
      return listEntries(app, call, id, { query, queries })
    },

    async getUserMetadata({ id, key }, call) {
      await userOfOrganization(app, call, id)
      return getEntry(app, id, key)
    },

    async removeUserMetadata({ id, key }, call) {
      const user = await userOfOrganizationToChange(app, call, id)
      const { value } = await removeEntries(app, call, id, [key])
      const [entry = user] = value
      return { details: detailsV1(entry) }
    },

    async bulkRemoveUserMetadata({ id, keys }, call) {
      const user = await userOfOrganizationToChange(app, call, id)
      const { value } = await removeEntries(app, call, id, keys)
      return { details: detailsV1(value.at(-1) ?? user) }
    },
  }
}

function authRpc(app: App): Implementation<typeof AuthService> {
  return {
    async listMyMetadata(list, call) {
      const { id } = await userForCaller(app, call, call.caller.userId)
      return listEntries(app, call, id, list)
    },

    async getMyMetadata({ key }, call) {
      const { id } = await userForCaller(app, call, call.caller.userId)
      return getEntry(app, id, key)
    },
  }
}

function userRpc(app: App): Implementation<typeof UserService> {
  return {
    async setUserMetadata({ userId, metadata }, call) {
      const { owner, changedAt } = await userToChange(app, call, userId)
      checkMetadataKeys(metadata, 'metadata')
      const { value } = await app.store.write(call.origin, async (work) => {
        await requireUser(work, userId)
        return setMetadata(work, { userId, organizationId: owner }, metadata)
      })
      return { setDate: timestampFromMs(value ?? changedAt) }
    },

    async listUserMetadata({ userId, pagination, filters }, call) {
      const page = pageOf(pagination, 'pagination')
      if (!(await isUserInReach(app, call, userId))) return { pagination: { appliedLimit: BigInt(page.limit) } }
      const conditions = filters.map(({ filter }) => {
        if (filter.case === undefined) throw refused(userRefusals, 'user.query_invalid')
        return textFilter(METADATA_KEY, filter.value.method, filter.value.key)
      })
      const where = { all: [{ field: 'userId', equals: userId } as const, ...conditions] }
      const { documents, total } = await listMetadata(app, { where, orderBy: 'typedKey', ...page })
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
      await userToChange(app, call, userId)
      const { value, at } = await removeEntries(app, call, userId, keys)
      const dates = value.map(({ changedAt }) => changedAt)
      return { deletionDate: timestampFromMs(dates.length === 0 ? at : Math.max(...dates)) }
    },
  }
}

/** The methods about metadata. */
export function metadataMethods(app: App): readonly Method[] {
  return [
    ...methods(ManagementService, managementRpc(app)),
    ...methods(AuthService, authRpc(app)),
    ...methods(UserService, userRpc(app)),
  ]
}
