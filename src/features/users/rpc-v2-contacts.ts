/** The e-mail addresses and phone numbers of people in the v2 service. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2, touchedV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { verificationRefusals } from '../verifications/index.ts'
import { emailProblems, phoneProblems } from './adding-humans.ts'
import { changeEmail, changePhone, checkVerifications, readHuman, requireHuman } from './changing-humans.ts'
import { type Verification, verificationOf, verifyEmailBy, verifyPhoneBy } from './contact.ts'
import { users } from './documents.ts'
import { userForCaller } from './finding.ts'
import type { UsersNeeds } from './needs.ts'
import { problem, refuseProblems } from './problems.ts'
import { userRefusals } from './refusals.ts'
import { type HumanUser, isLiving, type LivingUser } from './state.ts'
import { hasEmailCode, verifyEmail, verifyPhone } from './verifying.ts'

/**
 * The person a code is shown for. Who may not look everywhere gets the answer to a wrong code when there is no such
 * person, so that trying codes tells nobody who exists.
 */
export async function humanForCode({ store, instanceId }: UsersNeeds, call: Call, userId: string) {
  const user = await store.get(users, userId)
  if (user !== undefined && isLiving(user.state) && user.state.type === 'human') return user as Document<HumanUser>
  if (!call.may('user.read', user?.owner ?? instanceId))
    throw refused(verificationRefusals, 'verification.code_invalid')
  throw refused(userRefusals, user === undefined ? 'user.not_found' : 'user.not_human')
}

function contactsRpc(needs: UsersNeeds): Implementation<typeof UserService> {
  const { store } = needs

  const personForCaller = async (call: Call, userId: string, verification: Verification) => {
    const user = await userForCaller(store, call, userId)
    const human = requireHuman(user as Document<LivingUser>)
    await checkVerifications(needs, call, human, [verification])
    return human
  }

  /** Writes something about a person and answers with its code, if the caller asked for it. */
  const withCode = async (
    call: Call,
    userId: string,
    write: (work: Work, user: Document<HumanUser>) => Promise<string | undefined>,
  ) => {
    const { value, sequence } = await store.write(call.origin, async (work) => {
      const code = await write(work, await readHuman(work, userId))
      return { code, user: await readHuman(work, userId) }
    })
    const { code, user } = value
    return { details: touchedV2(user, sequence, call.at), ...(code !== undefined && { verificationCode: code }) }
  }

  /** A code that was asked for is sent, not just when it happens to be possible. */
  const asked = (verification: Verification): Verification =>
    verification.type === 'default' ? { type: 'send' } : verification

  const sendEmailCode = async (call: Call, userId: string, verification: Verification, again: boolean) => {
    await personForCaller(call, userId, verification)
    if (verification.type === 'send' && verification.urlTemplate !== undefined) {
      const description = needs.messages.urlTemplateProblem(verification.urlTemplate)
      refuseProblems(problem('user.url_template_invalid', 'sendCode.urlTemplate', description))
    }
    return withCode(call, userId, async (work, user) => {
      if (again && !user.state.email.isVerified && !(await hasEmailCode(store, user))) {
        throw refused(userRefusals, 'user.no_code')
      }
      return verifyEmailBy(needs, work, user, asked(verification))
    })
  }

  return {
    async setEmail({ userId, email: address, verification: message }, call) {
      const verification = verificationOf(message)
      await personForCaller(call, userId, verification)
      refuseProblems(emailProblems(needs, { address, verification }, ''))
      return withCode(call, userId, (work) => changeEmail(needs, work, userId, { address, verification }))
    },

    resendEmailCode: ({ userId, verification }, call) =>
      sendEmailCode(call, userId, verificationOf(verification), true),
    sendEmailCode: ({ userId, verification }, call) => sendEmailCode(call, userId, verificationOf(verification), false),

    async verifyEmail({ userId, verificationCode }, call) {
      await humanForCode(needs, call, userId)
      const { value, sequence } = await store.write(call.origin, (work) =>
        verifyEmail(needs, work, userId, verificationCode),
      )
      return { details: detailsV2(value, sequence) }
    },

    async setPhone({ userId, phone: text, verification: message }, call) {
      const verification = verificationOf(message)
      await personForCaller(call, userId, verification)
      refuseProblems(phoneProblems(text, ''))
      return withCode(call, userId, (work) => changePhone(needs, work, userId, { text, verification }))
    },

    async removePhone({ userId }, call) {
      requireHuman(await userForCaller(store, call, userId))
      return withCode(call, userId, (work) =>
        changePhone(needs, work, userId, { text: '', verification: { type: 'default' } }),
      )
    },

    async resendPhoneCode({ userId, verification: message }, call) {
      const verification = asked(verificationOf(message))
      await personForCaller(call, userId, verification)
      return withCode(call, userId, (work, user) => {
        if (user.state.phone === undefined) throw refused(userRefusals, 'user.no_phone')
        return verifyPhoneBy(needs, work, user, verification)
      })
    },

    async verifyPhone({ userId, verificationCode }, call) {
      await humanForCode(needs, call, userId)
      const { value, sequence } = await store.write(call.origin, (work) =>
        verifyPhone(needs, work, userId, verificationCode),
      )
      return { details: detailsV2(value, sequence) }
    },
  }
}

/** The methods about e-mail addresses and phone numbers. */
export function contactMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, contactsRpc(needs))
}
