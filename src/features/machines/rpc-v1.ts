/** The v1 methods for machine users of the organization of the call. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused, violationsOf } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import {
  checkMachineTexts,
  checkNewMachine,
  type GivenMachine,
  userOfOrganization,
  userOfOrganizationToChange,
  users,
} from '../users/index.ts'
import { machineKeys, personalAccessTokens } from './documents.ts'
import { addMachineKey, addPersonalAccessToken, setMachineSecret } from './handlers/add-credential.ts'
import { addMachine } from './handlers/add-machine.ts'
import { removeMachineKey, removeMachineSecret, removePersonalAccessToken } from './handlers/remove-credential.ts'
import { expirationOf, keyV1, tokenV1 } from './messages.ts'
import { machineRefusals } from './refusals.ts'

function accessTokenTypeOf(type: AccessTokenType) {
  return type === AccessTokenType.JWT ? 'jwt' : 'bearer'
}

function checkGiven(given: GivenMachine): void {
  checkNewMachine(given, { userName: 'userName', prefix: '' })
}

function machineRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async addMachineUser(message, call) {
      checkGiven(message)
      const { userName, name, description, accessTokenType, userId } = message
      const machine = { userName, name, description, accessTokenType: accessTokenTypeOf(accessTokenType) } as const
      const { value } = await addMachine(app, call.origin, { userId, organizationId: call.organizationId, machine })
      return { userId: value.id, details: detailsV1(value) }
    },

    async updateMachine({ userId, name, description, accessTokenType }, call) {
      checkMachineTexts(name, description)
      await userOfOrganizationToChange(app, call, userId)
      const profile = { name, description, accessTokenType: accessTokenTypeOf(accessTokenType) } as const
      const { value } = await app.store.write(call.origin, (work) =>
        work.decide(users, userId, { type: 'change_machine', ...profile }),
      )
      return { details: detailsV1(value) }
    },

    async generateMachineSecret({ userId }, call) {
      const { state } = await userOfOrganizationToChange(app, call, userId)
      const { secret, written } = await setMachineSecret(app, call, userId)
      const details = detailsV1(written.value)
      return { clientId: state.userName, clientSecret: secret, details }
    },

    async removeMachineSecret({ userId }, call) {
      await userOfOrganizationToChange(app, call, userId)
      const { value } = await removeMachineSecret(app, call.origin, userId)
      return { details: detailsV1(value) }
    },
  }
}

function keyRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async addMachineKey({ userId, expirationDate, publicKey }, call) {
      const expiresAt = expirationOf(expirationDate, call.at)
      await userOfOrganizationToChange(app, call, userId)
      const { keyId, file, written } = await addMachineKey(app, call, userId, { expiresAt }, publicKey)
      return { keyId, keyDetails: file, details: detailsV1(written.value) }
    },

    async getMachineKeyByIDs({ userId, keyId }, call) {
      await userOfOrganization(app, call, userId)
      const key = await app.store.get(machineKeys, keyId)
      if (key?.state.status !== 'active' || key.state.userId !== userId) {
        throw refused(machineRefusals, 'machine.key_not_found')
      }
      return { key: keyV1(key) }
    },

    async listMachineKeys({ userId, query }, call) {
      const page = pageOf(query, 'query')
      await userOfOrganization(app, call, userId)
      const found = await app.store.find(machineKeys, { where: { field: 'userId', equals: userId }, ...page })
      return { details: listDetailsV1(found, call.at), result: found.documents.map(keyV1) }
    },

    async removeMachineKey({ userId, keyId }, call) {
      const user = await userOfOrganizationToChange(app, call, userId)
      return { details: detailsV1(await removeMachineKey(app, call.origin, user, keyId)) }
    },
  }
}

function tokenRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async addPersonalAccessToken({ userId, expirationDate }, call) {
      const expiresAt = expirationOf(expirationDate, call.at)
      await userOfOrganizationToChange(app, call, userId)
      const { tokenId, token, written } = await addPersonalAccessToken(app, call, userId, { expiresAt })
      return { tokenId, token, details: detailsV1(written.value) }
    },

    async getPersonalAccessTokenByIDs({ userId, tokenId }, call) {
      await userOfOrganization(app, call, userId)
      const token = await app.store.get(personalAccessTokens, tokenId)
      if (token?.state.status !== 'active' || token.state.userId !== userId) {
        throw refused(machineRefusals, 'machine.token_not_found')
      }
      return { token: tokenV1(token) }
    },

    async listPersonalAccessTokens({ userId, query }, call) {
      const page = pageOf(query, 'query')
      await userOfOrganization(app, call, userId)
      const found = await app.store.find(personalAccessTokens, { where: { field: 'userId', equals: userId }, ...page })
      return { details: listDetailsV1(found, call.at), result: found.documents.map(tokenV1) }
    },

    async removePersonalAccessToken({ userId, tokenId }, call) {
      const user = await userOfOrganizationToChange(app, call, userId)
      return { details: detailsV1(await removePersonalAccessToken(app, call.origin, user, tokenId)) }
    },
  }
}

/** The v1 methods of this module. */
export function machineMethodsV1(app: App): readonly Method[] {
  return [machineRpc(app), keyRpc(app), tokenRpc(app)].flatMap((rpc) =>
    methods(ManagementService, rpc, { addMachineUser: (message) => violationsOf(() => checkGiven(message)) }),
  )
}
