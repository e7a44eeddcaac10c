/** The v1 methods for passkeys and security keys: those of a human user, and those of oneself. */
import type { JsonObject } from '@bufbuild/protobuf'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AuthFactorState, type WebAuthNVerification } from '../../../contract/gen/signet/user/v1/authentication_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { touchedV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import { TO_THE_USER } from '../messages/index.ts'
import {
  type LivingUser,
  userForCaller,
  userInReachToChange,
  userOfOrganization,
  userOfOrganizationToChange,
  userToChange,
} from '../users/index.ts'
import type { KeyUse } from './events.ts'
import { findPendingKeys } from './find-keys.ts'
import { createLink, createLinkAddress } from './handlers/create-link.ts'
import { passkeyRefusals } from './refusals.ts'
import { decideLink, finishFor, listKeys, registerFor, removeFor } from './rpc-v2.ts'

async function start(app: App, call: Call, use: KeyUse) {
  const { userId } = call.caller
  await userToChange(app, call, userId)
  const { options, user } = await registerFor(app, call, { userId, use, domain: '' })
  return { details: touchedV2(user, call.at), key: { publicKey: Buffer.from(JSON.stringify(options)) } }
}

/** The JSON text that the browser returned. */
function credentialOf(text: Uint8Array): JsonObject {
  try {
    const credential: unknown = JSON.parse(Buffer.from(text).toString())
    if (typeof credential === 'object' && credential !== null && !Array.isArray(credential)) {
      return credential as JsonObject
    }
  } catch {
    // Below.
  }
  const violations = [{ field: 'verification.publicKeyCredential', description: 'must be a JSON object' }]
  throw refused(passkeyRefusals, 'passkey.attestation_invalid', { violations })
}

/** Completes the registration that was started last: requests of the v1 service do not name it. */
async function finish(app: App, call: Call, use: KeyUse, verification: WebAuthNVerification | undefined) {
  const { userId } = call.caller
  await userToChange(app, call, userId)
  const credential = credentialOf(verification?.publicKeyCredential ?? new Uint8Array())
  const [passkeyId] = await findPendingKeys(app, userId, use)
  if (passkeyId === undefined) throw refused(passkeyRefusals, 'passkey.not_found')
  const name = verification?.tokenName ?? ''
  return finishFor(app, call, { userId, use, passkeyId, credential, name, nameField: 'verification.tokenName' })
}

async function makeLink(app: App, call: Call, of: Document<LivingUser>) {
  const delivery = await decideLink(app, call, of, { type: 'return' })
  const { user, link, lifetimeMs } = await createLinkAddress(app, call.origin, of.id, delivery)
  return { details: touchedV2(user, call.at), link, expiration: durationFromMs(lifetimeMs) }
}

async function sendLink(app: App, call: Call, userId: string) {
  const { user } = await createLink(app, call.origin, userId, TO_THE_USER)
  return { details: touchedV2(user, call.at) }
}

async function listOf(app: App, userId: string) {
  const { keys } = await listKeys(app, userId)
  const result = keys.map(({ id, isReady, name }) => ({
    id,
    name,
    state: isReady ? AuthFactorState.READY : AuthFactorState.NOT_READY,
  }))
  return { result }
}

function ownMethods(app: App): readonly Method[] {
  const removeOwn = (call: Call, use: KeyUse, passkeyId: string) =>
    removeFor(app, call, { userId: call.caller.userId, use, passkeyId })
  return methods(AuthService, {
    addMyAuthFactorU2F: (_, call) => start(app, call, 'second_factor'),
    verifyMyAuthFactorU2F: ({ verification }, call) => finish(app, call, 'second_factor', verification),
    removeMyAuthFactorU2F: ({ tokenId }, call) => removeOwn(call, 'second_factor', tokenId),

    async listMyPasswordless(_, call) {
      const { id } = await userForCaller(app, call, call.caller.userId)
      return listOf(app, id)
    },
    addMyPasswordless: (_, call) => start(app, call, 'passkey'),
    verifyMyPasswordless: ({ verification }, call) => finish(app, call, 'passkey', verification),
    addMyPasswordlessLink: async (_, call) => makeLink(app, call, await userToChange(app, call, call.caller.userId)),
    async sendMyPasswordlessLink(_, call) {
      const { id } = await userToChange(app, call, call.caller.userId)
      return sendLink(app, call, id)
    },
    removeMyPasswordless: ({ tokenId }, call) => removeOwn(call, 'passkey', tokenId),
  })
}

function managementMethods(app: App): readonly Method[] {
  const removeOf = async (call: Call, userId: string, use: KeyUse, passkeyId: string) => {
    await userOfOrganizationToChange(app, call, userId)
    return removeFor(app, call, { userId, use, passkeyId })
  }
  return methods(ManagementService, {
    removeHumanAuthFactorU2F: ({ userId, tokenId }, call) => removeOf(call, userId, 'second_factor', tokenId),

    async listHumanPasswordless({ userId }, call) {
      const { id } = await userOfOrganization(app, call, userId)
      return listOf(app, id)
    },
    addPasswordlessRegistration: async ({ userId }, call) =>
      makeLink(app, call, await userInReachToChange(app, call, userId)),
    async sendPasswordlessRegistration({ userId }, call) {
      const { id } = await userInReachToChange(app, call, userId)
      return sendLink(app, call, id)
    },
    removeHumanPasswordless: ({ userId, tokenId }, call) => removeOf(call, userId, 'passkey', tokenId),
  })
}

/** The v1 methods for passkeys and security keys. */
export function passkeyMethodsV1(app: App): readonly Method[] {
  return [...ownMethods(app), ...managementMethods(app)]
}
