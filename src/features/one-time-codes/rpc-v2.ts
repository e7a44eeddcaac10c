/** The UserService methods for typed second factors, and the list of all second factors. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { type AuthFactorSchema, AuthFactors } from '../../../contract/gen/signet/user/v2/one_time_code_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { requireFreshSignIn } from '../../access/fresh-sign-in.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsSomewhere } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV2 } from '../../module/details.ts'
import type { Document, Work } from '../../store/index.ts'
import { type HumanUser, requireHuman, userForCaller, userToChange } from '../users/index.ts'
import type { OneTimeCodes, OneTimeCodesCommand } from './decider.ts'
import { oneTimeCodes } from './documents.ts'
import type { Medium } from './events.ts'
import { addOtp } from './handlers/change-otp.ts'
import { registerTotp, verifyTotp } from './handlers/set-up-totp.ts'
import { generateRecoveryCodes } from './handlers/use-recovery-code.ts'
import { type ListedFactor, listFactors } from './list-factors.ts'

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

/** Finds a human for the caller. Without the permission anywhere, a caller does not learn whether another user exists. */
async function humanForCaller(
  app: App,
  call: Call,
  userId: string,
  permission: string,
  find = userForCaller,
): Promise<Document<HumanUser>> {
  if (call.caller.userId !== userId && !holdsSomewhere(call.caller.grants, permission)) {
    throw refused(accessRefusals, 'access.forbidden')
  }
  return requireHuman(await find(app, call, userId))
}

/** For a method that changes the human. */
function humanToChange(app: App, call: Call, userId: string, permission: string): Promise<Document<HumanUser>> {
  return humanForCaller(app, call, userId, permission, userToChange)
}

/** Does the same for the setup of a second factor, which is a step towards taking over the account. */
async function humanToSetUp(app: App, call: Call, userId: string): Promise<Document<HumanUser>> {
  const user = await humanToChange(app, call, userId, 'user.credential.write')
  requireFreshSignIn(call, userId)
  return user
}

async function writeDetails(app: App, call: Call, write: (work: Work) => Promise<Document<OneTimeCodes>>) {
  const { value } = await app.store.write(call.origin, write)
  return { details: detailsV2(value) }
}

/** Starts the registration of an authenticator app for a caller. */
export async function startTotp(app: App, call: Call, userId: string) {
  await humanToSetUp(app, call, userId)
  const { value } = await app.store.write(call.origin, (work) => registerTotp(app, work, userId))
  const { document, secret, uri } = value
  return { details: detailsV2(document), secret, uri }
}

/** Completes the registration of an authenticator app for a caller. */
export async function finishTotp(app: App, call: Call, userId: string, code: string) {
  const { owner } = await humanToSetUp(app, call, userId)
  return writeDetails(app, call, (work) => verifyTotp(app, work, { userId, owner, code }))
}

/** Adds codes by email or SMS as a second factor for a caller. */
export async function addMedium(app: App, call: Call, userId: string, medium: Medium) {
  await humanToSetUp(app, call, userId)
  return writeDetails(app, call, (work) => addOtp(work, userId, medium))
}

/** Removes a second factor of a user for a caller. */
export async function removeFactor(
  app: App,
  call: Call,
  userId: string,
  permission: string,
  command: OneTimeCodesCommand,
) {
  const { owner } = await humanToChange(app, call, userId, permission)
  return writeDetails(app, call, (work) => work.decide(oneTimeCodes, userId, command, owner))
}

/** The methods of authenticator apps, codes that are sent, and recovery codes. */
export function oneTimeCodeMethods(app: App): readonly Method[] {
  return methods(UserService, {
    registerTOTP: ({ userId }, call) => startTotp(app, call, userId),
    verifyTOTPRegistration: ({ userId, code }, call) => finishTotp(app, call, userId, code),

    removeTOTP: ({ userId }, call) => removeFactor(app, call, userId, 'user.write', { type: 'remove_totp' }),

    addOTPSMS: ({ userId }, call) => addMedium(app, call, userId, 'sms'),
    removeOTPSMS: ({ userId }, call) =>
      removeFactor(app, call, userId, 'user.write', { type: 'remove_otp', medium: 'sms' }),
    addOTPEmail: ({ userId }, call) => addMedium(app, call, userId, 'email'),
    removeOTPEmail: ({ userId }, call) =>
      removeFactor(app, call, userId, 'user.write', { type: 'remove_otp', medium: 'email' }),

    async generateRecoveryCodes({ userId, count }, call) {
      await humanToSetUp(app, call, userId)
      const { value } = await app.store.write(call.origin, (work) => generateRecoveryCodes(app, work, userId, count))
      return { details: detailsV2(value.document), recoveryCodes: [...value.codes] }
    },

    removeRecoveryCodes: ({ userId }, call) =>
      removeFactor(app, call, userId, 'user.credential.write', { type: 'remove_recovery_codes' }),

    async listAuthenticationFactors({ userId, authFactors, states }, call) {
      const user = await humanForCaller(app, call, userId, 'user.read')
      const wanted = states.length === 0 ? [AuthFactorState.READY] : states
      const factors = await listFactors(app, user)
      return {
        result: factors
          .filter(({ type }) => authFactors.length === 0 || authFactors.includes(TYPES[type]))
          .filter((factor) => wanted.includes(stateOf(factor)))
          .map(factorMessage),
      }
    },
  })
}
