/**
 * One-time codes: second factors that users type in. A user can have an authenticator app (TOTP), codes by email or
 * text message, and recovery codes. Sessions send and check codes inside their own writes.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { oneTimeCodes } from './documents.ts'
import { removeOneTimeCodesOf, removeOtpSmsOf } from './handlers/change-otp.ts'
import { oneTimeCodeRefusals } from './refusals.ts'
import { factorMethodsV1 } from './rpc-v1.ts'
import { oneTimeCodeMethods } from './rpc-v2.ts'

export const oneTimeCodesModule = module({
  name: 'one-time-codes',
  kinds: within('human', oneTimeCodes),
  refusals: oneTimeCodeRefusals,
  methods: (app) => [...factorMethodsV1(app), ...oneTimeCodeMethods(app)],
  whenUserRemoved: (_, work, userId) => removeOneTimeCodesOf(work, userId),
  whenPhoneRemoved: removeOtpSmsOf,
})

export { type CarriedFactors, describeFactors, putFactors } from './carried.ts'
export { codesLeft } from './decisions/recovery-codes.ts'
export { oneTimeCodes, oneTimeCodesOf, secondFactorsOf } from './documents.ts'
export type { Medium } from './events.ts'
export { removeFactorsOf, verifiedTarget } from './handlers/change-otp.ts'
export { checkOtp } from './handlers/check-otp.ts'
export { checkTotp } from './handlers/check-totp.ts'
export { addProvenOtp, sendSetUpCode } from './handlers/prove-otp.ts'
export { challengeOtp, type OtpChallenge } from './handlers/send-otp.ts'
export { importTotp, registerTotp, totpSecretProblem, verifyTotp } from './handlers/set-up-totp.ts'
export {
  generateRecoveryCodes,
  giveRecoveryCodes,
  useRecoveryCode,
} from './handlers/use-recovery-code.ts'
