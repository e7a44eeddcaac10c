/** The methods for plain sections, each with the members and fields of its messages. A section without a row does not compile. */
import type { PrivacyPolicy } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import type { NotificationPolicy } from '../../../../contract/gen/signet/policy/v1/notification_pb.ts'
import type {
  LockoutPolicy,
  PasswordAgePolicy,
  PasswordComplexityPolicy,
} from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import type { OIDCSettings } from '../../../../contract/gen/signet/settings/v1/oidc_pb.ts'
import type { LegalAndSupportSettings } from '../../../../contract/gen/signet/settings/v2/appearance_pb.ts'
import type { PasswordComplexitySettings } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import type { Method } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { count, mapped, milliseconds, same } from '../../../module/mapped.ts'
import type { PlainName } from '../plain.ts'
import type {
  LegalLinks,
  Lockout,
  Notifications,
  OidcLifetimes,
  PasswordComplexity,
  PasswordExpiry,
} from '../values.ts'
import { loginMethods } from './login-methods.ts'
import { policyMethods } from './policies.ts'
import { securityMethods } from './security-methods.ts'

/** What is around the value. */
type Around = 'details' | 'isDefault' | 'resourceOwnerType'

const complexity = mapped<PasswordComplexity, PasswordComplexityPolicy, Around>()({
  minLength: ['minLength', count],
  needsUppercase: ['hasUppercase', same],
  needsLowercase: ['hasLowercase', same],
  needsNumber: ['hasNumber', same],
  needsSymbol: ['hasSymbol', same],
})

const complexityV2 = mapped<PasswordComplexity, PasswordComplexitySettings, Around>()({
  minLength: ['minLength', count],
  needsUppercase: ['requiresUppercase', same],
  needsLowercase: ['requiresLowercase', same],
  needsNumber: ['requiresNumber', same],
  needsSymbol: ['requiresSymbol', same],
})

const lockout = mapped<Lockout, LockoutPolicy, Around>()({
  maxPasswordAttempts: ['maxPasswordAttempts', count],
  maxOtpAttempts: ['maxOtpAttempts', count],
})

const age = mapped<PasswordExpiry, PasswordAgePolicy, Around>()({
  maxAgeDays: ['maxAgeDays', count],
  warnDays: ['expireWarnDays', count],
})

const links = mapped<LegalLinks, PrivacyPolicy, Around>()({
  tosLink: ['tosLink', same],
  privacyLink: ['privacyLink', same],
  helpLink: ['helpLink', same],
  supportEmail: ['supportEmail', same],
  docsLink: ['docsLink', same],
  customLink: ['customLink', same],
  customLinkText: ['customLinkText', same],
})

const linksV2 = mapped<LegalLinks, LegalAndSupportSettings, Around>()({
  tosLink: ['tosLink', same],
  privacyLink: ['privacyPolicyLink', same],
  helpLink: ['helpLink', same],
  supportEmail: ['supportEmail', same],
  docsLink: ['docsLink', same],
  customLink: ['customLink', same],
  customLinkText: ['customLinkText', same],
})

const notices = mapped<Notifications, NotificationPolicy, Around>()({ passwordChange: ['passwordChange', same] })

/** The limits of the contract require all of them. */
const lifetimes = mapped<OidcLifetimes, OIDCSettings, Around>()({
  accessTokenMs: ['accessTokenLifetime', milliseconds],
  idTokenMs: ['idTokenLifetime', milliseconds],
  refreshIdleMs: ['refreshTokenIdleExpiration', milliseconds],
  refreshAbsoluteMs: ['refreshTokenExpiration', milliseconds],
})

const METHODS: { readonly [Name in PlainName]: (app: App) => readonly Method[] } = {
  login: loginMethods,
  passwordComplexity: policyMethods('passwordComplexity', {
    v1: ['PasswordComplexityPolicy', complexity],
    v2: ['PasswordComplexitySettings', complexityV2.show],
  }),
  lockout: policyMethods('lockout', { v1: ['LockoutPolicy', lockout], v2: ['LockoutSettings', lockout.show] }),
  passwordExpiry: policyMethods('passwordExpiry', {
    v1: ['PasswordAgePolicy', age],
    v2: ['PasswordExpirySettings', age.show],
  }),
  legal: policyMethods('legal', { v1: ['PrivacyPolicy', links], v2: ['LegalAndSupportSettings', linksV2.show] }),
  notifications: policyMethods('notifications', { v1: ['NotificationPolicy', notices] }),
  oidc: policyMethods('oidc', { v1: ['OIDCSettings', lifetimes] }),
  security: securityMethods,
}

/** The methods for plain sections. */
export function sectionMethods(app: App): readonly Method[] {
  return Object.values(METHODS).flatMap((methodsOf) => methodsOf(app))
}
