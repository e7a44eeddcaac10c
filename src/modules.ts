/** Which features the server consists of. A module may use those above it; everything the app collects is derived from here. */

import { accountModule } from './features/account/index.ts'
import { administratorsModule } from './features/administrators/index.ts'
import { applicationsModule } from './features/applications/index.ts'
import { assetsModule } from './features/assets/index.ts'
import { auditModule } from './features/audit/index.ts'
import { authorizationRequestsModule } from './features/authorization-requests/index.ts'
import { authorizationsModule } from './features/authorizations/index.ts'
import { deliveriesModule } from './features/deliveries/index.ts'
import { directoriesModule } from './features/directories/index.ts'
import { directorySyncModule } from './features/directory-sync/index.ts'
import { executionsModule } from './features/executions/index.ts'
import { generationsModule } from './features/generations/index.ts'
import { grantsModule } from './features/grants/index.ts'
import { groupsModule } from './features/groups/index.ts'
import { healthModule } from './features/health/index.ts'
import { humansModule } from './features/humans/index.ts'
import { identityLinksModule } from './features/identity-links/index.ts'
import { identityProvidersModule } from './features/identity-providers/index.ts'
import { importsModule } from './features/imports/index.ts'
import { instancesModule } from './features/instances/index.ts'
import { machinesModule } from './features/machines/index.ts'
import { mailModule } from './features/mail/index.ts'
import { membershipsModule } from './features/memberships/index.ts'
import { messagesModule } from './features/messages/index.ts'
import { metadataModule } from './features/metadata/index.ts'
import { monitoringModule } from './features/monitoring/index.ts'
import { nodeLeasesModule } from './features/node-leases/index.ts'
import { onboardingModule } from './features/onboarding/index.ts'
import { oneTimeCodesModule } from './features/one-time-codes/index.ts'
import { organizationsModule } from './features/organizations/index.ts'
import { passkeysModule } from './features/passkeys/index.ts'
import { passwordsModule } from './features/passwords/index.ts'
import { projectsModule } from './features/projects/index.ts'
import { resourcesModule } from './features/resources/index.ts'
import { samlModule } from './features/saml/index.ts'
import { sessionsModule } from './features/sessions/index.ts'
import { settingsModule } from './features/settings/index.ts'
import { signInModule } from './features/sign-in/index.ts'
import { signInIntentsModule } from './features/sign-in-intents/index.ts'
import { signInsModule } from './features/sign-ins/index.ts'
import { signalStreamsModule } from './features/signal-streams/index.ts'
import { smsModule } from './features/sms/index.ts'
import { targetsModule } from './features/targets/index.ts'
import { trustedTransmittersModule } from './features/trusted-transmitters/index.ts'
import { usersModule } from './features/users/index.ts'
import { verificationsModule } from './features/verifications/index.ts'
import { webKeysModule } from './features/web-keys/index.ts'
import { webhooksModule } from './features/webhooks/index.ts'
import type { App } from './module/app.ts'
import type { DeclaredKind } from './module/carried.ts'
import type { DestinationKind } from './module/destinations.ts'
import type { Module } from './module/module.ts'
import type { AnyKind } from './store/index.ts'

export const modules: readonly Module[] = [
  nodeLeasesModule,
  generationsModule,
  instancesModule,
  deliveriesModule,
  organizationsModule,
  webhooksModule,
  membershipsModule,
  assetsModule,
  settingsModule,
  webKeysModule,
  targetsModule,
  executionsModule,
  mailModule,
  smsModule,
  metadataModule,
  identityProvidersModule,
  identityLinksModule,
  verificationsModule,
  usersModule,
  machinesModule,
  groupsModule,
  directorySyncModule,
  directoriesModule,
  projectsModule,
  applicationsModule,
  authorizationsModule,
  resourcesModule,
  messagesModule,
  passwordsModule,
  passkeysModule,
  oneTimeCodesModule,
  humansModule,
  administratorsModule,
  onboardingModule,
  signInIntentsModule,
  sessionsModule,
  signalStreamsModule,
  grantsModule,
  signInModule,
  authorizationRequestsModule,
  samlModule,
  signInsModule,
  trustedTransmittersModule,
  accountModule,
  importsModule,
  auditModule,
  monitoringModule,
  healthModule,
]

/** Every kind of document of all modules, with how it is carried. */
export const declaredKinds: readonly DeclaredKind[] = modules.flatMap((module) => module.kinds ?? [])

/** Every kind of document, of all modules. */
export const kinds: readonly AnyKind[] = [...new Set(declaredKinds.map(({ kind }) => kind))]

/** Every kind of destination, of all modules. */
export const destinations: readonly DestinationKind<App>[] = modules.flatMap((module) => module.destinations ?? [])
