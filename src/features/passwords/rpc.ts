/** Passwords as the UserService serves them. */
import {
  NotificationType,
  type PasswordResetRequest,
  type SetPasswordRequest,
} from '../../../contract/gen/signet/user/v2/password_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { touchedV2 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsOnInstance, holdsSomewhere } from '../../access/roles.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Document, Store } from '../../store/index.ts'
import { type HumanUser, isLiving, userRefusals, users } from '../users/index.ts'
import { verificationRefusals } from '../verifications/index.ts'
import { checkCovered, type Proof, prepareChange } from './changing.ts'
import type { PasswordsNeeds } from './needs.ts'
import { passwordsRefusals } from './refusals.ts'
import { type ResetMedium, resetPassword } from './resetting.ts'

async function findPerson(store: Store, userId: string): Promise<Document<HumanUser>> {
  const user = await store.get(users, userId)
  if (user === undefined || !isLiving(user.state)) throw refused(userRefusals, 'user.not_found')
  if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_human')
  return user as Document<HumanUser>
}

function proofOf({ verification }: SetPasswordRequest): Proof | undefined {
  switch (verification.case) {
    case 'currentPassword':
      return { currentPassword: verification.value }
    case 'verificationCode':
      return { verificationCode: verification.value }
    case undefined:
      return undefined
  }
}

function mediumOf({ medium }: PasswordResetRequest): ResetMedium {
  if (medium.case === 'returnCode') return { type: 'return' }
  if (medium.value?.notificationType === NotificationType.SMS) return { type: 'sms' }
  return { type: 'mail', urlTemplate: medium.value?.urlTemplate }
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

function isTrusted(call: Call, user: Document<HumanUser> | undefined): boolean {
  return user === undefined
    ? holdsOnInstance(call.caller.grants, 'user.read')
    : call.caller.userId === user.id || call.may('user.read', user.owner) || call.may('session.write', user.owner)
}

/** Answers a stranger who brings a wrong code for whomever in one way. */
function dressForStrangers(error: unknown): unknown {
  return error instanceof Refused && TELLTALES.has(error.code)
    ? refused(verificationRefusals, 'verification.code_invalid')
    : error
}

/** The methods of this room. */
export function passwordMethods(needs: PasswordsNeeds): readonly Method[] {
  const { store, messages } = needs

  const changePassword = async (message: SetPasswordRequest, call: Call) => {
    const { userId, newPassword } = message
    const proof = proofOf(message)
    // Without a proof of their own, only those who may set passwords somewhere hear whether there is such a user.
    const needsPermission = proof === undefined || ('currentPassword' in proof && call.caller.userId !== userId)
    if (needsPermission && !holdsSomewhere(call.caller.grants, 'user.write')) {
      throw refused(accessRefusals, 'access.forbidden')
    }
    const user = await findPerson(store, userId)
    const given = {
      password: { plain: newPassword?.password ?? '' },
      changeRequired: newPassword?.changeRequired ?? false,
      field: 'newPassword.password',
      proof,
    }
    const apply = await prepareChange(needs, given, call, user)
    const { sequence } = await store.write(call.origin, apply)
    return { details: touchedV2(user, sequence, call.at) }
  }

  /** Whoever could read the code, or have it sent to a page of theirs, could become the user. */
  const checkMedium = async (medium: ResetMedium, call: Call, userId: string): Promise<void> => {
    const isOneself = call.caller.userId === userId
    if (medium.type === 'return' && isOneself) throw refused(passwordsRefusals, 'password.code_of_oneself')
    const template = medium.type === 'mail' ? medium.urlTemplate : undefined
    if (medium.type === 'return' || template !== undefined) await checkCovered(store, call, userId)
    const description = template === undefined ? undefined : messages.urlTemplateProblem(template)
    if (description === undefined) return
    const violations = [{ field: 'sendLink.urlTemplate', description }]
    throw refused(passwordsRefusals, 'password.link_invalid', { violations })
  }

  return methods(UserService, {
    async setPassword(message, call) {
      try {
        return await changePassword(message, call)
      } catch (error) {
        if (message.verification.case !== 'verificationCode') throw error
        const user = await store.get(users, message.userId)
        throw isTrusted(call, user as Document<HumanUser> | undefined) ? error : dressForStrangers(error)
      }
    },

    async passwordReset(message, call) {
      const { userId } = message
      const isOneself = call.caller.userId === userId
      if (!isOneself && !holdsSomewhere(call.caller.grants, 'user.write')) {
        throw refused(accessRefusals, 'access.forbidden')
      }
      const { owner } = await findPerson(store, userId)
      call.authorize(owner, userId)
      const medium = mediumOf(message)
      await checkMedium(medium, call, userId)
      const { user, code, sequence } = await resetPassword(needs, call.origin, userId, medium)
      const details = touchedV2(user, sequence, call.at)
      return medium.type === 'return' ? { details, verificationCode: code } : { details }
    },
  })
}
