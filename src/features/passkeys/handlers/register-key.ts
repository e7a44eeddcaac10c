/**
 * Registers a key: starts with a challenge and completes with the credential that answers it. For methods and pages.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import { instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { findHuman, type HumanUser, readActiveHuman, readHuman, users } from '../../users/index.ts'
import type { Passkey } from '../decider.ts'
import { type OpenRegistration, openRegistration } from '../decisions/registration.ts'
import { MOST_KEYS, passkeyRegistrations, passkeys, registrationEndings, registrationId } from '../documents.ts'
import type { KeyUse, LinkProof } from '../events.ts'
import { keysOf } from '../find-keys.ts'
import { passkeyRefusals } from '../refusals.ts'
import { expectedOf, relyingPartyOf, requireRpId } from '../relying-party.ts'
import { type Attachment, CHALLENGE_MILLISECONDS, creationOptions, newChallenge } from '../webauthn/options.ts'
import { verifyNewCredential } from '../webauthn/verify-credential.ts'
import { checkName, type KeyOf } from './change-key.ts'
import { proveByLink, requireOwnLink, type ShownLink, useLink } from './create-link.ts'

export interface RegistrationOf {
  readonly userId: string
  readonly use: KeyUse
  /** If empty, that of the server. */
  readonly domain: string
  readonly attachment?: Attachment
}

export interface StartedRegistration {
  readonly passkeyId: string
  readonly options: JsonObject
  readonly user: Document<HumanUser>
}

/**
 * Starts a registration and cancels the earlier one of the same user and use. The caller checks the authorization; the
 * link that gave it is used up.
 */
export async function startRegistration(
  app: App,
  origin: Origin,
  { userId, use, domain, attachment }: RegistrationOf,
  link?: LinkProof,
): Promise<StartedRegistration> {
  const rpId = requireRpId(app, domain)
  const keys = await keysOf(app, userId)
  if (keys.length >= MOST_KEYS) throw refused(passkeyRefusals, 'passkey.too_many')
  const passkeyId = app.newId()
  const challenge = newChallenge()
  const expiresAt = instant(origin.at + CHALLENGE_MILLISECONDS)
  const { value: user } = await app.store.write(origin, async (work) => {
    const active = await readActiveHuman(work, userId)
    if (link !== undefined) await useLink(work, active, link)
    const generations = await registrationEndings.now(work, { userId, organizationId: active.owner })
    const proof = link !== undefined && { link }
    const start = { type: 'start', passkeyId, rpId, challenge, expiresAt, generations, ...proof } as const
    await work.decide(passkeyRegistrations, registrationId(userId, use), start, active.owner)
    return active
  })
  const { userName: name, profile } = user.state
  const options = creationOptions({
    rpName: relyingPartyOf(app).name,
    rpId,
    user: { id: userId, name, displayName: profile.displayName },
    challenge,
    use,
    attachment,
    known: keys.filter((key) => key.use === use && key.rpId === rpId),
  })
  return { passkeyId, options, user }
}

/** Starts a registration with the code of a link, which is used up. */
export async function startRegistrationByLink(
  app: App,
  origin: Origin,
  of: Omit<RegistrationOf, 'use'>,
  shown: ShownLink,
): Promise<StartedRegistration> {
  const link = await proveByLink(app, origin, await findHuman(app, of.userId), shown)
  return startRegistration(app, origin, { ...of, use: 'passkey' }, link)
}

/** Throws unless a registration can be started with this link. A wrong code is counted, a right one is not used up. */
export async function checkRegistrationLink(app: App, origin: Origin, userId: string, shown: ShownLink): Promise<void> {
  await readActiveHuman(app.store, userId)
  await proveByLink(app, origin, await findHuman(app, userId), shown)
}

async function findRegistration({ store }: App, { userId, use, passkeyId }: KeyOf): Promise<OpenRegistration> {
  const state = (await store.get(passkeyRegistrations, registrationId(userId, use)))?.state
  const registration = state && openRegistration(state, passkeyId)
  if (registration !== undefined) return registration
  const made = (await store.get(passkeys, passkeyId))?.state
  const isMade = made?.status === 'ready' && made.userId === userId && made.use === use
  throw refused(passkeyRefusals, isMade ? 'passkey.already_registered' : 'passkey.not_found')
}

/** The response to a registration. */
export interface GivenCredential extends KeyOf {
  readonly credential: JsonObject
  readonly name: string
  /** The field of the name in the request. */
  readonly nameField: string
}

/**
 * Completes a registration, so that the user can sign in with the key. `also` runs in the same commit; the setup page
 * uses up its link there.
 */
export async function finishRegistration(
  app: App,
  origin: Origin,
  { userId, use, passkeyId, credential, name, nameField }: GivenCredential,
  also: (work: Work) => Promise<void> = async () => {},
) {
  const registration = await findRegistration(app, { userId, use, passkeyId })
  const { rpId, link, secret } = registration
  if (origin.at >= registration.expiresAt) throw refused(passkeyRefusals, 'passkey.registration_expired')
  checkName(name, nameField)
  const { challenge } = secret
  const expected = expectedOf(app, { challenge, rpId, requiresUserVerification: use === 'passkey' })
  const made = await verifyNewCredential(credential, expected)
  return app.store.write(origin, async (work): Promise<Document<Passkey>> => {
    // Two responses to one registration: the later one gets the result of the earlier one.
    if (await work.get(passkeys, passkeyId)) throw refused(passkeyRefusals, 'passkey.already_registered')
    const human = await readHuman(work, userId)
    const now = await registrationEndings.now(work, { userId, organizationId: human.owner })
    const finish = { type: 'finish', passkeyId, challenge, at: origin.at, now } as const
    await work.decide(passkeyRegistrations, registrationId(userId, use), finish)
    if (link !== undefined) await requireOwnLink(work, human, link)
    const user = await readActiveHuman(work, userId)
    await also(work)
    if (use === 'passkey' && user.state.needsSetUp) await work.decide(users, userId, { type: 'finish_set_up' })
    return work.decide(passkeys, passkeyId, { type: 'register', userId, use, rpId, name, ...made }, user.owner)
  })
}
