/** The v2 methods that start a sign-in with a provider and read its result. */
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { App } from '../../access/app.ts'
import { detailsV2 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { startIntent } from './handlers/start-intent.ts'
import { type RetrievedIntent, retrieveIntent } from './handlers/use-intent.ts'
import { draftOfPerson } from './identity.ts'

/** The request to add a new user for the account, filled from the claims. */
function draftMessage({
  intent,
  provider,
  identity,
}: RetrievedIntent): MessageInitShape<typeof AddHumanUserRequestSchema> | undefined {
  const { userId, idpId, externalUserId, externalUserName } = intent.state
  const draft = userId === undefined ? draftOfPerson(identity.claims, provider) : undefined
  if (draft === undefined) return undefined
  const { userName, profile, email } = draft
  const { firstName = '', lastName = '', nickName, displayName, preferredLanguage } = profile
  return {
    ...(userName !== undefined && { username: userName }),
    profile: {
      firstName,
      lastName,
      ...(nickName !== undefined && { nickName }),
      ...(displayName !== undefined && { displayName }),
      ...(preferredLanguage !== undefined && { preferredLanguage }),
    },
    email: {
      email: email.address,
      ...(email.verification.type === 'known' && {
        verification: { case: 'isVerified', value: email.verification.isVerified },
      }),
    },
    idpLinks: [{ idpId, userId: externalUserId, userName: externalUserName }],
  }
}

export function intentMethods(app: App): readonly Method[] {
  return methods(UserService, {
    async startIdentityProviderIntent({ idpId, content }, call) {
      const { successUrl = '', failureUrl = '', loginHint = '' } = content.value ?? {}
      const { organizationId } = call
      const { intent, authUrl } = await startIntent(
        app,
        call.origin,
        { idpId, organizationId, successUrl, failureUrl, loginHint },
        'urls.',
      )
      return {
        details: detailsV2(intent.value),
        nextStep: { case: 'authUrl', value: authUrl },
      }
    },

    async retrieveIdentityProviderIntent({ idpIntentId: intentId, idpIntentToken: token }, { at }) {
      const retrieved = await retrieveIntent(app, { intentId, token, at })
      const { intent, identity } = retrieved
      const { userId = '', idpId, externalUserId, externalUserName } = intent.state
      const { accessToken, idToken, refreshToken, claims } = identity
      const addHumanUser = draftMessage(retrieved)
      return {
        details: detailsV2(intent),
        userId,
        idpInformation: {
          access: {
            case: 'oauth',
            value: {
              accessToken,
              ...(idToken !== undefined && { idToken }),
              ...(refreshToken !== undefined && { refreshToken }),
            },
          },
          idpId,
          userId: externalUserId,
          userName: externalUserName,
          // It was parsed from JSON.
          rawInformation: claims as JsonObject,
        },
        ...(addHumanUser !== undefined && { addHumanUser }),
      }
    },
  })
}
