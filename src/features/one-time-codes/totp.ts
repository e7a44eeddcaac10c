/** Authenticator apps: setting one up, bringing one along, and checking its codes. */
import { matchTotp, newTotpSecret, readTotpSecret, totpUri } from '../../crypto/totp.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { countTry } from '../verifications/index.ts'
import type { OneTimeCodes } from './decider.ts'
import { oneTimeCodes, oneTimeCodesOf } from './documents.ts'
import type { OneTimeCodesNeeds } from './needs.ts'
import { readActiveHuman } from './people.ts'
import { oneTimeCodeRefusals } from './refusals.ts'

/** Where the secret of a person's app is sealed. */
export function seedPlace(userId: string) {
  return { kind: oneTimeCodes.name, id: userId, member: 'totp' } as const
}

export interface RegisteredTotp {
  readonly document: Document<OneTimeCodes>
  /** Shown once: in base32, and as a QR code holds it. */
  readonly secret: string
  readonly uri: string
}

/** Makes a secret for an app; one that nobody proved to have is replaced. */
export async function registerTotp(needs: OneTimeCodesNeeds, work: Work, userId: string): Promise<RegisteredTotp> {
  const { owner, state } = await readActiveHuman(work, userId)
  const secret = newTotpSecret(needs.random)
  const seed = await needs.vault.seal(work, seedPlace(userId), secret)
  const document = await work.decide(oneTimeCodes, userId, { type: 'register_totp', seed }, owner)
  return { document, secret, uri: totpUri(secret, new URL(needs.externalUrl).hostname, state.userName) }
}

/** Whose code is tried. */
export interface TriedCode {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly code: string
}

/** Counts a try at the secret of an app and answers the step whose code it was. */
async function tryTotp(
  { vault, instanceId }: OneTimeCodesNeeds,
  work: Work,
  { userId, owner, code }: TriedCode,
  seed: string,
): Promise<number> {
  const step = matchTotp(await vault.open(seedPlace(userId), seed), code, work.origin.at)
  await countTry(work, instanceId, { userId, owner, path: 'totp' }, step !== undefined)
  if (step === undefined) throw new Error('a wrong code was let through')
  return step
}

/** Finishes setting up: throws unless the code is one that the app shows now. A wrong one is remembered. */
export async function verifyTotp(
  needs: OneTimeCodesNeeds,
  work: Work,
  tried: TriedCode,
): Promise<Document<OneTimeCodes>> {
  await readActiveHuman(work, tried.userId)
  const { totp } = await oneTimeCodesOf(work, tried.userId)
  if (totp === undefined) throw refused(oneTimeCodeRefusals, 'totp.not_set_up')
  if (totp.status === 'ready') throw refused(oneTimeCodeRefusals, 'totp.already_set_up')
  const { seed } = totp.secret
  const step = await tryTotp(needs, work, tried, seed)
  return work.decide(oneTimeCodes, tried.userId, { type: 'verify_totp', step, seed })
}

/**
 * Checks a code of an app and uses it up with the commit of this work. Throws `totp.not_set_up`, `totp.code_used`,
 * `verification.code_invalid`, which is remembered, or without looking `attempts.too_many` and `attempts.locked`.
 */
export async function checkTotp(needs: OneTimeCodesNeeds, work: Work, tried: TriedCode): Promise<void> {
  await readActiveHuman(work, tried.userId)
  const { totp } = await oneTimeCodesOf(work, tried.userId)
  if (totp?.status !== 'ready') throw refused(oneTimeCodeRefusals, 'totp.not_set_up')
  const { seed } = totp.secret
  const step = await tryTotp(needs, work, tried, seed)
  await work.decide(oneTimeCodes, tried.userId, { type: 'use_totp', step, seed })
}

/** For the room of users: an app that somebody new brings along. */
export function totpPort({ vault }: Pick<OneTimeCodesNeeds, 'vault'>) {
  return {
    /** Why a text cannot be the secret of an app; undefined when it can. */
    problem: (secret: string): string | undefined =>
      readTotpSecret(secret) === undefined ? 'must be a secret in base32, of at least 16 characters' : undefined,
    /** Keeps the secret, ready at once, in the commit that adds the user. */
    async set(work: Work, { userId, owner }: { userId: string; owner: string }, secret: string): Promise<void> {
      const seed = await vault.seal(work, seedPlace(userId), readTotpSecret(secret) ?? '')
      await work.decide(oneTimeCodes, userId, { type: 'import_totp', seed }, owner)
    },
  }
}
