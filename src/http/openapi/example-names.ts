/** The things that example requests are about, by name. */
import type { JsonObject } from '@bufbuild/protobuf'

/** What the requests are about. */
export type ExampleThings = Readonly<Record<(typeof THINGS)[number], string>> & {
  /** What a browser answers for a passkey. */
  readonly credential: JsonObject
}

/** The names of all things: ids, unless the name says otherwise. */
export const THINGS = [
  'apiId',
  'applicationId',
  'applicationKeyId',
  'authRequestId',
  'authorizationId',
  'deviceAuthorizationId',
  'domain',
  'emailWebhookId',
  'groupId',
  'home',
  'idpId',
  'instanceIdpId',
  'instanceMember',
  'intentId',
  'keyId',
  'linkedUserId',
  'member',
  'newcomer',
  'outsider',
  'partner',
  'passkeyId',
  'pendingPasskey',
  'pendingU2f',
  'projectGrantId',
  'projectId',
  'publicKeyId',
  'samlId',
  'samlInstanceProviderId',
  'samlProviderId',
  'samlRequestId',
  'sessionId',
  'smsId',
  'smtpId',
  'targetId',
  'tokenId',
  'twilioId',
  'u2fId',
  'userCode',
  'human',
  'machine',
  'intentToken',
  'appleKey',
  'mailHost',
  'webhook',
  'webhookId',
  'streamId',
  'transmitterId',
  'issuer',
] as const

/** What requests need beside what their descriptors require, by the name of the method. */
export type Needs = Readonly<Record<string, JsonObject>>
