/** Identity assertion grants in the messages of the v2 service. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  IdentityAssertionSettings,
  IdentityAssertionSettingsSchema,
} from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import type { IdentityAssertions } from '../events.ts'

/** As a request states them. */
export function assertionsOf({ issue, partners, accept, issuers }: IdentityAssertionSettings): IdentityAssertions {
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
export function assertionsV2(
  given: IdentityAssertions | undefined,
): MessageInitShape<typeof IdentityAssertionSettingsSchema> {
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
