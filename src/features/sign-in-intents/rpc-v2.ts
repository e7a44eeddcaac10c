/** The v2 methods that start a sign-in with a provider and read its result. */
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { SetHumanEmailSchema } from '../../../contract/gen/signet/user/v2/email_pb.ts'
import type { RetrieveIdentityProviderIntentResponseSchema } from '../../../contract/gen/signet/user/v2/idp_intent_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV2 } from '../../module/details.ts'
import { findProvider } from '../identity-providers/index.ts'
import { signInWithCredentials } from './handlers/sign-in-with-credentials.ts'
import { startIntent } from './handlers/start-intent.ts'
import { type RetrievedIntent, retrieveIntent } from './handlers/use-intent.ts'
import { draftOfPerson } from './identity.ts'
import { rawInformationOf } from './ldap/entry.ts'
import { intentRefusals } from './refusals.ts'
import { startedBy } from './unfinished.ts'

type Drafts = Pick<
  MessageInitShape<typeof RetrieveIdentityProviderIntentResponseSchema>,
  'addHumanUser' | 'updateHumanUser' | 'userAction'
>

/**
 * Requests that a client can complete and send, filled from the claims: to add a user for the account, or to update the
 * linked one. The username of a linked user stays, because users sign in with it.
 */
function draftsOf({ intent, provider, identity }: RetrievedIntent): Drafts {
  const { userId, idpId, externalUserId, externalUserName } = intent.state
  const draft = draftOfPerson(identity.claims, provider)
  if (draft === undefined) return {}
  const { firstName = '', lastName = '', nickName, displayName, preferredLanguage } = draft.profile
  const profile = {
    firstName,
    lastName,
    ...(nickName !== undefined && { nickName }),
    ...(displayName !== undefined && { displayName }),
    ...(preferredLanguage !== undefined && { preferredLanguage }),
  }
  const { address, verification } = draft.email
  const email: MessageInitShape<typeof SetHumanEmailSchema> = {
    email: address,
    ...(verification.type === 'known' && { verification: { case: 'isVerified', value: verification.isVerified } }),
  }
  if (userId !== undefined) {
    const human = { profile, email }
    return {
      updateHumanUser: { userId, ...human },
      userAction: { case: 'updateUser', value: { userId, userType: { case: 'human', value: human } } },
    }
  }
  const username = draft.userName === undefined ? {} : { username: draft.userName }
  const human = { profile, email, idpLinks: [{ idpId, userId: externalUserId, userName: externalUserName }] }
  const organizationId = intent.owner
  return {
    addHumanUser: { ...username, ...human },
    userAction: {
      case: 'createUser',
      value: { organizationId, ...username, userType: { case: 'human', value: human } },
    },
  }
}

/** What the provider gave beside the claims: tokens, the attributes of an entry, or an assertion. */
function accessOf({ accessToken, idToken, refreshToken, ldap, saml }: RetrievedIntent['identity']) {
  if (saml !== undefined) return { case: 'saml', value: { assertion: Buffer.from(saml.xml) } } as const
  if (ldap !== undefined) return { case: 'ldap', value: { attributes: { ...ldap } as JsonObject } } as const
  const value = {
    accessToken,
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  }
  return { case: 'oauth', value } as const
}

/** What the provider told, under the names that clients of each protocol know. It was parsed from JSON. */
function rawInformation({ claims, ldap, saml }: RetrievedIntent['identity'], id: string): JsonObject {
  if (saml !== undefined) return { id, attributes: saml.attributes } as unknown as JsonObject
  return (ldap === undefined ? claims : rawInformationOf(claims)) as JsonObject
}

/**
 * Throws unless the caller starts sign-ins at a provider: one of the instance, of their own organization, or of an organization
 * whose providers they can read. For everybody else there is none: a start writes into the log of its organization, sends a
 * request to it, and with a directory tries a password there.
 */
async function requireProviderFor(app: App, call: Call, idpId: string): Promise<void> {
  const owner = (await findProvider(app, idpId))?.owner
  const isFor =
    owner === app.instanceId ||
    owner === call.caller.organizationId ||
    (owner !== undefined && call.may('org.idp.read', owner))
  if (!isFor) throw refused(intentRefusals, 'intent.provider_not_found')
}

export function intentMethods(app: App): readonly Method[] {
  return methods(UserService, {
    async startIdentityProviderIntent({ idpId, content }, call) {
      await requireProviderFor(app, call, idpId)
      const by = startedBy(call, app.instanceId)
      if (content.case === 'ldap') {
        const { username: userName, password } = content.value
        const typed = { by, idpId, organizationId: call.organizationId, userName, password }
        const { id, token, userId = '', intent } = await signInWithCredentials(app, call.origin, typed)
        const value = { idpIntentId: id, idpIntentToken: token, userId }
        return { details: detailsV2(intent), nextStep: { case: 'idpIntent' as const, value } }
      }
      const { successUrl = '', failureUrl = '', loginHint = '' } = content.value ?? {}
      const { organizationId } = call
      const { intent, next } = await startIntent(
        app,
        call.origin,
        { by, idpId, organizationId, successUrl, failureUrl, loginHint },
        'urls.',
      )
      const nextStep =
        next.type === 'redirect'
          ? ({ case: 'authUrl', value: next.url } as const)
          : ({ case: 'formData', value: { url: next.url, fields: { ...next.fields } } } as const)
      return { details: detailsV2(intent.value), nextStep }
    },

    async retrieveIdentityProviderIntent({ idpIntentId: intentId, idpIntentToken: token }, { at }) {
      const retrieved = await retrieveIntent(app, { intentId, token, at })
      const { intent, identity } = retrieved
      const { userId = '', idpId, externalUserId, externalUserName } = intent.state
      return {
        details: detailsV2(intent),
        userId,
        idpInformation: {
          access: accessOf(identity),
          idpId,
          userId: externalUserId,
          userName: externalUserName,
          rawInformation: rawInformation(identity, externalUserId),
        },
        ...draftsOf(retrieved),
      }
    },
  })
}
