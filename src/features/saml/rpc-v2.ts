/** The SAMLService: login pages of the caller's own read requests of service providers, and answer them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type AuthorizationError,
  type CreateResponseRequest,
  type CreateResponseResponseSchema,
  ErrorReason,
  SAMLService,
} from '../../../contract/gen/signet/saml/v2/saml_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import { BINDING } from '../../kernel/saml-names.ts'
import type { App } from '../../module/app.ts'
import { detailsV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import {
  authorizationRequestRefusals,
  findSamlRequest,
  publicIdOf,
  requireShownSession,
  type StartedSamlRequest,
  storedIdOf,
} from '../authorization-requests/index.ts'
import type { SamlStatus } from './names.ts'
import { providerOf, respondWithSession, respondWithStatus, type SamlDelivery } from './respond.ts'

const STATUS: ReadonlyMap<number, SamlStatus> = new Map<number, SamlStatus>([
  [ErrorReason.VERSION_MISSMATCH, 'VersionMismatch'],
  [ErrorReason.INVALID_ATTR_NAME_OR_VALUE, 'InvalidAttrNameOrValue'],
  [ErrorReason.INVALID_NAMEID_POLICY, 'InvalidNameIDPolicy'],
  [ErrorReason.REQUEST_DENIED, 'RequestDenied'],
  [ErrorReason.REQUEST_UNSUPPORTED, 'RequestUnsupported'],
  [ErrorReason.UNSUPPORTED_BINDING, 'UnsupportedBinding'],
])

/** A request that has not expired, for callers with the permission; others do not learn whether it exists. */
async function requestFor(
  app: App,
  call: Call,
  publicId: string,
  permission: 'session.read' | 'session.link',
): Promise<Document<StartedSamlRequest>> {
  if (!call.may(permission, app.instanceId)) throw refused(accessRefusals, 'access.forbidden')
  const id = storedIdOf(publicId)
  const request = id === undefined ? undefined : await findSamlRequest(app.store, id, call.at)
  if (request === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
  return request
}

function errorOf({ responseKind }: CreateResponseRequest): AuthorizationError {
  // The limits of the contract allow no message without a kind.
  if (responseKind.case !== 'error') throw new Error('the message has neither a session nor an error')
  return responseKind.value
}

async function answer(
  app: App,
  call: Call,
  request: Document<StartedSamlRequest>,
  message: CreateResponseRequest,
): Promise<SamlDelivery> {
  const { responseKind } = message
  if (responseKind.case === 'session') {
    const { sessionId, sessionToken: token } = responseKind.value
    return respondWithSession(app, call.origin, request, sessionId, async (work) => {
      await requireShownSession(work, { sessionId, token }, work.origin.at)
    })
  }
  const { error, errorDescription } = errorOf(message)
  return respondWithStatus(app, call.origin, request, STATUS.get(error) ?? 'AuthnFailed', errorDescription || undefined)
}

function bindingOf(
  delivery: SamlDelivery,
): NonNullable<MessageInitShape<typeof CreateResponseResponseSchema>['binding']> {
  if (delivery.binding === 'redirect') return { case: 'redirect', value: {} }
  const { SAMLResponse: samlResponse = '', RelayState: relayState = '' } = delivery.fields
  return { case: 'post', value: { samlResponse, relayState } }
}

/** The methods of this module. */
export function samlMethods(app: App): readonly Method[] {
  return methods(SAMLService, {
    async getSAMLRequest({ samlRequestId }, call) {
      const { id, createdAt, state } = await requestFor(app, call, samlRequestId, 'session.read')
      const { applicationId, responseUrl, secret, binding, isForced } = state
      const provider = await providerOf(app, applicationId)
      return {
        samlRequest: {
          id: publicIdOf(id),
          creationDate: timestampFromMs(createdAt),
          issuer: provider?.config.entityId ?? '',
          assertionConsumerService: responseUrl,
          relayState: secret?.relayState ?? '',
          binding: BINDING[binding],
          forceAuthn: isForced === true,
        },
      }
    },

    async createResponse(message, call) {
      const request = await requestFor(app, call, message.samlRequestId, 'session.link')
      const delivery = await answer(app, call, request, message)
      const answered = (await findSamlRequest(app.store, request.id, call.at)) ?? request
      return { details: detailsV2(answered), url: delivery.url, binding: bindingOf(delivery) }
    },
  })
}
