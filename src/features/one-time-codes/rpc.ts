/** Second factors that are typed, and the list of all second factors, as the UserService serves them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { type AuthFactorSchema, AuthFactors } from '../../../contract/gen/signet/user/v2/one_time_code_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2 } from '../../access/details.ts'
import { requireFreshSignIn } from '../../access/fresh-sign-in.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { covers, holdsSomewhere } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { type HumanUser, userForCaller, userRefusals } from '../users/index.ts'
import type { OneTimeCodes, OneTimeCodesCommand } from './decider.ts'
import { oneTimeCodes } from './documents.ts'
import type { Medium } from './events.ts'
import { type ListedFactor, listFactors } from './factors.ts'
import type { OneTimeCodesNeeds } from './needs.ts'
import { readActiveHuman, requireTarget } from './people.ts'
import { generateRecoveryCodes } from './recovery.ts'
import { oneTimeCodeRefusals } from './refusals.ts'
import { registerTotp, verifyTotp } from './totp.ts'

function stateOf({ isReady }: ListedFactor): AuthFactorState {
  return isReady ? AuthFactorState.READY : AuthFactorState.NOT_READY
}

const TYPES: Readonly<Record<ListedFactor['type'], AuthFactors>> = {
  totp: AuthFactors.OTP,
  otp_sms: AuthFactors.OTP_SMS,
  otp_email: AuthFactors.OTP_EMAIL,
  key: AuthFactors.U2F,
}

function factorMessage(factor: ListedFactor): MessageInitShape<typeof AuthFactorSchema> {
  const state = stateOf(factor)
  switch (factor.type) {
    case 'totp':
      return { state, type: { case: 'otp', value: {} } }
    case 'otp_sms':
      return { state, type: { case: 'otpSms', value: {} } }
    case 'otp_email':
      return { state, type: { case: 'otpEmail', value: {} } }
    case 'key':
      return { state, type: { case: 'u2f', value: { id: factor.id, name: factor.name } } }
  }
}

/** The methods of this room. */
export function oneTimeCodeMethods(needs: OneTimeCodesNeeds): readonly Method[] {
  const { store } = needs

  /** Who may not act on anybody but themself hears of nobody else whether they exist. */
  const findPerson = async (call: Call, userId: string, permission: string): Promise<Document<HumanUser>> => {
    if (call.caller.userId !== userId && !holdsSomewhere(call.caller.grants, permission)) {
      throw refused(accessRefusals, 'access.forbidden')
    }
    const user = await userForCaller(store, call, userId)
    if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_human')
    return user as Document<HumanUser>
  }

  /** Whoever sets up a second factor of somebody can take part in becoming them. */
  const findPersonToSetUp = async (call: Call, userId: string): Promise<Document<HumanUser>> => {
    const user = await findPerson(call, userId, 'user.credential.write')
    requireFreshSignIn(call, userId)
    const isCovered = call.caller.userId === userId || covers(call.caller.grants, await grantsOf(store, userId))
    if (!isCovered) throw refused(oneTimeCodeRefusals, 'one_time_codes.above_own')
    return user
  }

  const writeDetails = async (call: Call, write: (work: Work) => Promise<Document<OneTimeCodes>>) => {
    const { value, sequence } = await store.write(call.origin, write)
    return { details: detailsV2(value, sequence) }
  }

  const addMedium = async (call: Call, userId: string, medium: Medium) => {
    await findPersonToSetUp(call, userId)
    return writeDetails(call, async (work) => {
      const { owner, state } = await readActiveHuman(work, userId)
      requireTarget(state, medium)
      return work.decide(oneTimeCodes, userId, { type: 'add_otp', medium }, owner)
    })
  }

  const remove = async (call: Call, userId: string, permission: string, command: OneTimeCodesCommand) => {
    const { owner } = await findPerson(call, userId, permission)
    return writeDetails(call, (work) => work.decide(oneTimeCodes, userId, command, owner))
  }

  return methods(UserService, {
    async registerTOTP({ userId }, call) {
      await findPersonToSetUp(call, userId)
      const { value, sequence } = await store.write(call.origin, (work) => registerTotp(needs, work, userId))
      const { document, secret, uri } = value
      return { details: detailsV2(document, sequence), secret, uri }
    },

    async verifyTOTPRegistration({ userId, code }, call) {
      const { owner } = await findPersonToSetUp(call, userId)
      return writeDetails(call, (work) => verifyTotp(needs, work, { userId, owner, code }))
    },

    removeTOTP: ({ userId }, call) => remove(call, userId, 'user.write', { type: 'remove_totp' }),

    addOTPSMS: ({ userId }, call) => addMedium(call, userId, 'sms'),
    removeOTPSMS: ({ userId }, call) => remove(call, userId, 'user.write', { type: 'remove_otp', medium: 'sms' }),
    addOTPEmail: ({ userId }, call) => addMedium(call, userId, 'email'),
    removeOTPEmail: ({ userId }, call) => remove(call, userId, 'user.write', { type: 'remove_otp', medium: 'email' }),

    async generateRecoveryCodes({ userId, count }, call) {
      await findPersonToSetUp(call, userId)
      const { value, sequence } = await store.write(call.origin, (work) =>
        generateRecoveryCodes(needs, work, userId, count),
      )
      return { details: detailsV2(value.document, sequence), recoveryCodes: [...value.codes] }
    },

    removeRecoveryCodes: ({ userId }, call) =>
      remove(call, userId, 'user.credential.write', { type: 'remove_recovery_codes' }),

    async listAuthenticationFactors({ userId, authFactors, states }, call) {
      const user = await findPerson(call, userId, 'user.read')
      const wanted = states.length === 0 ? [AuthFactorState.READY] : states
      const factors = await listFactors(needs, user)
      return {
        result: factors
          .filter(({ type }) => authFactors.length === 0 || authFactors.includes(TYPES[type]))
          .filter((factor) => wanted.includes(stateOf(factor)))
          .map(factorMessage),
      }
    },
  })
}
