/** The v2 methods for email addresses and phone numbers of human users. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { App } from '../../access/app.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2, touchedV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import {
  type HumanUser,
  isLiving,
  readHuman,
  refuseProblems,
  requireHuman,
  userRefusals,
  users,
  userToChange,
} from '../users/index.ts'
import { verificationRefusals } from '../verifications/index.ts'
import { type ContactVerification, emailProblems, phoneProblems, templateProblems, verificationOf } from './contact.ts'
import { changeEmail, changePhone, checkVerifications } from './handlers/change-human.ts'
import {
  hasEmailCode,
  sendEmailCode,
  verifyEmail,
  verifyEmailBy,
  verifyPhone,
  verifyPhoneBy,
} from './handlers/verify-contact.ts'

/**
 * The human user whose code is given. If the user does not exist, callers who may not read all users get the response
 * to a wrong code, so that trying codes does not reveal who exists.
 */
export async function humanForCode(app: App, call: Call, userId: string): Promise<Document<HumanUser>> {
  const user = await app.store.get(users, userId)
  if (user !== undefined && isLiving(user.state) && user.state.type === 'human') return user as Document<HumanUser>
  if (!call.may('user.read', user?.owner ?? app.instanceId))
    throw refused(verificationRefusals, 'verification.code_invalid')
  throw refused(userRefusals, user === undefined ? 'user.not_found' : 'user.not_human')
}

async function requireWritable(app: App, call: Call, userId: string, verification: ContactVerification): Promise<void> {
  const human = requireHuman(await userToChange(app, call, userId))
  checkVerifications(call, human, [verification])
}

/** Writes a change to a human user and returns the code, if the caller asked for it. */
async function withCode(
  app: App,
  call: Call,
  userId: string,
  write: (work: Work, user: Document<HumanUser>) => Promise<string | undefined>,
) {
  const { value } = await app.store.write(call.origin, async (work) => {
    const code = await write(work, await readHuman(work, userId))
    return { code, user: await readHuman(work, userId) }
  })
  const { code, user } = value
  return { details: touchedV2(user, call.at), ...(code !== undefined && { verificationCode: code }) }
}

/** A method that sends codes does so by default, and is refused when no code can be sent. */
function sentByDefault(verification: ContactVerification): ContactVerification {
  return verification.type === 'default' ? { type: 'send' } : verification
}

async function mailEmailCode(
  app: App,
  call: Call,
  userId: string,
  { verification, isAgain }: { readonly verification: ContactVerification; readonly isAgain: boolean },
) {
  await requireWritable(app, call, userId, verification)
  refuseProblems(templateProblems(verification, ''))
  return withCode(app, call, userId, async (work, user) => {
    // A code for a verified address proves that the user still reads it.
    if (!isAgain) return sendEmailCode(app, work, user, sentByDefault(verification))
    if (!user.state.email.isVerified && !(await hasEmailCode(app, user))) throw refused(userRefusals, 'user.no_code')
    return verifyEmailBy(app, work, user, sentByDefault(verification))
  })
}

function emailRpc(app: App): Implementation<typeof UserService> {
  return {
    async setEmail({ userId, email: address, verification: message }, call) {
      const verification = verificationOf(message)
      await requireWritable(app, call, userId, verification)
      refuseProblems(emailProblems({ address, verification }, ''))
      return withCode(app, call, userId, (work) => changeEmail(app, work, userId, { address, verification }))
    },

    resendEmailCode: ({ userId, verification }, call) =>
      mailEmailCode(app, call, userId, { verification: verificationOf(verification), isAgain: true }),

    sendEmailCode: ({ userId, verification }, call) =>
      mailEmailCode(app, call, userId, { verification: verificationOf(verification), isAgain: false }),

    async verifyEmail({ userId, verificationCode }, call) {
      await humanForCode(app, call, userId)
      const { value } = await app.store.write(call.origin, (work) => verifyEmail(app, work, userId, verificationCode))
      return { details: detailsV2(value) }
    },
  }
}

function phoneRpc(app: App): Implementation<typeof UserService> {
  return {
    async setPhone({ userId, phone: text, verification: message }, call) {
      const verification = verificationOf(message)
      await requireWritable(app, call, userId, verification)
      refuseProblems(phoneProblems(text, ''))
      return withCode(app, call, userId, (work) => changePhone(app, work, userId, { text, verification }))
    },

    async removePhone({ userId }, call) {
      requireHuman(await userToChange(app, call, userId))
      const removed = { text: '', verification: { type: 'default' } } as const
      return withCode(app, call, userId, (work) => changePhone(app, work, userId, removed))
    },

    async resendPhoneCode({ userId, verification: message }, call) {
      const verification = sentByDefault(verificationOf(message))
      await requireWritable(app, call, userId, verification)
      return withCode(app, call, userId, (work, user) => {
        if (user.state.phone === undefined) throw refused(userRefusals, 'user.no_phone')
        return verifyPhoneBy(app, work, user, verification)
      })
    },

    async verifyPhone({ userId, verificationCode }, call) {
      await humanForCode(app, call, userId)
      const { value } = await app.store.write(call.origin, (work) => verifyPhone(app, work, userId, verificationCode))
      return { details: detailsV2(value) }
    },
  }
}

/** The methods for email addresses and phone numbers. */
export function contactMethods(app: App): readonly Method[] {
  return [...methods(UserService, emailRpc(app)), ...methods(UserService, phoneRpc(app))]
}
