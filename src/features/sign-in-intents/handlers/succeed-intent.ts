/** Writes the account of a successful sign-in, with the user who is found, linked or added for it. */

import { hashSecret, newSecret } from '../../../crypto/tokens.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { type RefusalKind, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../store/index.ts'
import type { OpenedProvider } from '../../identity-providers/index.ts'
import { users } from '../../users/index.ts'
import type { Intent } from '../decider.ts'
import { identityPlace, intentEndings, intents } from '../documents.ts'
import { externalUserNameOf, type Identity } from '../identity.ts'
import { type ProviderState, providerProblem, providerState } from '../provider-rules.ts'
import type { ProviderAnswer } from '../relying-party.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { giveStartBack } from '../unfinished.ts'
import { type FindOrAddUser, prepareUser } from './find-or-add-user.ts'
import { INTENT_MILLISECONDS } from './start-intent.ts'

/** Throws unless users can sign in with the provider now. */
export async function requireProvider(app: App, provider: ProviderState | undefined, reader: Reader): Promise<void> {
  const problem = await providerProblem(app, provider, reader)
  if (problem !== undefined) throw new SignInFailed(problem)
}

const noUser: FindOrAddUser = async () => undefined

/** Runs something else after a permanent refusal; throws all other errors again. */
function ifRefused<Value>(otherwise: () => Promise<Value>) {
  return (error: unknown): Promise<Value> => {
    const kinds: readonly RefusalKind[] = ['invalid', 'conflict', 'precondition', 'not_found']
    if (error instanceof Refused && kinds.includes(error.kind)) return otherwise()
    throw error
  }
}

/** An intent ends with the provider's token or assertion, when that is sooner. */
function endOf({ endsAt = Number.POSITIVE_INFINITY }: ProviderAnswer, now: Instant): Instant {
  return instant(Math.min(endsAt, now + INTENT_MILLISECONDS))
}

/** A sign-in that succeeded, with the token that only the client that began will see. */
export interface SucceededSignIn {
  readonly id: string
  readonly token: string
  readonly userId: string | undefined
  readonly intent: Document<Intent>
}

/** Who signed in where. */
export interface ProvenAccount {
  /** The ID of the intent. */
  readonly id: string
  /** The organization of a new user. */
  readonly organizationId: string
  /** The organization whose pages the person visits, if it is another one. */
  readonly visitedId?: string | undefined
  readonly provider: OpenedProvider
  readonly answer: ProviderAnswer
  /** Brings the intent to where it can succeed, in the same commit. */
  readonly begin?: (work: Work) => Promise<unknown>
}

/** Writes who signed in. */
export async function succeed(app: App, origin: Origin, proven: ProvenAccount): Promise<SucceededSignIn> {
  const { id, organizationId, visitedId, provider, answer, begin } = proven
  const { subject, claims, accessToken, idToken, refreshToken, ldap, saml, tokenMark } = answer
  const token = Buffer.from(newSecret()).toString('base64url')
  const identity: Identity = { claims, accessToken, idToken, refreshToken, ldap, saml }
  const account = { provider, answer, organizationId, visitedId }
  const write = (findOrAddUser: FindOrAddUser) =>
    app.store.write(origin, async (work) => {
      // The provider can have been deactivated meanwhile.
      await requireProvider(app, await providerState(app, provider.id, work), work)
      await begin?.(work)
      const userId = await findOrAddUser(work)
      const user = userId === undefined ? undefined : await work.get(users, userId)
      const generations = user && (await intentEndings.now(work, { userId: user.id, organizationId: user.owner }))
      const sealed = await app.vault.seal(work, identityPlace(id), JSON.stringify(identity))
      const intent = await work.decide(intents, id, {
        type: 'succeed',
        externalUserId: subject,
        externalUserName: externalUserNameOf(claims, subject),
        ...(userId !== undefined && { userId }),
        ...(generations && { generations }),
        expiresAt: endOf(answer, origin.at),
        ...(tokenMark !== undefined && { tokenMark }),
        secret: { token: hashSecret(token), identity: sealed },
      })
      return { userId, intent }
    })
  const tryWithUser = async () => write(await prepareUser(app, account))
  // Another sign-in can have linked the account meanwhile, which the second try finds. If a new user is refused
  // permanently (because a name is taken), the account has no user.
  const { value } = await tryWithUser()
    .catch(ifRefused(tryWithUser))
    .catch(ifRefused(() => write(noUser)))
    .catch((error) => {
      if (!(error instanceof Refused) || error.code !== 'intent.token_used') throw error
      throw new SignInFailed('token_used', { cause: error })
    })
  giveStartBack(app, id)
  return { id, token, ...value }
}
