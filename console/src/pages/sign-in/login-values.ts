/** The login policy as the form has it. */
import {
  type LoginPolicy,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import { durationOf, secondsOf } from '../../parts/duration.ts'

/** The second factors by name. */
export const SECOND_FACTORS = {
  app: SecondFactorType.TOTP,
  key: SecondFactorType.U2F,
  email: SecondFactorType.OTP_EMAIL,
  sms: SecondFactorType.OTP_SMS,
  recovery: SecondFactorType.RECOVERY_CODES,
} as const

export type SecondFactor = keyof typeof SECOND_FACTORS

/** The lifetimes by name. */
export const LIFETIMES = [
  'sessionLifetime',
  'passwordCheckLifetime',
  'secondFactorCheckLifetime',
  'multiFactorCheckLifetime',
  'externalLoginCheckLifetime',
] as const

export type Lifetime = (typeof LIFETIMES)[number]

export interface LoginValues extends Record<Lifetime, number> {
  allowUsernamePassword: boolean
  hasPasskeys: boolean
  allowExternalIdp: boolean
  allowRegister: boolean
  hidePasswordReset: boolean
  disablePasswordReset: boolean
  /** Whom a second factor is required from: no one, those who sign in here, or all. */
  mfa: 'none' | 'local' | 'all'
  secondFactors: string[]
  passkeyIsEnough: boolean
  defaultRedirectUri: string
}

/** The values of a policy. */
export function loginValuesOf(policy: LoginPolicy): LoginValues {
  const factors = Object.entries(SECOND_FACTORS).filter(([, type]) => policy.secondFactors.includes(type))
  const lifetimes = LIFETIMES.map((name) => [name, secondsOf(policy[name])])
  return {
    allowUsernamePassword: policy.allowUsernamePassword,
    hasPasskeys: policy.passwordlessType === PasswordlessType.ALLOWED,
    allowExternalIdp: policy.allowExternalIdp,
    allowRegister: policy.allowRegister,
    hidePasswordReset: policy.hidePasswordReset,
    disablePasswordReset: policy.disablePasswordReset,
    mfa: policy.forceMfaLocalOnly ? 'local' : policy.forceMfa ? 'all' : 'none',
    secondFactors: factors.map(([name]) => name),
    passkeyIsEnough: policy.multiFactors.includes(MultiFactorType.U2F_WITH_VERIFICATION),
    defaultRedirectUri: policy.defaultRedirectUri,
    ...(Object.fromEntries(lifetimes) as Record<Lifetime, number>),
  }
}

/** The request without factors. */
export function loginMessageOf(values: LoginValues) {
  return {
    allowUsernamePassword: values.allowUsernamePassword,
    passwordlessType: values.hasPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    allowExternalIdp: values.allowExternalIdp,
    allowRegister: values.allowRegister,
    hidePasswordReset: values.hidePasswordReset,
    disablePasswordReset: values.disablePasswordReset,
    forceMfa: values.mfa === 'all',
    forceMfaLocalOnly: values.mfa === 'local',
    defaultRedirectUri: values.defaultRedirectUri.trim(),
    sessionLifetime: durationOf(values.sessionLifetime),
    passwordCheckLifetime: durationOf(values.passwordCheckLifetime),
    secondFactorCheckLifetime: durationOf(values.secondFactorCheckLifetime),
    multiFactorCheckLifetime: durationOf(values.multiFactorCheckLifetime),
    externalLoginCheckLifetime: durationOf(values.externalLoginCheckLifetime),
  }
}

/** The factors of the request that adds a policy to an organization. */
export function factorsMessageOf({ secondFactors, passkeyIsEnough }: LoginValues) {
  return {
    secondFactors: secondFactors.map((name) => SECOND_FACTORS[name as SecondFactor]),
    multiFactors: passkeyIsEnough ? [MultiFactorType.U2F_WITH_VERIFICATION] : [],
  }
}
