/** The OIDCService: login pages of the caller's own read authorization requests and devices, and answer them. */
import type { AuthorizationError } from '../../../contract/gen/signet/oidc/v2/authorization_pb.ts'
import { type CreateCallbackRequest, OIDCService } from '../../../contract/gen/signet/oidc/v2/oidc_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV2 } from '../../module/details.ts'
import {
  answerWithError,
  answerWithSession,
  requestForLoginPage,
  requireShownSession,
} from './handlers/answer-request.ts'
import {
  approveDevice,
  denyDevice,
  requireDeviceByUserCode,
  requirePendingDevice,
} from './handlers/authorize-device.ts'
import { authRequestMessage, deviceMessage, readError, readSession } from './messages.ts'

function errorOf({ callbackKind }: CreateCallbackRequest): AuthorizationError {
  // The limits of the contract allow no message without a kind.
  if (callbackKind.case !== 'error') throw new Error('the message has neither a session nor an error')
  return callbackKind.value
}

/** The methods of this module. */
export function oidcMethods(app: App): readonly Method[] {
  return methods(OIDCService, {
    async getAuthRequest({ authRequestId }, call) {
      const request = await requestForLoginPage(app, app.store, call, authRequestId, 'session.read')
      return { authRequest: await authRequestMessage(app, request) }
    },

    async createCallback(message, call) {
      const { authRequestId, callbackKind } = message
      const { request, url } =
        callbackKind.case === 'session'
          ? await answerWithSession(app, call, authRequestId, readSession(callbackKind.value))
          : await answerWithError(app, call, authRequestId, readError(errorOf(message)))
      return { details: detailsV2(request), callbackUrl: url }
    },

    async getDeviceAuthorizationRequest({ userCode }, call) {
      const device = await requireDeviceByUserCode(app, userCode, call.at)
      return { deviceAuthorizationRequest: await deviceMessage(app, device) }
    },

    async authorizeOrDenyDeviceAuthorization({ deviceAuthorizationId: id, decision }, { origin }) {
      await app.store.write(origin, async (work) => {
        if (decision.case !== 'session') return denyDevice(work, id)
        await requirePendingDevice(work, id)
        const session = await requireShownSession(work, readSession(decision.value), work.origin.at)
        await approveDevice(app, work, id, session.id)
      })
      return {}
    },
  })
}
