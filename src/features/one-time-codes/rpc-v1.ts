/** The v1 methods for typed second factors, and the lists of all second factors: those of a human, and those of oneself. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { type AuthFactorSchema, AuthFactorState } from '../../../contract/gen/signet/user/v1/authentication_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import {
  type LivingUser,
  requireHuman,
  userForCaller,
  userOfOrganization,
  userOfOrganizationToChange,
} from '../users/index.ts'
import type { OneTimeCodesCommand } from './decider.ts'
import { type ListedFactor, listFactors } from './list-factors.ts'
import { addMedium, finishTotp, removeFactor, startTotp } from './rpc-v2.ts'

const TOTP: OneTimeCodesCommand = { type: 'remove_totp' }
const SMS: OneTimeCodesCommand = { type: 'remove_otp', medium: 'sms' }
const EMAIL: OneTimeCodesCommand = { type: 'remove_otp', medium: 'email' }

const CASES = { totp: 'otp', otp_sms: 'otpSms', otp_email: 'otpEmail' } as const

function factorV1(factor: ListedFactor): MessageInitShape<typeof AuthFactorSchema> {
  const state = factor.isReady ? AuthFactorState.READY : AuthFactorState.NOT_READY
  if (factor.type === 'key') return { state, type: { case: 'u2f', value: { id: factor.id, name: factor.name } } }
  return { state, type: { case: CASES[factor.type], value: {} } }
}

async function listOf(app: App, user: Document<LivingUser>) {
  return { result: (await listFactors(app, requireHuman(user))).map(factorV1) }
}

/** The v1 methods for second factors. */
export function factorMethodsV1(app: App): readonly Method[] {
  const own = ({ caller }: Call) => caller.userId
  const removeOwn = (call: Call, command: OneTimeCodesCommand) =>
    removeFactor(app, call, own(call), 'user.write', command)
  const removeOf = async (call: Call, userId: string, command: OneTimeCodesCommand) => {
    await userOfOrganizationToChange(app, call, userId)
    return removeFactor(app, call, userId, 'user.write', command)
  }
  return [
    ...methods(AuthService, {
      listMyAuthFactors: async (_, call) => listOf(app, await userForCaller(app, call, own(call))),
      async addMyAuthFactorOTP(_, call) {
        const { details, secret, uri } = await startTotp(app, call, own(call))
        return { details, secret, url: uri }
      },
      verifyMyAuthFactorOTP: ({ code }, call) => finishTotp(app, call, own(call), code),
      removeMyAuthFactorOTP: (_, call) => removeOwn(call, TOTP),
      addMyAuthFactorOTPSMS: (_, call) => addMedium(app, call, own(call), 'sms'),
      removeMyAuthFactorOTPSMS: (_, call) => removeOwn(call, SMS),
      addMyAuthFactorOTPEmail: (_, call) => addMedium(app, call, own(call), 'email'),
      removeMyAuthFactorOTPEmail: (_, call) => removeOwn(call, EMAIL),
    }),
    ...methods(ManagementService, {
      listHumanAuthFactors: async ({ userId }, call) => listOf(app, await userOfOrganization(app, call, userId)),
      removeHumanAuthFactorOTP: ({ userId }, call) => removeOf(call, userId, TOTP),
      removeHumanAuthFactorOTPSMS: ({ userId }, call) => removeOf(call, userId, SMS),
      removeHumanAuthFactorOTPEmail: ({ userId }, call) => removeOf(call, userId, EMAIL),
    }),
  ]
}
