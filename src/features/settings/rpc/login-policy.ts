/** Login settings in messages. */
import { type Duration, durationFromMs } from '@bufbuild/protobuf/wkt'
import {
  type LoginPolicy,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import { PasskeysType } from '../../../../contract/gen/signet/settings/v2/login_settings_pb.ts'
import { refused } from '../../../kernel/refusal.ts'
import { type Codec, mapped, opposite, same, words } from '../../../module/mapped.ts'
import { BUILT_IN_LOGIN, redirectUriProblem } from '../login.ts'
import { settingsRefusals } from '../refusals.ts'
import type { AllowedMultiFactor, AllowedSecondFactor, LoginSettings } from '../values.ts'

/** The numbers are the same in v1 and v2. */
export const secondFactors = words({
  totp: SecondFactorType.OTP,
  u2f: SecondFactorType.U2F,
  otp_email: SecondFactorType.OTP_EMAIL,
  otp_sms: SecondFactorType.OTP_SMS,
  recovery_code: SecondFactorType.RECOVERY_CODES,
} satisfies Record<AllowedSecondFactor, number>)

export const multiFactors = words({
  u2f_with_verification: MultiFactorType.U2F_WITH_VERIFICATION,
} satisfies Record<AllowedMultiFactor, number>)

const passkeys: Codec<boolean, PasswordlessType> = {
  show: (allows) => (allows ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED),
  read: (type) => type === PasswordlessType.ALLOWED,
}

/** Rounded up, so that nothing above 0 becomes 0. One that is not given stays as it is. */
const lifetime: Codec<number, Duration> = {
  show: durationFromMs,
  read: ({ seconds, nanos }) => Number(seconds) * 1000 + Math.ceil(nanos / 1e6),
}

const policy = mapped<LoginSettings, LoginPolicy, 'details' | 'isDefault' | 'idps'>()({
  allowsPassword: ['allowUsernamePassword', same],
  allowsPasskeys: ['passwordlessType', passkeys],
  allowsExternal: ['allowExternalIdp', same],
  allowsRegistration: ['allowRegister', same],
  allowsEmailLogin: ['disableLoginWithEmail', opposite],
  allowsPhoneLogin: ['disableLoginWithPhone', opposite],
  allowsDomainDiscovery: ['allowDomainDiscovery', same],
  ignoresUnknownUserNames: ['ignoreUnknownUsernames', same],
  setUpSkipMs: ['mfaInitSkipLifetime', lifetime],
  requiresSecondFactor: ['forceMfa', same],
  requiresSecondFactorLocalOnly: ['forceMfaLocalOnly', same],
  hidesPasswordReset: ['hidePasswordReset', same],
  // Clients of the ZITADEL API do not know the field, and must not change what it says.
  allowsPasswordReset: ['disablePasswordReset', opposite],
  defaultRedirectUri: ['defaultRedirectUri', same],
  passwordLifetimeMs: ['passwordCheckLifetime', lifetime],
  externalLifetimeMs: ['externalLoginCheckLifetime', lifetime],
  secondFactorLifetimeMs: ['secondFactorCheckLifetime', lifetime],
  multiFactorLifetimeMs: ['multiFactorCheckLifetime', lifetime],
  sessionLifetimeMs: ['sessionLifetime', lifetime],
  secondFactors: ['secondFactors', secondFactors.list],
  multiFactors: ['multiFactors', multiFactors.list],
})

/** Login settings in the v1 services. Those from before a member existed have what is built in. */
export function loginV1(value: LoginSettings) {
  return policy.show({ allowsPasswordReset: true, ...BUILT_IN_LOGIN, ...value })
}

/** Login settings in the v2 services. */
export function loginV2(value: LoginSettings) {
  const { passwordlessType: _, ...common } = loginV1(value)
  return {
    ...common,
    allowLocalAuthentication: value.allowsPassword,
    // Login pages of clients know this field only.
    hidePasswordReset: common.hidePasswordReset || common.disablePasswordReset === true,
    // Decision 31: the pages do not tell who exists, and pages of clients should not either.
    ignoreUnknownUsernames: true,
    passkeysType: value.allowsPasskeys ? PasskeysType.ALLOWED : PasskeysType.NOT_ALLOWED,
  }
}

/** The settings in a request, without what it does not have. */
export function loginOf(
  message: Parameters<typeof policy.read>[0] & { defaultRedirectUri: string },
): Partial<LoginSettings> {
  const description = redirectUriProblem(message.defaultRedirectUri)
  if (description === undefined) return policy.read(message)
  const violations = [{ field: policy.path('defaultRedirectUri'), description }]
  throw refused(settingsRefusals, 'settings.redirect_uri_invalid', { violations })
}
