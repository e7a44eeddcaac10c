/** Converts applications and keys to messages of the v1 and v2 services. No message contains a secret or a key. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type AppSchema, AppState, type OIDCConfigSchema } from '../../../contract/gen/signet/app/v1/app_pb.ts'
import {
  AgentClientKind,
  type ApplicationKeySchema,
  type ApplicationSchema,
  ApplicationState,
} from '../../../contract/gen/signet/application/v2/application_pb.ts'
import type { OIDCConfigurationSchema } from '../../../contract/gen/signet/application/v2/oidc_pb.ts'
import { type KeySchema, KeyType } from '../../../contract/gen/signet/authn/v1/key_pb.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { detailsV1 } from '../../module/details.ts'
import { instantOf } from '../../module/instants.ts'
import type { Document } from '../../store/index.ts'
import { NEVER } from '../machines/index.ts'
import { agentKindOf } from './agents/agent-clients.ts'
import { complianceOf } from './compliance.ts'
import { configV1, configV2, loginVersionMessage, rulesMessage } from './config-messages.ts'
import type { ActiveApplicationKey } from './decider.ts'
import { agentKind, apiAccess, apiAuthMethod } from './enums.ts'
import type { ApplicationConfig, OidcConfig } from './events.ts'
import { fapi2Requirements } from './high-assurance.ts'
import { allowedOriginsOf } from './redirect-uris.ts'
import { applicationRefusals } from './refusals.ts'
import { samlV1, samlV2 } from './saml/messages.ts'
import type { LivingApplication } from './state.ts'

/** How a client that nobody prepared became known, as the contract numbers it. */
export function agentClientKind(clientId: string): AgentClientKind {
  const kind = agentKindOf(clientId)
  return kind === undefined ? AgentClientKind.UNSPECIFIED : agentKind.show(kind)
}

/**
 * Reads the field `expirationDate`. If it is not set, the key never expires. Refuses a date in the past and names the
 * field.
 */
export function expirationOf(date: Timestamp | undefined, at: Instant): Instant {
  if (date === undefined) return NEVER
  const expiresAt = instantOf(date)
  const refuse = (
    code: 'application.key_expiration_past' | 'application.key_expiration_invalid',
    description: string,
  ) => refused(applicationRefusals, code, { violations: [{ field: 'expirationDate', description }] })
  if (expiresAt <= at) throw refuse('application.key_expiration_past', 'must be in the future')
  if (expiresAt >= NEVER + 1000) throw refuse('application.key_expiration_invalid', 'must be before the year 10000')
  return expiresAt
}

/** The problems of a configuration in the v2 services, which give keys alone. */
export function complianceV2(config: OidcConfig) {
  const { isCompliant, problems } = complianceOf(config)
  return { nonCompliant: !isCompliant, complianceProblems: problems.map(({ key }) => ({ key })) }
}

/** The problems of a configuration in the v1 services. */
export function complianceV1(config: OidcConfig) {
  const { isCompliant, problems } = complianceOf(config)
  const complianceProblems = problems.map(({ key, sentence }) => ({ key, localizedMessage: sentence }))
  return { noneCompliant: !isCompliant, complianceProblems }
}

/** What corresponds to no member alone. */
function toldMembers(config: OidcConfig, clientId: string) {
  const { ios, android } = config
  return {
    clientId,
    allowedOrigins: [...allowedOriginsOf(config)],
    ...loginVersionMessage(config),
    ...(ios && { ios }),
    ...(android && {
      android: { packageName: android.packageName, sha256CertFingerprints: [...android.fingerprints] },
    }),
  }
}

function oidcV2(config: OidcConfig, clientId: string): MessageInitShape<typeof OIDCConfigurationSchema> {
  return {
    ...configV2.show(config),
    ...toldMembers(config, clientId),
    ...complianceV2(config),
    ...rulesMessage(config),
    fapi2Requirements: fapi2Requirements(config).map(({ key, isMet }) => ({ key, met: isMet })),
    cibaNotificationUri: config.ciba?.notificationUri ?? '',
    cibaRequireSignedRequests: config.ciba?.requireSignedRequests === true,
  }
}

function oidcV1(config: OidcConfig, clientId: string): MessageInitShape<typeof OIDCConfigSchema> {
  return { ...configV1.show(config), ...toldMembers(config, clientId), ...complianceV1(config) }
}

/** An application in the v2 services. */
export function applicationV2(document: Document<LivingApplication>): MessageInitShape<typeof ApplicationSchema> {
  const { status, name, projectId, clientId, config, api, agent } = document.state
  return {
    applicationId: document.id,
    creationDate: timestampFromMs(document.createdAt),
    changeDate: timestampFromMs(document.changedAt),
    state: status === 'active' ? ApplicationState.ACTIVE : ApplicationState.INACTIVE,
    name,
    projectId,
    ...(agent && { agentClientKind: agentKind.show(agent.kind) }),
    ...(api && { apiAccess: apiAccess.show(api.access), apiAccessAllowedBy: api.allowedBy }),
    configuration: configurationV2(config, clientId),
  }
}

function configurationV2(
  config: ApplicationConfig,
  clientId: string,
): NonNullable<MessageInitShape<typeof ApplicationSchema>['configuration']> {
  switch (config.type) {
    case 'oidc':
      return { case: 'oidcConfiguration', value: oidcV2(config, clientId) }
    case 'saml':
      return { case: 'samlConfiguration', value: samlV2(config) }
    case 'api': {
      const { authMethod: method, requireAssertionJti = false } = config
      const value = { clientId, authMethodType: apiAuthMethod.show(method), requireAssertionJti }
      return { case: 'apiConfiguration', value }
    }
  }
}

/** An application in the v1 services. */
export function applicationV1(document: Document<LivingApplication>): MessageInitShape<typeof AppSchema> {
  const { status, name, clientId, config } = document.state
  return {
    id: document.id,
    details: detailsV1(document),
    state: status === 'active' ? AppState.ACTIVE : AppState.INACTIVE,
    name,
    config: configurationV1(config, clientId),
  }
}

function configurationV1(
  config: ApplicationConfig,
  clientId: string,
): NonNullable<MessageInitShape<typeof AppSchema>['config']> {
  switch (config.type) {
    case 'oidc':
      return { case: 'oidcConfig', value: oidcV1(config, clientId) }
    case 'saml':
      return { case: 'samlConfig', value: samlV1(config) }
    case 'api':
      return { case: 'apiConfig', value: { clientId, authMethodType: apiAuthMethod.show(config.authMethod) } }
  }
}

/** A key in the v2 services. */
export function keyV2(key: Document<ActiveApplicationKey>): MessageInitShape<typeof ApplicationKeySchema> {
  const { applicationId, projectId, expiresAt } = key.state
  return {
    keyId: key.id,
    applicationId,
    projectId,
    creationDate: timestampFromMs(key.createdAt),
    organizationId: key.owner,
    expirationDate: timestampFromMs(expiresAt),
  }
}

/** A key in the v1 services. */
export function keyV1(key: Document<ActiveApplicationKey>): MessageInitShape<typeof KeySchema> {
  return {
    id: key.id,
    details: detailsV1(key),
    type: KeyType.JSON,
    expirationDate: timestampFromMs(key.state.expiresAt),
  }
}
