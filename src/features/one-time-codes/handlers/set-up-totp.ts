/** Sets up an authenticator app: makes its secret, verifies the first code, or takes the secret of an app in use. */
import type { App } from '../../../access/app.ts'
import { newTotpSecret, readTotpSecret, totpUri } from '../../../crypto/totp.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Work } from '../../../store/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import type { OneTimeCodes } from '../decider.ts'
import { oneTimeCodes, oneTimeCodesOf, sealedPlace } from '../documents.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'
import { type TriedCode, tryTotp } from './check-totp.ts'

export interface RegisteredTotp {
  readonly document: Document<OneTimeCodes>
  /** Shown once: in base32, and as the URI of a QR code. */
  readonly secret: string
  readonly uri: string
}

/** Makes a secret for an app; an earlier one that was never verified is replaced. */
export async function registerTotp(app: App, work: Work, userId: string): Promise<RegisteredTotp> {
  const { owner, state } = await readActiveHuman(work, userId)
  const secret = newTotpSecret()
  const seed = await app.vault.seal(work, sealedPlace(userId, 'totp'), secret)
  const document = await work.decide(oneTimeCodes, userId, { type: 'register_totp', seed }, owner)
  return { document, secret, uri: totpUri(secret, new URL(app.externalUrl).hostname, state.userName) }
}

/** Finishes setting up: throws unless the app shows this code now. A wrong one is remembered. */
export async function verifyTotp(app: App, work: Work, tried: TriedCode): Promise<Document<OneTimeCodes>> {
  await readActiveHuman(work, tried.userId)
  const { totp } = await oneTimeCodesOf(app, tried.userId, work)
  if (totp === undefined) throw refused(oneTimeCodeRefusals, 'totp.not_set_up')
  if (totp.status === 'ready') throw refused(oneTimeCodeRefusals, 'totp.already_set_up')
  const { seed } = totp.secret
  const step = await tryTotp(app, work, tried, seed)
  return work.decide(oneTimeCodes, tried.userId, { type: 'verify_totp', step, seed })
}

/** Why a text cannot be the secret of an app; undefined when it can. */
export function totpSecretProblem(secret: string): string | undefined {
  return readTotpSecret(secret) === undefined ? 'must be a secret in base32, of at least 16 characters' : undefined
}

/** Stores the secret of an app that a new user uses already, ready at once, in the commit that adds the user. */
export async function importTotp(
  app: App,
  work: Work,
  { userId, owner }: { readonly userId: string; readonly owner: string },
  secret: string,
): Promise<void> {
  const seed = await app.vault.seal(work, sealedPlace(userId, 'totp'), readTotpSecret(secret) ?? '')
  await work.decide(oneTimeCodes, userId, { type: 'import_totp', seed }, owner)
}
