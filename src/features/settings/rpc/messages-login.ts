/** Converts login settings to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, durationFromMs } from '@bufbuild/protobuf/wkt'
import type { IDPLoginPolicyLinkSchema } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import {
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import {
  type LoginSettingsSchema,
  PasskeysType,
} from '../../../../contract/gen/signet/settings/v2/login_settings_pb.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { AllowedMultiFactor, AllowedSecondFactor, LoginSettings } from '../events.ts'
import { BUILT_IN_LOGIN, isEmailLoginAllowed, isPasswordResetAllowed, redirectUriProblem } from '../login.ts'
import { settingsRefusals } from '../refusals.ts'

/** The numbers are the same in v1 and v2. */
const SECOND_FACTOR_NUMBERS = {
  totp: SecondFactorType.OTP,
  u2f: SecondFactorType.U2F,
  otp_email: SecondFactorType.OTP_EMAIL,
  otp_sms: SecondFactorType.OTP_SMS,
  recovery_code: SecondFactorType.RECOVERY_CODES,
} as const satisfies Record<AllowedSecondFactor, number>

const MULTI_FACTOR_NUMBERS = {
  u2f_with_verification: MultiFactorType.U2F_WITH_VERIFICATION,
} as const satisfies Record<AllowedMultiFactor, number>

function nameOf<Name extends string>(numbers: Readonly<Record<Name, number>>, number: number): Name {
  const names = Object.keys(numbers) as Name[]
  const found = names.find((name) => numbers[name] === number)
  if (found === undefined) throw new Error(`the contract lets the factor ${number} through`)
  return found
}

/** A second factor of a request. The limits of the contract allow only existing ones. */
export function secondFactorOf(type: SecondFactorType): AllowedSecondFactor {
  return nameOf(SECOND_FACTOR_NUMBERS, type)
}

/** As above, for multi-factors. */
export function multiFactorOf(type: MultiFactorType): AllowedMultiFactor {
  return nameOf(MULTI_FACTOR_NUMBERS, type)
}

/** Second factors as numbers of the contract. */
export function secondFactorNumbers(factors: readonly AllowedSecondFactor[]) {
  return factors.map((factor) => SECOND_FACTOR_NUMBERS[factor])
}

/** As above, for multi-factors. */
export function multiFactorNumbers(factors: readonly AllowedMultiFactor[]) {
  return factors.map((factor) => MULTI_FACTOR_NUMBERS[factor])
}

/** The fields with the same names in both versions. */
function commonOf(value: LoginSettings) {
  return {
    allowUsernamePassword: value.allowsPassword,
    allowRegister: value.allowsRegistration === true,
    allowExternalIdp: value.allowsExternal,
    forceMfa: value.requiresSecondFactor,
    forceMfaLocalOnly: value.requiresSecondFactorLocalOnly,
    hidePasswordReset: value.hidesPasswordReset,
    disablePasswordReset: !isPasswordResetAllowed(value),
    defaultRedirectUri: value.defaultRedirectUri,
    passwordCheckLifetime: durationFromMs(value.passwordLifetimeMs),
    externalLoginCheckLifetime: durationFromMs(value.externalLifetimeMs),
    secondFactorCheckLifetime: durationFromMs(value.secondFactorLifetimeMs),
    multiFactorCheckLifetime: durationFromMs(value.multiFactorLifetimeMs),
    mfaInitSkipLifetime: durationFromMs(value.setUpSkipMs ?? BUILT_IN_LOGIN.setUpSkipMs ?? 0),
    allowDomainDiscovery: value.allowsDomainDiscovery === true,
    disableLoginWithEmail: !isEmailLoginAllowed(value),
    disableLoginWithPhone: value.allowsPhoneLogin === false,
    secondFactors: secondFactorNumbers(value.secondFactors),
    multiFactors: multiFactorNumbers(value.multiFactors),
    sessionLifetime: durationFromMs(value.sessionLifetimeMs),
  }
}

/** Login settings in the v1 services. */
export function loginV1(value: LoginSettings, idps: readonly MessageInitShape<typeof IDPLoginPolicyLinkSchema>[]) {
  return {
    ...commonOf(value),
    idps: [...idps],
    ignoreUnknownUsernames: value.ignoresUnknownUserNames === true,
    passwordlessType: value.allowsPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
  }
}

