/** The UserService methods for passwords. */
import {
  NotificationType,
  type PasswordResetRequest,
  type SetPasswordRequest,
} from '../../../contract/gen/signet/user/v2/password_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsSomewhere } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { touchedV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import { type AskedDelivery, decideDelivery, urlTemplateProblem } from '../messages/index.ts'
import { findHuman, type HumanUser, humanForCaller, users } from '../users/index.ts'
import { hideCodeReason } from '../verifications/index.ts'
import { type Proof, prepareChange, type ReplacedPassword } from './handlers/change-password.ts'
import { resetPassword } from './handlers/reset-password.ts'
import { passwordsRefusals } from './refusals.ts'

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

function askedMedium({ medium }: PasswordResetRequest): AskedDelivery | { readonly type: 'sms' } {
  if (medium.case === 'returnCode') return { type: 'return' }
  if (medium.value?.notificationType === NotificationType.SMS) return { type: 'sms' }
  return { type: 'send', urlTemplate: medium.value?.urlTemplate }
}

/** A caller without the permission anywhere does not learn whether another user exists. */
function requireWriterSomewhere(call: Call): void {
  if (!holdsSomewhere(call.caller.grants, 'user.write')) throw refused(accessRefusals, 'access.forbidden')
}

/** Changes the password of a user for a caller with a proof or with the permission. */
export async function changePasswordFor(app: App, call: Call, userId: string, given: ReplacedPassword) {
  const isProven = given.proof !== undefined && 'verificationCode' in given.proof
  const user = await (isProven ? findHuman(app, userId) : humanForCaller(app, call, userId, 'user.write'))
  const apply = await prepareChange(app, given, call, user)
  await app.store.write(call.origin, apply)
  return { details: touchedV2(user, call.at) }
}

async function changePassword(app: App, message: SetPasswordRequest, call: Call) {
  const { userId, newPassword } = message
  const proof = proofOf(message)
  const needsPermission = proof === undefined || ('currentPassword' in proof && call.caller.userId !== userId)
  if (needsPermission) requireWriterSomewhere(call)
  return changePasswordFor(app, call, userId, {
    password: { plain: newPassword?.password ?? '' },
    changeRequired: newPassword?.changeRequired ?? false,
    field: 'newPassword.password',
    proof,
  })
}

/** The medium of a reset; throws unless the caller can use it, and unless the link is valid. */
async function mediumOf(app: App, message: PasswordResetRequest, call: Call, user: Document<HumanUser>) {
  const asked = askedMedium(message)
  if (asked.type === 'sms') return asked
  const isOneself = call.caller.userId === user.id
  if (asked.type === 'return' && isOneself) throw refused(passwordsRefusals, 'password.code_of_oneself')
  const delivery = await decideDelivery(app, call, user, asked)
  const template = asked.type === 'send' ? asked.urlTemplate : undefined
  const description = template === undefined ? undefined : urlTemplateProblem(template)
  if (description === undefined) return delivery
  const violations = [{ field: 'sendLink.urlTemplate', description }]
  throw refused(passwordsRefusals, 'password.link_invalid', { violations })
}

/** SetPassword and PasswordReset. */
export function passwordMethods(app: App): readonly Method[] {
  return methods(UserService, {
    async setPassword(message, call) {
      try {
        return await changePassword(app, message, call)
      } catch (error) {
        if (message.verification.case !== 'verificationCode') throw error
        throw hideCodeReason(app, call, await app.store.get(users, message.userId), error)
      }
    },

    async passwordReset(message, call) {
      const { userId } = message
      if (call.caller.userId !== userId) requireWriterSomewhere(call)
      const user = await findHuman(app, userId)
      call.authorize(user.owner, userId)
      const medium = await mediumOf(app, message, call, user)
      const { code } = await resetPassword(app, call.origin, { userId, medium, asking: call })
      const details = touchedV2(user, call.at)
      return medium.type === 'return' ? { details, verificationCode: code } : { details }
    },
  })
}
