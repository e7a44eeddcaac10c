/** Registering a key: begun with a challenge, finished with the credential that answers it. For handlers and pages alike. */
import type { JsonObject } from '@bufbuild/protobuf'
import { instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work } from '../../store/index.ts'
import { type HumanUser, isLiving, lineProblem, readHuman, userRefusals, users } from '../users/index.ts'
import { expectedOf, newChallenge, requireRpId } from './asserting.ts'
import type { Passkey, ReadyPasskey } from './decider.ts'
import type { OpenRegistration } from './decisions/registration.ts'
import { passkeyRegistrations, passkeys, registrationId } from './documents.ts'
import type { KeyUse, LinkProof } from './events.ts'
import { keysOf, MOST_KEYS } from './finding.ts'
import { proveByLink, requireUsable, type ShownLink, useLink } from './links.ts'
import type { PasskeysNeeds } from './needs.ts'
import { type Attachment, CHALLENGE_MILLISECONDS, creationOptions } from './options.ts'
import { passkeyRefusals } from './refusals.ts'
import { verifyNewCredential } from './webauthn.ts'

/** A person, to begin with; that they are there and may act is asked again in the write. */
export async function findPerson(store: Store, userId: string): Promise<Document<HumanUser>> {
  const user = await store.get(users, userId)
  if (user === undefined || !isLiving(user.state)) throw refused(userRefusals, 'user.not_found')
  if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_human')
  return user as Document<HumanUser>
}

/** Guards that the user is there, a person, and may act until the work is committed. */
async function readUsable(work: Work, userId: string): Promise<Document<HumanUser>> {
  const user = await readHuman(work, userId)
  requireUsable(user.state)
  return user
}

export interface RegistrationOf {
  readonly userId: string
  readonly use: KeyUse
  /** Empty: the server's own. */
  readonly domain: string
  readonly attachment?: Attachment
}

export interface StartedRegistration {
  readonly passkeyId: string
  readonly options: JsonObject
  readonly user: Document<HumanUser>
  readonly sequence: number
}

/** Begins a registration; one that was begun before for the same person and use ends. Whether it may be is asked before. */
export async function startRegistration(
  needs: PasskeysNeeds,
  origin: Origin,
  { userId, use, domain, attachment }: RegistrationOf,
  link?: LinkProof,
): Promise<StartedRegistration> {
  const { store, newId, relyingParty } = needs
  const rpId = requireRpId(needs, domain)
  const keys = await keysOf(store, userId)
  if (keys.length >= MOST_KEYS) throw refused(passkeyRefusals, 'passkey.too_many')
  const passkeyId = newId()
  const challenge = newChallenge(needs)
  const expiresAt = instant(origin.at + CHALLENGE_MILLISECONDS)
  const start = { type: 'start', passkeyId, rpId, challenge, expiresAt, ...(link !== undefined && { link }) } as const
  const { value: user, sequence } = await store.write(origin, async (work) => {
    const person = await readUsable(work, userId)
    await work.decide(passkeyRegistrations, registrationId(userId, use), start, person.owner)
    return person
  })
  const { userName: name, profile } = user.state
  const options = creationOptions({
    relyingParty,
    rpId,
    user: { id: userId, name, displayName: profile.displayName },
    challenge,
    use,
    attachment,
    known: keys.filter((key) => key.use === use && key.rpId === rpId),
  })
  return { passkeyId, options, user, sequence }
}

/** Begins a registration for whoever shows the code of a link. The link is used up when the registration is finished. */
export async function startRegistrationByLink(
  needs: PasskeysNeeds,
  origin: Origin,
  of: Omit<RegistrationOf, 'use'>,
  shown: ShownLink,
): Promise<StartedRegistration> {
  const user = await findPerson(needs.store, of.userId)
  requireUsable(user.state)
  const link = await proveByLink(needs, origin, user, shown)
  return startRegistration(needs, origin, { ...of, use: 'passkey' }, link)
}

