/** Converts settings to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { SetSecuritySettingsRequest } from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import type { OrganizationSettingsSchema } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import type { OrganizationSettings } from '../decider.ts'
import type { SecuritySettings } from '../events.ts'
import { DEFAULT_REGISTRATIONS_PER_HOUR } from '../security.ts'
import { assertionsOf, assertionsV2 } from './assertion-messages.ts'

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
