/**
 * Sets up an authenticator app: creates its secret, verifies the first code, or imports the secret of an existing app.
 */

import { newTotpSecret, readTotpSecret, totpUri } from '../../../crypto/totp.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
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

/** Creates a secret for an app, and replaces an earlier one that was never verified. */
export async function registerTotp(app: App, work: Work, userId: string): Promise<RegisteredTotp> {
  const { owner, state } = await readActiveHuman(work, userId)
  const secret = newTotpSecret()
  const seed = await app.vault.seal(work, sealedPlace(userId, 'totp'), secret)
  const document = await work.decide(oneTimeCodes, userId, { type: 'register_totp', seed }, owner)
  return { document, secret, uri: totpUri(secret, new URL(app.externalUrl).hostname, state.userName) }
}

/** Completes the setup. Throws unless this is the current code of the app; a wrong code is counted. */
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

/**
 * Imports the secret of an app that a new user already has, in the commit that adds the user. It is ready immediately.
 */
export async function importTotp(
  app: App,
  work: Work,
  { userId, owner }: { readonly userId: string; readonly owner: string },
  secret: string,
  lastStep?: number,
): Promise<void> {
  const seed = await app.vault.seal(work, sealedPlace(userId, 'totp'), readTotpSecret(secret) ?? '')
  await work.decide(oneTimeCodes, userId, { type: 'import_totp', seed }, owner)
  if (lastStep !== undefined) await work.decide(oneTimeCodes, userId, { type: 'use_totp', step: lastStep, seed })
}
