/** Machines as the v1 service serves them: those of the organization of the call. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV1, listDetailsV1 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import { addUser, checkMachineTexts, checkUserId, checkUserName, userOfOrganization, users } from '../users/index.ts'
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
import { keyV1, tokenV1 } from './messages.ts'
import type { MachinesNeeds } from './needs.ts'
import { machineRefusals } from './refusals.ts'

function accessTokenTypeOf(type: AccessTokenType) {
  return type === AccessTokenType.JWT ? 'jwt' : 'bearer'
}

function managementRpc(needs: MachinesNeeds): Implementation<typeof ManagementService> {
  const { store, newId } = needs

  /** The user of the call's organization, checked before anything is done to its credentials. */
  const userOf = (call: Call, userId: string) => userOfOrganization(store, call, userId)

  return {
    async addMachineUser({ userName, name, description, accessTokenType, userId: chosenId }, call) {
      checkUserName('userName', userName)
      checkMachineTexts(name, description)
      if (chosenId !== undefined) checkUserId(chosenId)
      const userId = chosenId ?? newId()
      const command = {
        type: 'add_machine',
        userName,
        name,
        description,
        accessTokenType: accessTokenTypeOf(accessTokenType),
      } as const
      const { organizationId } = call
      const user = { userId, isOwnId: chosenId === undefined, organizationId, command }
      const { value, sequence } = await addUser(store, call.origin, user)
      return { userId, details: detailsV1(value, sequence) }
    },

    async updateMachine({ userId, name, description, accessTokenType }, call) {
      checkMachineTexts(name, description)
      await userOf(call, userId)
      const profile = { name, description, accessTokenType: accessTokenTypeOf(accessTokenType) } as const
      const { value, sequence } = await store.write(call.origin, (work) =>
        work.decide(users, userId, { type: 'change_machine', ...profile }),
      )
      return { details: detailsV1(value, sequence) }
    },

    async generateMachineSecret({ userId }, call) {
      const { state } = await userOf(call, userId)
      const { secret, written } = await setMachineSecret(store, call, userId)
      const details = detailsV1(written.value, written.sequence)
      return { clientId: state.userName, clientSecret: secret, details }
    },

    async removeMachineSecret({ userId }, call) {
      await userOf(call, userId)
      const { value, sequence } = await removeMachineSecret(store, call.origin, userId)
      return { details: detailsV1(value, sequence) }
    },

    async addMachineKey({ userId, expirationDate, publicKey }, call) {
      const expiresAt = expirationOf(expirationDate, call.at)
      await userOf(call, userId)
      const { keyId, file, written } = await addMachineKey(needs, call, userId, expiresAt, publicKey)
      return { keyId, keyDetails: file, details: detailsV1(written.value, written.sequence) }
    },

    async getMachineKeyByIDs({ userId, keyId }, call) {
      await userOf(call, userId)
      const key = await store.get(machineKeys, keyId)
      if (key?.state.status !== 'active' || key.state.userId !== userId) {
        throw refused(machineRefusals, 'machine.key_not_found')
      }
      return { key: keyV1(key) }
    },

    async listMachineKeys({ userId, query }, call) {
      const page = pageOf(query, 'query')
      await userOf(call, userId)
      const found = await store.find(machineKeys, { where: { field: 'userId', equals: userId }, ...page })
      return { details: listDetailsV1(found, call.at), result: found.documents.map(keyV1) }
    },

    async removeMachineKey({ userId, keyId }, call) {
      await userOf(call, userId)
      const { value, sequence } = await removeMachineKey(store, call.origin, userId, keyId)
      return { details: detailsV1(value, sequence) }
    },

    async addPersonalAccessToken({ userId, expirationDate }, call) {
      const expiresAt = expirationOf(expirationDate, call.at)
      await userOf(call, userId)
      const { tokenId, token, written } = await addPersonalAccessToken(needs, call, userId, expiresAt)
      return { tokenId, token, details: detailsV1(written.value, written.sequence) }
    },

    async getPersonalAccessTokenByIDs({ userId, tokenId }, call) {
      await userOf(call, userId)
      const token = await store.get(personalAccessTokens, tokenId)
      if (token?.state.status !== 'active' || token.state.userId !== userId) {
        throw refused(machineRefusals, 'machine.token_not_found')
      }
      return { token: tokenV1(token) }
    },

    async listPersonalAccessTokens({ userId, query }, call) {
      const page = pageOf(query, 'query')
      await userOf(call, userId)
      const found = await store.find(personalAccessTokens, { where: { field: 'userId', equals: userId }, ...page })
      return { details: listDetailsV1(found, call.at), result: found.documents.map(tokenV1) }
    },

    async removePersonalAccessToken({ userId, tokenId }, call) {
      await userOf(call, userId)
      const { value, sequence } = await removePersonalAccessToken(store, call.origin, userId, tokenId)
      return { details: detailsV1(value, sequence) }
    },
  }
}

/** The v1 methods of this room. */
export function machineMethodsV1(needs: MachinesNeeds): readonly Method[] {
  return methods(ManagementService, managementRpc(needs))
}
