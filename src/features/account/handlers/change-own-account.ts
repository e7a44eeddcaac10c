/** Changes that signed-in users make to their own account: sessions, keys, links and the password. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { PasswordFlaw, PasswordPolicy } from '../../../crypto/passwords/index.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { removeIdentityLink } from '../../identity-links/index.ts'
import {
  finishRegistration,
  type KeyUse,
  keysOf,
  removeKey,
  renameKey,
  startRegistration,
  userHandleOf,
} from '../../passkeys/index.ts'
import { checkPassword, choosePassword, passwordFacts } from '../../passwords/index.ts'
import { endSessionIfOpen, findOpenSession, sessionRefusals } from '../../sessions/index.ts'
import {
  type Asked,
  attempt,
  type Client,
  type Done,
  type Failure,
  failureOf,
  isRecentPassword,
  keyDomain,
  keyFailureOf,
  type Person,
  type Unavailable,
} from '../../sign-in/index.ts'
import { type AcceptedKeys, acceptedKeysOf, findOwnSessions, type OwnLink } from './read-account.ts'

/** The origin of these writes: the user is the actor. */
export function ownOrigin({ clock }: App, { userId }: Person): Origin {
  return { actor: { user: userId }, at: clock() }
}

/** Ends one of the user's sessions, or all except that of this browser if none is named. */
export function endOwnSessions(app: App, person: Person, sessionId: string | undefined): Promise<Done> {
  return attempt(async () => {
    const own = await findOwnSessions(app, person)
    const ends = own.filter(({ id }) => (sessionId === undefined ? id !== person.sessionId : id === sessionId))
    await app.store.write(ownOrigin(app, person), async (work) => {
      for (const { id } of ends) await endSessionIfOpen(app, work, id)
    })
  })
}

/** The options for the browser's dialog for a new key, and the ID of the key. */
export type StartedKey = Asked & { readonly keyId: string }

/** One of the user's keys. */
export interface OwnKeyId {
  readonly use: KeyUse
  readonly keyId: string
}

/** Starts the registration of a key. */
export async function startOwnKey(
  app: App,
  person: Person,
  use: KeyUse,
  client: Client,
): Promise<StartedKey | Failure | Unavailable> {
  try {
    const of = { userId: person.userId, use, domain: keyDomain(app, client) }
    const { passkeyId: keyId, options } = await startRegistration(app, ownOrigin(app, person), of)
    return { outcome: 'asked', keyId, publicKey: (options.publicKey ?? {}) as JsonObject }
  } catch (error) {
    return keyFailureOf(error)
  }
}

/** Completes the registration of a key with the browser's response. */
export function finishOwnKey(
  app: App,
  person: Person,
  { use, keyId: passkeyId, credential, name }: OwnKeyId & { readonly credential: JsonObject; readonly name: string },
): Promise<Done> {
  const given = { userId: person.userId, use, passkeyId, credential, name, nameField: 'name' }
  return attempt(() => finishRegistration(app, ownOrigin(app, person), given))
}

/** Renames a key. */
export function renameOwnKey(
  app: App,
  person: Person,
  { use, keyId: passkeyId, name }: OwnKeyId & { readonly name: string },
): Promise<Done> {
  const of = { userId: person.userId, use, passkeyId }
  return attempt(async () => renameKey(app, ownOrigin(app, person), of, name, 'name'))
}

/**
 * Removes a key, unless it is the last way to sign in. Returns the removed passkey and those that are left on its
 * domain.
 */
export async function removeOwnKey(
  app: App,
  person: Person,
  { use, keyId: passkeyId }: OwnKeyId,
): Promise<{ readonly outcome: 'done'; readonly signal?: AcceptedKeys & { readonly removed: string } } | Failure> {
  const { userId } = person
  const gone = (await keysOf(app, userId, use)).find(({ id }) => id === passkeyId)
  const removed = await attempt(() => removeKey(app, ownOrigin(app, person), { userId, use, passkeyId }))
  if (removed.outcome !== 'done' || gone === undefined || use !== 'passkey') return removed
  const { rpId, credentialId } = gone
  const left = acceptedKeysOf(userId, await keysOf(app, userId)).find((one) => one.rpId === rpId)
  const accepted = left?.accepted ?? []
  return { outcome: 'done', signal: { rpId, userId: userHandleOf(userId), accepted, removed: credentialId } }
}

/** Removes the link to an account at an identity provider, unless it is the last way to sign in. */
export function removeOwnLink(
  app: App,
  person: Person,
  { idpId, externalUserId }: Pick<OwnLink, 'idpId' | 'externalUserId'>,
): Promise<Done> {
  const { userId, organizationId } = person
  const link = { userId, idpId, externalUserId }
  return attempt(() =>
    app.store.write(ownOrigin(app, person), (work) => removeIdentityLink(app, work, link, organizationId)),
  )
}

/** Whether a new password is required of a user who has just entered the current one. */
export function isGivenAlready({ step, hasJustGivenPassword }: Person): boolean {
  return step === 'change_password' && hasJustGivenPassword
}

/** A new password that breaks rules. */
export interface FlawedPassword {
  readonly outcome: 'flawed'
  readonly flaws: readonly PasswordFlaw[]
  readonly policy: PasswordPolicy
}

/** The session in which the password was just entered; guarded until the commit. */
async function requireRecentPassword(work: Work, { sessionId, userId }: Person): Promise<void> {
  const { at } = work.origin
  const session = await findOpenSession(work, sessionId, at, userId)
  if (session === undefined || !isRecentPassword(session.state, at)) throw refused(sessionRefusals, 'session.ended')
}

/**
 * Sets the user's password. `current` is not checked if the user has no password, nor where the sign-in requires a new
 * one and the user has just entered the current one in this session.
 */
export async function changeOwnPassword(
  app: App,
  person: Person,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<Done | FlawedPassword> {
  const { userId, sessionId: keptSessionId } = person
  const origin = ownOrigin(app, person)
  let throttled: Failure | undefined
  const chosen = await choosePassword(app, origin, { userId, password, keptSessionId }, async ({ owner }) => {
    if (!(await passwordFacts(app, [userId])).has(userId)) return async () => {}
    if (isGivenAlready(person)) return (work) => requireRecentPassword(work, person)
    try {
      return await checkPassword(app, { userId, owner, password: current, origin })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.outcome === 'throttled') throttled = failure
      throw error
    }
  })
  return throttled ?? chosen
}
