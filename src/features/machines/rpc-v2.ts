/** The v2 methods for credentials of machine users, in all organizations in which the caller has the permission. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { userToChange } from '../users/index.ts'
import { machineKeys, personalAccessTokens } from './documents.ts'
import { addMachineKey, addPersonalAccessToken, setMachineSecret } from './handlers/add-credential.ts'
import { removeMachineKey, removeMachineSecret, removePersonalAccessToken } from './handlers/remove-credential.ts'
import { credentialV2, expirationOf } from './messages.ts'
import { credentialFilter, sortingOf, visibleTo } from './queries.ts'

function keyRpc(app: App): Implementation<typeof UserService> {
  return {
    async addSecret({ userId }, call) {
      await userToChange(app, call, userId)
      const { secret, written } = await setMachineSecret(app, call, userId)
      return { creationDate: timestampFromMs(written.at), clientSecret: secret }
    },

    async removeSecret({ userId }, call) {
      await userToChange(app, call, userId)
      const { at } = await removeMachineSecret(app, call.origin, userId)
      return { deletionDate: timestampFromMs(at) }
    },

    async addKey({ userId, expirationDate, publicKey, name }, call) {
      await userToChange(app, call, userId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { keyId, file, written } = await addMachineKey(app, call, userId, { expiresAt, name }, publicKey)
      return { creationDate: timestampFromMs(written.at), keyId, keyContent: file }
    },

    async removeKey({ userId, keyId }, call) {
      const user = await userToChange(app, call, userId)
      const { changedAt } = await removeMachineKey(app, call.origin, user, keyId)
      return { deletionDate: timestampFromMs(changedAt) }
    },

    async listKeys({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await app.store.find(machineKeys, {
        where: { all: [...visible, ...filters.map(({ filter }) => credentialFilter(filter))] },
        orderBy: sortingOf(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        result: await Promise.all(page.documents.map((key) => credentialV2(app, 'key', key))),
      }
    },
  }
}

function tokenRpc(app: App): Implementation<typeof UserService> {
  return {
    async addPersonalAccessToken({ userId, expirationDate, name }, call) {
      await userToChange(app, call, userId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { tokenId, token, written } = await addPersonalAccessToken(app, call, userId, { expiresAt, name })
      return { creationDate: timestampFromMs(written.at), tokenId, token }
    },

    async removePersonalAccessToken({ userId, tokenId }, call) {
      const user = await userToChange(app, call, userId)
      const { changedAt } = await removePersonalAccessToken(app, call.origin, user, tokenId)
      return { deletionDate: timestampFromMs(changedAt) }
    },

    async listPersonalAccessTokens({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await app.store.find(personalAccessTokens, {
        where: { all: [...visible, ...filters.map(({ filter }) => credentialFilter(filter))] },
        orderBy: sortingOf(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        result: await Promise.all(page.documents.map((token) => credentialV2(app, 'token', token))),
      }
    },
  }
}

/** The v2 methods of this module. */
export function machineMethodsV2(app: App): readonly Method[] {
  return [keyRpc(app), tokenRpc(app)].flatMap((rpc) => methods(UserService, rpc))
}
