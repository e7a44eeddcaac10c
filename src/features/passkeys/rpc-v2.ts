/** The UserService methods for passkeys and security keys. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import {
  type CreatePasskeyRegistrationLinkRequest,
  PasskeyAuthenticator,
  type RegisterPasskeyRequest,
} from '../../../contract/gen/signet/user/v2/passkey_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { requireFreshSignIn } from '../../access/fresh-sign-in.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsSomewhere } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV2, listDetailsV2, touchedV2 } from '../../module/details.ts'
import { removeOnce } from '../../module/remove-once.ts'
import type { Document, Written } from '../../store/index.ts'
import { requireCovers } from '../memberships/index.ts'
import { type AskedDelivery, decideDelivery, urlTemplateProblem } from '../messages/index.ts'
import { humanForCaller, userForCaller, users, userToChange } from '../users/index.ts'
import { hideCodeReason } from '../verifications/index.ts'
import { passkeys } from './documents.ts'
import type { KeyUse } from './events.ts'
import { findPendingKeys, SEARCH_LIMIT } from './find-keys.ts'
import { type KeyOf, removeKey, renameKey } from './handlers/change-key.ts'
import { createLink } from './handlers/create-link.ts'
import {
  finishRegistration,
  type GivenCredential,
  startRegistration,
  startRegistrationByLink,
} from './handlers/register-key.ts'
import { passkeyRefusals } from './refusals.ts'
import type { Attachment } from './webauthn/options.ts'

const ATTACHMENTS: ReadonlyMap<PasskeyAuthenticator, Attachment> = new Map([
  [PasskeyAuthenticator.PLATFORM, 'platform'],
  [PasskeyAuthenticator.CROSS_PLATFORM, 'cross-platform'],
])

function askedDelivery({ medium }: CreatePasskeyRegistrationLinkRequest): AskedDelivery {
  return medium.case === 'returnCode' ? { type: 'return' } : { type: 'send', urlTemplate: medium.value?.urlTemplate }
}

function written({ value }: Written<Document<unknown>>) {
  return { details: detailsV2(value) }
}

/** Starts the registration of a key for a caller who may act on the user. */
export async function registerFor(
  app: App,
  call: Call,
  of: { readonly userId: string; readonly use: KeyUse; readonly domain: string; readonly attachment?: Attachment },
) {
  requireFreshSignIn(call, of.userId)
  if (call.caller.userId !== of.userId) await requireCovers(app, call, of.userId)
  return startRegistration(app, call.origin, of)
}

async function registerByPermission(app: App, call: Call, { userId, domain, authenticator }: RegisterPasskeyRequest) {
  const isOneself = call.caller.userId === userId
  // A caller without the permission anywhere does not learn whether the user exists.
  if (!isOneself && !holdsSomewhere(call.caller.grants, 'user.passkey.write')) {
    throw refused(accessRefusals, 'access.forbidden')
  }
  await humanForCaller(app, call, userId, 'user.passkey.write')
  return registerFor(app, call, { userId, use: 'passkey', domain, attachment: ATTACHMENTS.get(authenticator) })
}

async function registerByLink(app: App, call: Call, message: RegisterPasskeyRequest) {
  const { userId, domain, authenticator, code } = message
  const of = { userId, domain, attachment: ATTACHMENTS.get(authenticator) }
  try {
    return await startRegistrationByLink(app, call.origin, of, { codeId: code?.id ?? '', code: code?.code ?? '' })
  } catch (error) {
    throw hideCodeReason(app, call, await app.store.get(users, userId), error)
  }
}

/**
 * Only the caller who started it knows the challenge, and starting requires a link or a permission. A login page completes
 * it for the user.
 */
export async function finishFor(app: App, call: Call, given: GivenCredential) {
  await userForCaller(app, call, given.userId)
  return written(await finishRegistration(app, call.origin, given))
}

async function rename(app: App, call: Call, of: KeyOf, name: string, nameField: string) {
  await userToChange(app, call, of.userId)
  return written(await renameKey(app, call.origin, of, name, nameField))
}

/** Removes a key for a caller. */
export async function removeFor(app: App, call: Call, of: KeyOf) {
  const user = await userToChange(app, call, of.userId)
  const findRemoved = async (): Promise<Document<unknown> | undefined> => {
    const before = await app.store.getRemoved(passkeys, of.passkeyId)
    return before?.owner === user.owner ? before : undefined
  }
  const removed = await removeOnce(findRemoved, async () => (await removeKey(app, call.origin, of)).value)
  return { details: detailsV2(removed) }
}

