/**
 * Applications: the clients of a project. OIDC applications sign users in; API applications ask the server about access
 * tokens. Secrets and private keys are shown once; only hashes and public keys are stored.
 */
import { stays, within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { registeredClientRetention, registeredClientRetirements } from './agents/registered-clients.ts'
import { registrationShareRetention, registrationShares } from './agents/registration-shares.ts'
import { registrationTokenRetention, registrationTokens } from './agents/registration-tokens.ts'
import { carriedApplications, carriedClients, carriedKeys } from './carried.ts'
import { applicationSecrets } from './documents.ts'
import { decideOlderAccess } from './handlers/decide-older-access.ts'
import { removeApplicationsOfOrganization, removeApplicationsOfProject } from './handlers/remove-application.ts'
import { applicationRefusals } from './refusals.ts'
import { applicationMethodsV1 } from './rpc-v1.ts'
import { applicationMethodsV2 } from './rpc-v2.ts'
import { effectiveSettingsMethods } from './rpc-v2-settings.ts'

export const applicationsModule = module({
  name: 'applications',
  kinds: [
    carriedApplications,
    ...within('application', applicationSecrets),
    carriedKeys,
    carriedClients,
    ...stays('It lasts a day: make another one.', registrationTokens),
    ...stays('Registrations of the current hour are counted anew.', registrationShares),
    ...stays('A record of registrations that have ended.', registeredClientRetirements),
  ],
  retention: () => [registeredClientRetention, registrationTokenRetention, registrationShareRetention],
  refusals: applicationRefusals,
  methods: (app) => [...applicationMethodsV1(app), ...applicationMethodsV2(app), ...effectiveSettingsMethods(app)],
  prepare: decideOlderAccess,
  whenProjectRemoved: removeApplicationsOfProject,
  whenOrganizationRemoved: removeApplicationsOfOrganization,
})

export {
  type ActiveApplication,
  activeApplication,
  activeApplicationOfClient,
  reopeningsOf,
} from './active-application.ts'
export {
  type AgentClient,
  agentApplication,
  agentApplicationId,
  agentKindOf,
  findAgent,
  isAgentName,
  keepAgentApplication,
  knownAgent,
} from './agents/agent-clients.ts'
export { keysAsRegistered, keysFor } from './agents/client-keys.ts'
export { type ClientMetadata, isProblem, nameWithoutHost, readMetadata, shownHost } from './agents/client-metadata.ts'
export { noteUse, type RegisteredClient, registeredClients } from './agents/registered-clients.ts'
export type { ApplicationDraft, ApplicationKeyDraft } from './carried.ts'
export { applications } from './documents.ts'
export type {
  ApiConfig,
  ApplicationConfig,
  AssertionAlgorithm,
  GrantType,
  OidcConfig,
  SamlAttribute,
  SamlConfig,
} from './events.ts'
export {
  apiAccessOf,
  applicationForCaller,
  clientIdsOfProject,
  findApplication,
  findApplicationByClientId,
  findApplicationKey,
  findApplicationsByEntityId,
  isAgentApplication,
  matchesApplicationSecret,
  newestKeysOfApplication,
  readApplicationKey,
  requireApplication,
  verificationKeysOf,
} from './find-application.ts'
export { sortForeignAddresses, typeOfForeignClient } from './foreign-addresses.ts'
export {
  changeRegistration,
  endRegistration,
  type Registrar,
  registerClient,
  registrationOfToken,
  requireRegistrationOpen,
} from './handlers/register-client.ts'
export { isHighAssurance } from './high-assurance.ts'
export { agentClientKind } from './messages.ts'
export { hostOfRedirect, isOriginAllowed, isRedirectAllowed, type RedirectRules } from './redirect-uris.ts'
export { readProvider as readServiceProvider } from './saml/metadata.ts'
export type { LivingApplication } from './state.ts'
export { readTrialTicket, type SignInTrial, trialRedirectUri } from './trial.ts'
