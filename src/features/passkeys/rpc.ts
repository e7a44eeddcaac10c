/** Passkeys and second-factor keys as the UserService serves them. */

import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import {
  type CreatePasskeyRegistrationLinkRequest,
  PasskeyAuthenticator,
  type RegisterPasskeyRequest,
} from '../../../contract/gen/signet/user/v2/passkey_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2, listDetailsV2, touchedV2 } from '../../access/details.ts'
import { requireFreshSignIn } from '../../access/fresh-sign-in.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsOnInstance, holdsSomewhere } from '../../access/roles.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Document, Written } from '../../store/index.ts'
import { userForCaller, users } from '../users/index.ts'
import { verificationRefusals } from '../verifications/index.ts'
import type { Passkey } from './decider.ts'
import { passkeys } from './documents.ts'
import type { KeyUse } from './events.ts'
import { SEARCH_LIMIT } from './finding.ts'
import { createLink, type LinkMedium } from './links.ts'
import type { PasskeysNeeds } from './needs.ts'
import type { Attachment } from './options.ts'
import { passkeyRefusals } from './refusals.ts'
import {
  findPerson,
  finishRegistration,
  type GivenCredential,
  type KeyOf,
  removeKey,
  renameKey,
  startRegistration,
  startRegistrationByLink,
} from './registering.ts'

const ATTACHMENTS: ReadonlyMap<PasskeyAuthenticator, Attachment> = new Map([
  [PasskeyAuthenticator.PLATFORM, 'platform'],
  [PasskeyAuthenticator.CROSS_PLATFORM, 'cross-platform'],
])

function mediumOf({ medium }: CreatePasskeyRegistrationLinkRequest): LinkMedium {
  return medium.case === 'returnCode' ? { type: 'return' } : { type: 'mail', urlTemplate: medium.value?.urlTemplate }
}

/** Refusals that say something about a user; who may not read users hears about the code only. */
const TELLTALES: ReadonlySet<string> = new Set([
  'user.not_found',
  'user.not_human',
  'user.not_active',
  'attempts.too_many',
  'attempts.locked',
  'store.conflict',
])

function written({ value, sequence }: Written<Document<Passkey>>) {
  return { details: detailsV2(value, sequence) }
}

