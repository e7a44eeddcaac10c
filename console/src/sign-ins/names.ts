/** The values of sign-ins by the names that addresses and texts have. */
import {
  SignInFailure,
  SignInMethod,
  SignInOutcome,
  SignInStepKind,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'

export const OUTCOMES = {
  succeeded: SignInOutcome.SUCCEEDED,
  failed: SignInOutcome.FAILED,
  pending: SignInOutcome.PENDING,
} as const

export const METHODS = {
  passkey: SignInMethod.PASSKEY,
  password: SignInMethod.PASSWORD,
  provider: SignInMethod.IDENTITY_PROVIDER,
  code: SignInMethod.ONE_TIME_CODE,
} as const

export const FAILURES = {
  unknownUser: SignInFailure.UNKNOWN_USER,
  userLocked: SignInFailure.USER_LOCKED,
  userInactive: SignInFailure.USER_INACTIVE,
  wrongPassword: SignInFailure.WRONG_PASSWORD,
  wrongTotp: SignInFailure.WRONG_TOTP,
  wrongCode: SignInFailure.WRONG_CODE,
  wrongRecoveryCode: SignInFailure.WRONG_RECOVERY_CODE,
  passkey: SignInFailure.PASSKEY,
  provider: SignInFailure.IDENTITY_PROVIDER,
  factorLocked: SignInFailure.FACTOR_LOCKED,
  notAllowed: SignInFailure.NOT_ALLOWED,
  unknownClient: SignInFailure.UNKNOWN_CLIENT,
  wrongSecret: SignInFailure.WRONG_CLIENT_SECRET,
  wrongRedirectUri: SignInFailure.WRONG_REDIRECT_URI,
} as const

export const STEPS = {
  user: SignInStepKind.USER,
  password: SignInStepKind.PASSWORD,
  passkey: SignInStepKind.PASSKEY,
  provider: SignInStepKind.IDENTITY_PROVIDER,
  totp: SignInStepKind.TOTP,
  sms: SignInStepKind.OTP_SMS,
  email: SignInStepKind.OTP_EMAIL,
  recovery: SignInStepKind.RECOVERY_CODE,
  secondFactor: SignInStepKind.SECOND_FACTOR,
  passwordChange: SignInStepKind.PASSWORD_CHANGE,
  application: SignInStepKind.APPLICATION,
} as const

export type OutcomeName = keyof typeof OUTCOMES
export type MethodName = keyof typeof METHODS
export type FailureName = keyof typeof FAILURES
export type StepName = keyof typeof STEPS

/** The name of a value; undefined for one that this console does not know. */
export function nameIn<Name extends string>(
  names: Readonly<Record<Name, number>>,
  value: number | undefined,
): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value)
}
