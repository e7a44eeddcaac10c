/** The clients that are published for the ZITADEL API, over their own transports. */
import assert from 'node:assert/strict'
import { type Code, ConnectError } from '@connectrpc/connect'
import { createClientFor } from '@zitadel/client'
import { createServerTransport } from '@zitadel/client/node'
import { createAdminServiceClient, createAuthServiceClient, createManagementServiceClient } from '@zitadel/client/v1'
import {
  createFeatureServiceClient,
  createIdpServiceClient,
  createOIDCServiceClient,
  createOrganizationServiceClient,
  createSessionServiceClient,
  createSettingsServiceClient,
  createUserServiceClient,
} from '@zitadel/client/v2'
import { createClientTransport } from '@zitadel/client/web'
import { WebKeyService } from '@zitadel/proto/zitadel/webkey/v2/webkey_service_pb.js'

/** What the clients are carried by: gRPC for servers, gRPC-web for browsers. */
export const TRANSPORTS = {
  gRPC: createServerTransport,
  'gRPC-web': createClientTransport,
} as const

/** A client of every service that they have and that is served here. */
export function clientsOf(transport: ReturnType<typeof createServerTransport>) {
  return {
    users: createUserServiceClient(transport),
    sessions: createSessionServiceClient(transport),
    organizations: createOrganizationServiceClient(transport),
    settings: createSettingsServiceClient(transport),
    oidc: createOIDCServiceClient(transport),
    webKeys: createClientFor(WebKeyService)(transport),
    features: createFeatureServiceClient(transport),
    providers: createIdpServiceClient(transport),
    management: createManagementServiceClient(transport),
    admin: createAdminServiceClient(transport),
    own: createAuthServiceClient(transport),
  }
}

export type PeerClients = ReturnType<typeof clientsOf>

/** Fails unless the call is refused with this code. */
export async function isRefusedWith(call: Promise<unknown>, code: Code): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ConnectError, String(error))
    assert.equal(error.code, code, error.message)
    return true
  })
}