async function findRegistration(
  store: Store,
  { userId, use, passkeyId }: { readonly userId: string; readonly use: KeyUse; readonly passkeyId: string },
): Promise<OpenRegistration> {
  const state = (await store.get(passkeyRegistrations, registrationId(userId, use)))?.state
  if (state?.status === 'open' && state.passkeyId === passkeyId) return state
  const made = (await store.get(passkeys, passkeyId))?.state
  const isMade = made?.status === 'ready' && made.userId === userId && made.use === use
  throw refused(passkeyRefusals, isMade ? 'passkey.already_registered' : 'passkey.not_found')
}

function checkName(name: string, field: string): void {
  const description = lineProblem(name)
  if (description === undefined) return
  throw refused(passkeyRefusals, 'passkey.name_invalid', { violations: [{ field, description }] })
}

/** What answers a registration. */
export interface GivenCredential {
  readonly userId: string
  readonly use: KeyUse
  readonly passkeyId: string
  readonly credential: JsonObject
  readonly name: string
  /** What the name is called in the request. */
  readonly nameField: string
}

/**
 * Finishes a registration: from here on the person can sign in with the key. `also` is done in the same commit, as the
 * set-up page uses its link up.
 */
export async function finishRegistration(
  needs: PasskeysNeeds,
  origin: Origin,
  { userId, use, passkeyId, credential, name, nameField }: GivenCredential,
  also: (work: Work) => Promise<void> = async () => {},
) {
  const { store } = needs
  const registration = await findRegistration(store, { userId, use, passkeyId })
  const { rpId, link, secret } = registration
  if (origin.at >= registration.expiresAt) throw refused(passkeyRefusals, 'passkey.registration_expired')
  requireUsable((await findPerson(store, userId)).state)
  checkName(name, nameField)
  const { challenge } = secret
  const expected = expectedOf(needs, { challenge, rpId, requiresUserVerification: use === 'passkey' })
  const made = await verifyNewCredential(credential, expected)
  return store.write(origin, async (work): Promise<Document<Passkey>> => {
    const user = await readUsable(work, userId)
    // Two answers to one registration meet here; the later one is told what the earlier one did.
    if (await work.get(passkeys, passkeyId)) throw refused(passkeyRefusals, 'passkey.already_registered')
    const finish = { type: 'finish', passkeyId, challenge, at: origin.at } as const
    await work.decide(passkeyRegistrations, registrationId(userId, use), finish)
    if (link !== undefined) await useLink(work, user, link)
    await also(work)
    if (use === 'passkey' && user.state.needsSetUp) await work.decide(users, userId, { type: 'finish_set_up' })
    return work.decide(passkeys, passkeyId, { type: 'register', userId, use, rpId, name, ...made }, user.owner)
  })
}

/** Which key: one of another person or use is not found. */
export interface KeyOf {
  readonly userId: string
  readonly use: KeyUse
  readonly passkeyId: string
}

async function readKey(work: Work, { userId, use, passkeyId }: KeyOf): Promise<Document<ReadyPasskey>> {
  const key = await work.get(passkeys, passkeyId)
  if (key?.state.status !== 'ready' || key.state.userId !== userId || key.state.use !== use) {
    throw refused(passkeyRefusals, 'passkey.not_found')
  }
  return key as Document<ReadyPasskey>
}

/** Gives a key another name. */
export function renameKey(store: Store, origin: Origin, of: KeyOf, name: string, nameField: string) {
  checkName(name, nameField)
  return store.write(origin, async (work) => {
    await readKey(work, of)
    return work.decide(passkeys, of.passkeyId, { type: 'rename', name })
  })
}

/** Takes a key away. */
export function removeKey(store: Store, origin: Origin, of: KeyOf) {
  return store.write(origin, async (work) => {
    await readKey(work, of)
    return work.decide(passkeys, of.passkeyId, { type: 'remove' })
  })
}