/** The methods of this room. */
export function passkeyMethods(needs: PasskeysNeeds): readonly Method[] {
  const { store, messages } = needs

  /** Whoever has a key of somebody can become them: only who could do all that they can may register or read one. */
  const requireCovered = async (call: Call, userId: string): Promise<void> => {
    if (call.caller.userId !== userId && !(await needs.isCovered(call, userId))) {
      throw refused(passkeyRefusals, 'passkey.above_own')
    }
  }

  const registerFor = async (call: Call, userId: string, use: KeyUse, domain: string, attachment?: Attachment) => {
    requireFreshSignIn(call, userId)
    await requireCovered(call, userId)
    return startRegistration(needs, call.origin, { userId, use, domain, attachment })
  }

  const registerByPermission = async (call: Call, { userId, domain, authenticator }: RegisterPasskeyRequest) => {
    const isOneself = call.caller.userId === userId
    // Only those who may register keys somewhere hear whether there is such a user.
    if (!isOneself && !holdsSomewhere(call.caller.grants, 'user.passkey.write')) {
      throw refused(accessRefusals, 'access.forbidden')
    }
    const { owner } = await findPerson(store, userId)
    if (!isOneself && !call.may('user.passkey.write', owner)) throw refused(accessRefusals, 'access.forbidden')
    return registerFor(call, userId, 'passkey', domain, ATTACHMENTS.get(authenticator))
  }

  const isTrusted = async (call: Call, userId: string): Promise<boolean> => {
    const user = await store.get(users, userId)
    return user === undefined
      ? holdsOnInstance(call.caller.grants, 'user.read')
      : call.caller.userId === userId || call.may('user.read', user.owner) || call.may('session.write', user.owner)
  }

  /** Answers a stranger who brings a wrong code for whomever in one way. */
  const registerByLink = async (call: Call, message: RegisterPasskeyRequest) => {
    const { userId, domain, authenticator, code } = message
    const of = { userId, domain, attachment: ATTACHMENTS.get(authenticator) }
    try {
      return await startRegistrationByLink(needs, call.origin, of, { codeId: code?.id ?? '', code: code?.code ?? '' })
    } catch (error) {
      const isTelltale = error instanceof Refused && TELLTALES.has(error.code)
      if (!isTelltale || (await isTrusted(call, userId))) throw error
      throw refused(verificationRefusals, 'verification.code_invalid')
    }
  }

  const finish = async (call: Call, given: GivenCredential) => {
    await userForCaller(store, call, given.userId)
    return written(await finishRegistration(needs, call.origin, given))
  }

  const rename = async (call: Call, of: KeyOf, name: string, nameField: string) => {
    await userForCaller(store, call, of.userId)
    return written(await renameKey(store, call.origin, of, name, nameField))
  }

  const remove = async (call: Call, of: KeyOf) => {
    await userForCaller(store, call, of.userId)
    return written(await removeKey(store, call.origin, of))
  }

  /** Whoever could read the code, or have it sent to a page of theirs, could become the user. */
  const checkMedium = async (call: Call, userId: string, medium: LinkMedium): Promise<void> => {
    const template = medium.type === 'mail' ? medium.urlTemplate : undefined
    if (medium.type === 'mail' && template === undefined) return
    requireFreshSignIn(call, userId)
    await requireCovered(call, userId)
    const description = template === undefined ? undefined : messages.urlTemplateProblem(template)
    if (description === undefined) return
    const violations = [{ field: 'sendLink.urlTemplate', description }]
    throw refused(passkeyRefusals, 'passkey.link_invalid', { violations })
  }

  return methods(UserService, {
    async registerPasskey(message, call) {
      const register = message.code === undefined ? registerByPermission : registerByLink
      const { passkeyId, options, user, sequence } = await register(call, message)
      return { details: touchedV2(user, sequence, call.at), passkeyId, publicKeyCredentialCreationOptions: options }
    },

    verifyPasskeyRegistration: ({ userId, passkeyId, publicKeyCredential = {}, passkeyName }, call) =>
      finish(call, {
        userId,
        use: 'passkey',
        passkeyId,
        credential: publicKeyCredential,
        name: passkeyName,
        nameField: 'passkeyName',
      }),

    async createPasskeyRegistrationLink(message, call) {
      const { userId } = message
      await userForCaller(store, call, userId)
      const medium = mediumOf(message)
      await checkMedium(call, userId, medium)
      const { user, codeId, code, sequence } = await createLink(needs, call.origin, userId, medium)
      const details = touchedV2(user, sequence, call.at)
      return medium.type === 'return' ? { details, code: { id: codeId, code } } : { details }
    },

    async listPasskeys({ userId }, call) {
      await userForCaller(store, call, userId)
      const where = {
        all: [
          { field: 'userId', equals: userId },
          { field: 'use', equals: 'passkey' },
        ],
      } as const
      const page = await store.find(passkeys, { where, limit: SEARCH_LIMIT })
      return {
        details: listDetailsV2(page, call.at),
        result: page.documents.flatMap(({ id, state }) =>
          state.status === 'ready' ? [{ id, state: AuthFactorState.READY, name: state.name }] : [],
        ),
      }
    },

    renamePasskey: ({ userId, passkeyId, passkeyName }, call) =>
      rename(call, { userId, use: 'passkey', passkeyId }, passkeyName, 'passkeyName'),

    removePasskey: ({ userId, passkeyId }, call) => remove(call, { userId, use: 'passkey', passkeyId }),

    async registerU2F({ userId, domain }, call) {
      await userForCaller(store, call, userId)
      const { passkeyId, options, user, sequence } = await registerFor(call, userId, 'second_factor', domain)
      return {
        details: touchedV2(user, sequence, call.at),
        u2fId: passkeyId,
        publicKeyCredentialCreationOptions: options,
      }
    },

    verifyU2FRegistration: ({ userId, u2fId, publicKeyCredential = {}, tokenName }, call) =>
      finish(call, {
        userId,
        use: 'second_factor',
        passkeyId: u2fId,
        credential: publicKeyCredential,
        name: tokenName,
        nameField: 'tokenName',
      }),

    renameU2F: ({ userId, u2fId, tokenName }, call) =>
      rename(call, { userId, use: 'second_factor', passkeyId: u2fId }, tokenName, 'tokenName'),

    removeU2F: ({ userId, u2fId }, call) => remove(call, { userId, use: 'second_factor', passkeyId: u2fId }),
  })
}