/**
 * Decides how a link is delivered. Users can have the link to a passkey of their own: in the same session they could
 * register one at once.
 */
export async function decideLink(app: App, call: Call, user: Document<unknown>, asked: AskedDelivery) {
  const chooser = { permission: 'user.passkey.write', isOwnChoice: true }
  const delivery = await decideDelivery(app, call, user, asked, chooser)
  const template = asked.type === 'send' ? asked.urlTemplate : undefined
  const description = template === undefined ? undefined : urlTemplateProblem(template, 'passkey_link')
  if (description === undefined) return delivery
  const violations = [{ field: 'sendLink.urlTemplate', description }]
  throw refused(passkeyRefusals, 'passkey.link_invalid', { violations })
}

/** The passkeys of a user, and the one whose registration is not completed. */
export async function listKeys(app: App, userId: string) {
  const where = {
    all: [
      { field: 'userId', equals: userId },
      { field: 'use', equals: 'passkey' },
    ],
  } as const
  const page = await app.store.find(passkeys, { where, limit: SEARCH_LIMIT })
  const ready = page.documents.flatMap(({ id, state }) =>
    state.status === 'ready' ? [{ id, isReady: true, name: state.name, usedAt: state.usedAt }] : [],
  )
  const pendingIds = await findPendingKeys(app, userId, 'passkey')
  const keys = [...ready, ...pendingIds.map((id) => ({ id, isReady: false, name: '', usedAt: undefined }))]
  return { keys, page: { ...page, total: keys.length } }
}

async function listPasskeys(app: App, call: Call, userId: string) {
  await userForCaller(app, call, userId)
  const { keys, page } = await listKeys(app, userId)
  const registered = keys.filter(({ isReady }) => isReady)
  const result = registered.map(({ id, name, usedAt }) => ({
    id,
    name,
    state: AuthFactorState.READY,
    ...(usedAt !== undefined && { lastUsedDate: timestampFromMs(usedAt) }),
  }))
  return { details: listDetailsV2({ ...page, total: registered.length }, call.at), result }
}

/** The methods for passkeys, and those for security keys, which are named U2F. */
export function passkeyMethods(app: App): readonly Method[] {
  return methods(UserService, {
    async registerPasskey(message, call) {
      const register = message.code === undefined ? registerByPermission : registerByLink
      const { passkeyId, options, user } = await register(app, call, message)
      return { details: touchedV2(user, call.at), passkeyId, publicKeyCredentialCreationOptions: options }
    },

    verifyPasskeyRegistration: ({ userId, passkeyId, publicKeyCredential = {}, passkeyName }, call) =>
      finishFor(app, call, {
        userId,
        use: 'passkey',
        passkeyId,
        credential: publicKeyCredential,
        name: passkeyName,
        nameField: 'passkeyName',
      }),

    async createPasskeyRegistrationLink(message, call) {
      const { userId } = message
      const delivery = await decideLink(app, call, await userToChange(app, call, userId), askedDelivery(message))
      const { user, codeId, code } = await createLink(app, call.origin, userId, delivery)
      const details = touchedV2(user, call.at)
      return delivery.type === 'return' ? { details, code: { id: codeId, code } } : { details }
    },

    listPasskeys: ({ userId }, call) => listPasskeys(app, call, userId),

    renamePasskey: ({ userId, passkeyId, passkeyName }, call) =>
      rename(app, call, { userId, use: 'passkey', passkeyId }, passkeyName, 'passkeyName'),

    removePasskey: ({ userId, passkeyId }, call) => removeFor(app, call, { userId, use: 'passkey', passkeyId }),

    async registerU2F({ userId, domain }, call) {
      await userToChange(app, call, userId)
      const of = { userId, use: 'second_factor', domain } as const
      const { passkeyId, options, user } = await registerFor(app, call, of)
      return {
        details: touchedV2(user, call.at),
        u2fId: passkeyId,
        publicKeyCredentialCreationOptions: options,
      }
    },

    async verifyU2FRegistration({ userId, u2fId, publicKeyCredential = {}, tokenName }, call) {
      await userToChange(app, call, userId)
      return finishFor(app, call, {
        userId,
        use: 'second_factor',
        passkeyId: u2fId,
        credential: publicKeyCredential,
        name: tokenName,
        nameField: 'tokenName',
      })
    },

    renameU2F: ({ userId, u2fId, tokenName }, call) =>
      rename(app, call, { userId, use: 'second_factor', passkeyId: u2fId }, tokenName, 'tokenName'),

    removeU2F: ({ userId, u2fId }, call) => removeFor(app, call, { userId, use: 'second_factor', passkeyId: u2fId }),
  })
}
