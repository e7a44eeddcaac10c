/** What the rooms keep: every kind of stream and document, and every type of event. */
import { identityLinkEventTypes, identityLinks } from './features/identity-links/index.ts'
import { identityProviderEventTypes, identityProviders, providerSecrets } from './features/identity-providers/index.ts'
import { instanceEventTypes, instances, keyRings, setupCodes } from './features/instances/index.ts'
import { machineEventTypes, machineKeys, machineSecrets, personalAccessTokens } from './features/machines/index.ts'
import { inboxMails, mailEventTypes, messageTexts, smtpConfigs } from './features/mail/index.ts'
import { membershipEventTypes, memberships } from './features/memberships/index.ts'
import { metadataEventTypes, userMetadata } from './features/metadata/index.ts'
import { oneTimeCodeEventTypes, oneTimeCodes } from './features/one-time-codes/index.ts'
import { organizationEventTypes, organizations } from './features/organizations/index.ts'
import { passkeyEventTypes, passkeyRegistrations, passkeys } from './features/passkeys/index.ts'
import { passwordEventTypes, passwords } from './features/passwords/index.ts'
import { sessionEventTypes, sessionRetirements, sessions } from './features/sessions/index.ts'
import { settings, settingsEventTypes } from './features/settings/index.ts'
import { intentEventTypes, intentRetirements, intents } from './features/sign-in-intents/index.ts'
import { smsEventTypes, smsProviders } from './features/sms/index.ts'
import { userEventTypes, users } from './features/users/index.ts'
import { attempts, verificationEventTypes, verifications } from './features/verifications/index.ts'
import type { AnyKind } from './store/index.ts'

/** Every kind of stream and document. */
export const kinds: readonly AnyKind[] = [
  instances,
  keyRings,
  setupCodes,
  organizations,
  settings,
  users,
  userMetadata,
  identityLinks,
  identityProviders,
  providerSecrets,
  intents,
  intentRetirements,
  memberships,
  personalAccessTokens,
  machineKeys,
  machineSecrets,
  passwords,
  verifications,
  attempts,
  passkeys,
  passkeyRegistrations,
  oneTimeCodes,
  sessions,
  sessionRetirements,
  smtpConfigs,
  messageTexts,
  inboxMails,
  smsProviders,
]

/** The event types of every room. */
export const eventTypes: readonly string[] = [
  ...instanceEventTypes,
  ...organizationEventTypes,
  ...settingsEventTypes,
  ...userEventTypes,
  ...metadataEventTypes,
  ...identityLinkEventTypes,
  ...identityProviderEventTypes,
  ...intentEventTypes,
  ...membershipEventTypes,
  ...machineEventTypes,
  ...passwordEventTypes,
  ...verificationEventTypes,
  ...passkeyEventTypes,
  ...oneTimeCodeEventTypes,
  ...sessionEventTypes,
  ...mailEventTypes,
  ...smsEventTypes,
]
