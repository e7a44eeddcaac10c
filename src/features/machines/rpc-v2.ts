/** Credentials of machines as the v2 service serves them: of every organization in which the caller may act. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { userForCaller } from '../users/index.ts'
import {
  addMachineKey,
  addPersonalAccessToken,
  removeMachineKey,
  removeMachineSecret,
  removePersonalAccessToken,
  setMachineSecret,
} from './credentials.ts'
import { machineKeys, personalAccessTokens } from './documents.ts'
import { expirationOf } from './expiration.ts'
import { credentialV2 } from './messages.ts'
import type { MachinesNeeds } from './needs.ts'
import { credentialFilter, sortingOf, visibleTo } from './queries.ts'

function userRpc(needs: MachinesNeeds): Implementation<typeof UserService> {
  const { store } = needs
  return {
    async addSecret({ userId }, call) {
      await userForCaller(store, call, userId)
      const { secret, written } = await setMachineSecret(store, call, userId)
      return { creationDate: timestampFromMs(written.at), clientSecret: secret }
    },

    async removeSecret({ userId }, call) {
      await userForCaller(store, call, userId)
      const { at } = await removeMachineSecret(store, call.origin, userId)
      return { deletionDate: timestampFromMs(at) }
    },

    async addKey({ userId, expirationDate, publicKey }, call) {
      await userForCaller(store, call, userId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { keyId, file, written } = await addMachineKey(needs, call, userId, expiresAt, publicKey)
      return { creationDate: timestampFromMs(written.at), keyId, keyContent: file }
    },

    async removeKey({ userId, keyId }, call) {
      await userForCaller(store, call, userId)
      const { at } = await removeMachineKey(store, call.origin, userId, keyId)
      return { deletionDate: timestampFromMs(at) }
    },

    async listKeys({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await store.find(machineKeys, {
        where: { all: [...visible, ...filters.map(({ filter }) => credentialFilter(filter))] },
        orderBy: sortingOf(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        result: page.documents.map(credentialV2),
      }
    },

    async addPersonalAccessToken({ userId, expirationDate }, call) {
      await userForCaller(store, call, userId)
      const expiresAt = expirationOf(expirationDate, call.at)
      const { tokenId, token, written } = await addPersonalAccessToken(needs, call, userId, expiresAt)
      return { creationDate: timestampFromMs(written.at), tokenId, token }
    },

    async removePersonalAccessToken({ userId, tokenId }, call) {
      await userForCaller(store, call, userId)
      const { at } = await removePersonalAccessToken(store, call.origin, userId, tokenId)
      return { deletionDate: timestampFromMs(at) }
    },

    async listPersonalAccessTokens({ pagination, sortingColumn, filters }, call) {
      const visible = visibleTo(call)
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const page = await store.find(personalAccessTokens, {
        where: { all: [...visible, ...filters.map(({ filter }) => credentialFilter(filter))] },
        orderBy: sortingOf(sortingColumn),
        descending,
        limit,
        offset,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        result: page.documents.map(credentialV2),
      }
    },
  }
}

/** The v2 methods of this room. */
export function machineMethodsV2(needs: MachinesNeeds): readonly Method[] {
  return methods(UserService, userRpc(needs))
}
