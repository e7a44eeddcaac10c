/** What the rooms keep: every kind of stream and document, and every type of event. */
import { identityLinks } from './features/identity-links/index.ts'
import { identityProviders, providerSecrets } from './features/identity-providers/index.ts'
import { instances, keyRings, setupCodes } from './features/instances/index.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from './features/machines/index.ts'
import { inboxMails, messageTexts, smtpConfigs } from './features/mail/index.ts'
import { memberships } from './features/memberships/index.ts'
import { userMetadata } from './features/metadata/index.ts'
import { oneTimeCodes } from './features/one-time-codes/index.ts'
import { organizations } from './features/organizations/index.ts'
import { passkeyRegistrations, passkeys } from './features/passkeys/index.ts'
import { passwords } from './features/passwords/index.ts'
import { sessionRetirements, sessions } from './features/sessions/index.ts'
import { settings } from './features/settings/index.ts'
import { intentRetirements, intents } from './features/sign-in-intents/index.ts'
import { smsProviders } from './features/sms/index.ts'
import { users } from './features/users/index.ts'
import { attempts, verifications } from './features/verifications/index.ts'
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

/** Every event type of every kind. */
export const eventTypes: readonly string[] = kinds.flatMap(({ events }) => Object.keys(events))
