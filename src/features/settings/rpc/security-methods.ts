/** The methods for the security settings of the instance. The v1 service knows three of them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { SecurityPolicy } from '../../../../contract/gen/signet/settings/v1/security_pb.ts'
import type {
  IdentityAssertionSettings,
  IdentityAssertionSettingsSchema,
  SetSecuritySettingsRequest,
} from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { detailsV2, writtenV1 } from '../../../module/details.ts'
import { mapped, same, texts } from '../../../module/mapped.ts'
import { settings } from '../documents.ts'
import { changeInstanceSettings, decideSettings } from '../handlers/change-settings.ts'
import { checkAssertionParties } from '../identity-assertions.ts'
import {
  checkClientDomains,
  checkEmbeddingOrigins,
  DEFAULT_REGISTRATIONS_PER_HOUR,
  securitySettings,
} from '../security.ts'
import type { IdentityAssertions, SecuritySettings } from '../values.ts'
import { settingsDetailsV1, settingsDetailsV2 } from './details.ts'

/** Identity assertions as a request states them. */
function assertionsOf({ issue, partners, accept, issuers }: IdentityAssertionSettings): IdentityAssertions {
  return {
    isIssuing: issue,
    partners: partners.map(({ issuer, clients, resources, scopes }) => ({
      issuer,
      clients: clients.map(({ clientId, partnerClientId }) => ({ clientId, partnerClientId })),
      resources,
      scopes,
    })),
    isAccepting: accept,
    issuers: issuers.map(({ issuer, jwksUri, identityProviderId: providerId, clientIds }) => {
      return { issuer, jwksUri, providerId, clientIds }
    }),
  }
}

/** As the service shows them. */
function assertionsV2(given: IdentityAssertions | undefined): MessageInitShape<typeof IdentityAssertionSettingsSchema> {
  return {
    issue: given?.isIssuing ?? false,
    partners: (given?.partners ?? []).map(({ issuer, clients, resources, scopes }) => {
      return { issuer, clients: [...clients], resources: [...resources], scopes: [...scopes] }
    }),
    accept: given?.isAccepting ?? false,
    issuers: (given?.issuers ?? []).map(({ issuer, jwksUri, providerId: identityProviderId, clientIds }) => {
      return { issuer, jwksUri, identityProviderId, clientIds: [...clientIds] }
    }),
  }
}

/** The security settings as a request states them: what is not given is off. */
function securityOf(message: SetSecuritySettingsRequest): SecuritySettings {
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
function securityV2(security: SecuritySettings | undefined) {
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

type KnownToV1 = 'allowsEmbedding' | 'embeddingOrigins' | 'allowsImpersonation'

const policy = mapped<Pick<SecuritySettings, KnownToV1>, SecurityPolicy, 'details'>()({
  allowsEmbedding: ['enableIframeEmbedding', same],
  embeddingOrigins: ['allowedOrigins', texts],
  allowsImpersonation: ['enableImpersonation', same],
})

/** The methods for the security settings. */
export function securityMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  return [
    ...methods(AdminService, {
      async getSecurityPolicy() {
        const details = settingsDetailsV1(await store.get(settings, instanceId), instanceId)
        return { policy: { details, ...policy.show(await securitySettings(app)) } }
      },
      async setSecurityPolicy(message, { origin }) {
        checkEmbeddingOrigins(message.allowedOrigins, policy.path('embeddingOrigins'))
        const written = await store.write(origin, async (work) => {
          const value = { ...(await securitySettings(app, work)), ...policy.read(message) }
          return decideSettings(work, instanceId, { type: 'set', section: 'security', manner: 'put', value })
        })
        return { details: writtenV1(written) }
      },
    }),
    ...methods(SettingsService, {
      async getSecuritySettings() {
        const instance = await store.get(settings, instanceId)
        return { details: settingsDetailsV2(instance, instanceId), settings: securityV2(instance?.state.security) }
      },
      async setSecuritySettings(message, { origin }) {
        checkEmbeddingOrigins(message.embeddedIframe?.allowedOrigins ?? [])
        checkClientDomains(message.clientIdMetadataDocuments?.allowedDomains ?? [])
        const value = securityOf(message)
        if (value.assertions !== undefined) checkAssertionParties(app, value.assertions)
        const command = { type: 'set', section: 'security', manner: 'put', value } as const
        return { details: detailsV2((await changeInstanceSettings(app, origin, command)).value) }
      },
    }),
  ]
}
