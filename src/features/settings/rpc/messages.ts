/** Converts settings to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { DetailsSchema } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type {
  LockoutPolicySchema,
  PasswordComplexityPolicySchema,
} from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import type { SetSecuritySettingsRequest } from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import {
  type LockoutSettingsSchema,
  type OrganizationSettingsSchema,
  type PasswordComplexitySettingsSchema,
  ResourceOwnerType,
} from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import type { ObjectDetailsSchema } from '../../../../contract/gen/signet/v1/object_pb.ts'
import { detailsV1, detailsV2 } from '../../../module/details.ts'
import type { Document } from '../../../store/index.ts'
import type { OrganizationSettings, Settings } from '../decider.ts'
import type { Holding } from '../effective.ts'
import type { Lockout, PasswordComplexity, SecuritySettings } from '../events.ts'
import { DEFAULT_REGISTRATIONS_PER_HOUR } from '../security.ts'
import { assertionsOf, assertionsV2 } from './assertion-messages.ts'

/** Built-in settings belong to the instance and were never changed. */
export function settingsDetailsV1(
  from: Document<Settings> | undefined,
  instanceId: string,
): MessageInitShape<typeof ObjectDetailsSchema> {
  return from ? detailsV1(from) : { resourceOwner: instanceId }
}

/** As above, for the v2 services. */
export function settingsDetailsV2(
  from: Document<Settings> | undefined,
  instanceId: string,
): MessageInitShape<typeof DetailsSchema> {
  return from ? detailsV2(from) : { resourceOwner: instanceId }
}

/** Whether the organization has its own setting. */
export function isOwn(from: Document<Settings> | undefined, instanceId: string): boolean {
  return from !== undefined && from.id !== instanceId
}

/** The level on which the applied setting is set, for the v2 services. */
export function ownerType(from: Document<Settings> | undefined, instanceId: string): ResourceOwnerType {
  return isOwn(from, instanceId) ? ResourceOwnerType.ORG : ResourceOwnerType.INSTANCE
}

/** The password complexity policy in the v1 services. */
export function complexityV1(
  { value, from }: Holding<PasswordComplexity>,
  instanceId: string,
): MessageInitShape<typeof PasswordComplexityPolicySchema> {
  return {
    details: settingsDetailsV1(from, instanceId),
    minLength: BigInt(value.minLength),
    hasUppercase: value.needsUppercase,
    hasLowercase: value.needsLowercase,
    hasNumber: value.needsNumber,
    hasSymbol: value.needsSymbol,
    isDefault: !isOwn(from, instanceId),
  }
}

/** The password complexity settings in the v2 services. */
export function complexityV2(
  { value, from }: Holding<PasswordComplexity>,
  instanceId: string,
): MessageInitShape<typeof PasswordComplexitySettingsSchema> {
  return {
    minLength: BigInt(value.minLength),
    requiresUppercase: value.needsUppercase,
    requiresLowercase: value.needsLowercase,
    requiresNumber: value.needsNumber,
    requiresSymbol: value.needsSymbol,
    resourceOwnerType: ownerType(from, instanceId),
  }
}

/** The password complexity policy of v1 requests. */
export function complexityOf(message: {
  readonly minLength: number
  readonly hasUppercase: boolean
  readonly hasLowercase: boolean
  readonly hasNumber: boolean
  readonly hasSymbol: boolean
}): PasswordComplexity {
  return {
    minLength: message.minLength,
    needsUppercase: message.hasUppercase,
    needsLowercase: message.hasLowercase,
    needsNumber: message.hasNumber,
    needsSymbol: message.hasSymbol,
  }
}

function lockoutNumbers({ maxPasswordAttempts, maxOtpAttempts }: Lockout) {
  return {
    maxPasswordAttempts: BigInt(maxPasswordAttempts),
    maxOtpAttempts: BigInt(maxOtpAttempts),
  }
}

/** The lockout policy in the v1 services. */
export function lockoutV1(
  { value, from }: Holding<Lockout>,
  instanceId: string,
): MessageInitShape<typeof LockoutPolicySchema> {
  return {
    details: settingsDetailsV1(from, instanceId),
    ...lockoutNumbers(value),
    isDefault: !isOwn(from, instanceId),
  }
}

/** The lockout settings in the v2 services. */
export function lockoutV2(
  { value, from }: Holding<Lockout>,
  instanceId: string,
): MessageInitShape<typeof LockoutSettingsSchema> {
  return {
    ...lockoutNumbers(value),
    resourceOwnerType: ownerType(from, instanceId),
  }
}

/** An organization's own settings. */
export function organizationSettings(
  organizationId: string,
  { userNameScope, createdAt, changedAt }: OrganizationSettings,
): MessageInitShape<typeof OrganizationSettingsSchema> {
  return {
    organizationId,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    organizationScopedUsernames: userNameScope === 'organization',
  }
}

/** The security settings as a request states them: what is not given is off. */
export function securityOf(message: SetSecuritySettingsRequest): SecuritySettings {
  const { embeddedIframe, enableImpersonation, dynamicClientRegistration, allowSelfDeletion } = message
  const { enabled: allowsDocumentClients = false, allowedDomains = [] } = message.clientIdMetadataDocuments ?? {}
  const { registrationsPerHour = 0 } = dynamicClientRegistration ?? {}
  return {
    allowsEmbedding: embeddedIframe?.enabled ?? false,
    embeddingOrigins: embeddedIframe?.allowedOrigins ?? [],
    allowsImpersonation: enableImpersonation,
    allowsClientRegistration: dynamicClientRegistration?.enabled ?? false,
    allowsAnonymousClientRegistration: dynamicClientRegistration?.allowUnauthenticated ?? false,
    ...(allowSelfDeletion && { allowsSelfDeletion: true }),
    ...(registrationsPerHour > 0 && { registrationsPerHour }),
    ...(allowsDocumentClients && { allowsDocumentClients }),
    ...(allowedDomains.length > 0 && { documentClientDomains: allowedDomains.map((domain) => domain.toLowerCase()) }),
    ...(message.mcpServer?.enabled && { servesMcp: true }),
    ...(message.identityAssertions && { assertions: assertionsOf(message.identityAssertions) }),
  }
}

/** The security settings as the v2 service shows them; everything is off until it is set. */
export function securityV2(security: SecuritySettings | undefined) {
  return {
    embeddedIframe: {
      enabled: security?.allowsEmbedding ?? false,
      allowedOrigins: [...(security?.embeddingOrigins ?? [])],
    },
    enableImpersonation: security?.allowsImpersonation ?? false,
    dynamicClientRegistration: {
      enabled: security?.allowsClientRegistration ?? false,
      allowUnauthenticated: security?.allowsAnonymousClientRegistration ?? false,
      registrationsPerHour: security?.registrationsPerHour ?? DEFAULT_REGISTRATIONS_PER_HOUR,
    },
    clientIdMetadataDocuments: {
      enabled: security?.allowsDocumentClients ?? false,
      allowedDomains: [...(security?.documentClientDomains ?? [])],
    },
    mcpServer: { enabled: security?.servesMcp ?? false },
    identityAssertions: assertionsV2(security?.assertions),
    allowSelfDeletion: security?.allowsSelfDeletion ?? false,
  }
}
