/** Which requests go first when the server is overloaded: the one table of priorities. */

import type { DescMethod } from '@bufbuild/protobuf'
import { DOOR_PATH, PATHS } from '../../kernel/page-paths.ts'

/**
 * `monitoring` never waits and is never refused; `sign_in` goes before `usual`, and `usual` before `bulk`: lists,
 * searches and imports.
 */
export type Priority = 'monitoring' | QueuedPriority
export type QueuedPriority = 'sign_in' | 'usual' | 'bulk'

/** The priorities that may have to wait, the highest first. */
export const QUEUED: readonly QueuedPriority[] = ['sign_in', 'usual', 'bulk']

/** Seconds after which a refused caller may try again. Those who go last come back last. */
export const RETRY_AFTER_SECONDS: Readonly<Record<QueuedPriority, number>> = { sign_in: 1, usual: 2, bulk: 5 }

/** Methods by full name; a name that ends with `/` stands for the whole service. The longest one that matches counts. */
export const METHOD_PRIORITIES: Readonly<Record<string, Priority>> = {
  'grpc.health.v1.Health/': 'monitoring',
  'signet.admin.v1.AdminService/Healthz': 'monitoring',
  'signet.auth.v1.AuthService/Healthz': 'monitoring',
  'signet.management.v1.ManagementService/Healthz': 'monitoring',
  'signet.system.v1.SystemService/Healthz': 'monitoring',
  'signet.session.v2.SessionService/': 'sign_in',
  'signet.session.v2.SessionService/ListSessions': 'bulk',
  'signet.oidc.v2.OIDCService/': 'sign_in',
  'signet.saml.v2.SAMLService/': 'sign_in',
  // What a login page asks for while a user signs in.
  'signet.settings.v2.SettingsService/GetActiveIdentityProviders': 'sign_in',
  'signet.settings.v2.SettingsService/GetBrandingSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetDomainSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetGeneralSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetHostedLoginTranslation': 'sign_in',
  'signet.settings.v2.SettingsService/GetLegalAndSupportSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetLockoutSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetLoginSettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetPasswordComplexitySettings': 'sign_in',
  'signet.settings.v2.SettingsService/GetPasswordExpirySettings': 'sign_in',
  'signet.user.v2.UserService/ListAuthenticationMethodTypes': 'sign_in',
  'signet.user.v2.UserService/PasswordReset': 'sign_in',
  'signet.user.v2.UserService/RetrieveIdentityProviderIntent': 'sign_in',
  'signet.user.v2.UserService/SetPassword': 'sign_in',
  'signet.user.v2.UserService/StartIdentityProviderIntent': 'sign_in',
  'signet.user.v2.UserService/VerifyInviteCode': 'sign_in',
  'signet.user.v2.UserService/VerifyPasskeyRegistration': 'sign_in',
  'signet.event.v1.EventService/': 'bulk',
  'grpc.reflection.v1.ServerReflection/': 'bulk',
  'grpc.reflection.v1alpha.ServerReflection/': 'bulk',
}

/** Pages by path, as they are registered. Those that are not listed are part of signing in. */
export const PAGE_PRIORITIES: Readonly<Record<string, Priority>> = {
  '/healthz': 'monitoring',
  '/debug/healthz': 'monitoring',
  '/readyz': 'monitoring',
  '/debug/ready': 'monitoring',
  '/metrics': 'monitoring',
  '/openapi.json': 'bulk',
  '/openapi/services.json': 'bulk',
  '/v2/events/schema': 'bulk',
}

/** Paths of pages that are for administrators, and for agents. */
const ADMINISTRATION = [PATHS.console, PATHS.explorer, '/assets/', PATHS.inbox, DOOR_PATH]

/** Paths for directories, receivers and the import: one that sends everything at once does not delay those who sign in. */
const MACHINES = ['/scim/', '/ssf/', '/v2/import']

/** Names of methods that read or change many objects. */
const READS_MANY = /^(List|Search|Bulk)/

/** The priority of a method of the contract. */
export function priorityOfMethod({ parent, name }: Pick<DescMethod, 'parent' | 'name'>): Priority {
  const declared = METHOD_PRIORITIES[`${parent.typeName}/${name}`] ?? METHOD_PRIORITIES[`${parent.typeName}/`]
  return declared ?? (READS_MANY.test(name) ? 'bulk' : 'usual')
}

/** The priority of a page, by the path at which it is registered. */
export function priorityOfPage(path: string): Priority {
  const declared = PAGE_PRIORITIES[path] ?? (MACHINES.some((start) => path.startsWith(start)) ? 'bulk' : undefined)
  return declared ?? (ADMINISTRATION.some((start) => path.startsWith(start)) ? 'usual' : 'sign_in')
}
