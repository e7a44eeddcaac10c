/** The policies that are plain sections, each with its members and fields. */

import type { PrivacyPolicy } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import type { NotificationPolicy } from '../../../../contract/gen/signet/policy/v1/notification_pb.ts'
import type {
  LockoutPolicy,
  PasswordAgePolicy,
  PasswordComplexityPolicy,
} from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import type { LegalAndSupportSettings } from '../../../../contract/gen/signet/settings/v2/appearance_pb.ts'
import type { PasswordComplexitySettings } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import type { Method } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { count, mapped, same } from '../../../module/mapped.ts'
import type { LegalLinks, Lockout, Notifications, PasswordComplexity, PasswordExpiry } from '../events.ts'
import { policyMethods } from './policies.ts'

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

/** The methods for policies that are plain sections. */
export function plainPolicyMethods(app: App): readonly Method[] {
  const { show: v1, read } = complexity
  return [
    ...policyMethods(app, 'PasswordComplexityPolicy', 'passwordComplexity', {
      v1,
      v2: ['PasswordComplexitySettings', complexityV2.show],
      read,
    }),
    ...policyMethods(app, 'LockoutPolicy', 'lockout', {
      v1: lockout.show,
      v2: ['LockoutSettings', lockout.show],
      read: lockout.read,
    }),
    ...policyMethods(app, 'PasswordAgePolicy', 'passwordExpiry', {
      v1: age.show,
      v2: ['PasswordExpirySettings', age.show],
      read: age.read,
    }),
    ...policyMethods(app, 'PrivacyPolicy', 'legal', {
      v1: links.show,
      v2: ['LegalAndSupportSettings', linksV2.show],
      read: links.read,
    }),
    ...policyMethods(app, 'NotificationPolicy', 'notifications', { v1: notices.show, read: notices.read }),
  ]
}