/** Login settings in the v2 services. */
export function loginV2(value: LoginSettings): MessageInitShape<typeof LoginSettingsSchema> {
  return {
    ...commonOf(value),
    allowLocalAuthentication: value.allowsPassword,
    // Login pages of clients know this field only.
    hidePasswordReset: value.hidesPasswordReset || !isPasswordResetAllowed(value),
    // Decision 31: the pages do not tell who exists, and pages of clients should not either.
    ignoreUnknownUsernames: true,
    passkeysType: value.allowsPasskeys ? PasskeysType.ALLOWED : PasskeysType.NOT_ALLOWED,
  }
}

/** The common fields of the requests that set the login policy. */
interface LoginRequest {
  readonly allowUsernamePassword: boolean
  readonly allowRegister: boolean
  readonly allowExternalIdp: boolean
  readonly forceMfa: boolean
  readonly forceMfaLocalOnly: boolean
  readonly passwordlessType: PasswordlessType
  readonly hidePasswordReset: boolean
  readonly disablePasswordReset?: boolean | undefined
  readonly defaultRedirectUri: string
  readonly passwordCheckLifetime?: Duration | undefined
  readonly externalLoginCheckLifetime?: Duration | undefined
  readonly secondFactorCheckLifetime?: Duration | undefined
  readonly multiFactorCheckLifetime?: Duration | undefined
  readonly sessionLifetime?: Duration | undefined
  readonly mfaInitSkipLifetime?: Duration | undefined
  readonly ignoreUnknownUsernames: boolean
  readonly allowDomainDiscovery: boolean
  readonly disableLoginWithEmail: boolean
  readonly disableLoginWithPhone: boolean
}

type Lifetime = Extract<keyof LoginSettings, `${string}Ms`>

/** The given lifetimes in milliseconds, rounded up, so that nothing above 0 becomes 0. */
function givenLifetimes(durations: Readonly<Record<Lifetime, Duration | undefined>>): Partial<LoginSettings> {
  return Object.fromEntries(
    Object.entries(durations).flatMap(([name, duration]) =>
      duration === undefined ? [] : [[name, Number(duration.seconds) * 1000 + Math.ceil(duration.nanos / 1e6)]],
    ),
  )
}

/** The settings in a request, without the factors and without lifetimes that are not given. */
export function loginOf(message: LoginRequest): Partial<LoginSettings> {
  const { defaultRedirectUri, disablePasswordReset } = message
  const problem = redirectUriProblem(defaultRedirectUri)
  if (problem !== undefined) {
    const violations = [{ field: 'defaultRedirectUri', description: problem }]
    throw refused(settingsRefusals, 'settings.redirect_uri_invalid', { violations })
  }
  return {
    allowsPassword: message.allowUsernamePassword,
    allowsPasskeys: message.passwordlessType === PasswordlessType.ALLOWED,
    allowsExternal: message.allowExternalIdp,
    allowsRegistration: message.allowRegister,
    requiresSecondFactor: message.forceMfa,
    requiresSecondFactorLocalOnly: message.forceMfaLocalOnly,
    hidesPasswordReset: message.hidePasswordReset,
    // Clients of the ZITADEL API do not know the field, and must not change what it says.
    ...(disablePasswordReset !== undefined && { allowsPasswordReset: !disablePasswordReset }),
    defaultRedirectUri,
    allowsEmailLogin: !message.disableLoginWithEmail,
    allowsPhoneLogin: !message.disableLoginWithPhone,
    allowsDomainDiscovery: message.allowDomainDiscovery,
    ignoresUnknownUserNames: message.ignoreUnknownUsernames,
    ...givenLifetimes({
      passwordLifetimeMs: message.passwordCheckLifetime,
      externalLifetimeMs: message.externalLoginCheckLifetime,
      secondFactorLifetimeMs: message.secondFactorCheckLifetime,
      multiFactorLifetimeMs: message.multiFactorCheckLifetime,
      sessionLifetimeMs: message.sessionLifetime,
      setUpSkipMs: message.mfaInitSkipLifetime,
    }),
  }
}
