/** Recovery codes: generates a set of them, and uses one. */

import { passwordRefusals } from '../../../crypto/passwords/index.ts'
import { findRecoveryCode, givenRecoveryCodes, newRecoveryCodes } from '../../../crypto/recovery-codes.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { admitTry, countTry } from '../../verifications/index.ts'
import type { OneTimeCodes } from '../decider.ts'
import type { RecoverySet } from '../decisions/recovery-codes.ts'
import { oneTimeCodes, oneTimeCodesOf, sealedPlace } from '../documents.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'
import type { TriedCode } from './check-totp.ts'

/** Generates a set of codes and invalidates an earlier set. */
export async function generateRecoveryCodes(
  app: App,
  work: Work,
  userId: string,
  count: number,
): Promise<{ readonly document: Document<OneTimeCodes>; readonly codes: readonly string[] }> {
  const { owner } = await readActiveHuman(work, userId)
  const { codes, key: plain, hashes } = newRecoveryCodes(count)
  const key = await app.vault.seal(work, sealedPlace(userId, 'recovery'), plain)
  const command = { type: 'generate_recovery_codes', key, hashes } as const
  return { document: await work.decide(oneTimeCodes, userId, command, owner), codes }
}

/** More would take too long to try one after the other. */
const MOST_IMPORTED = 20

/** Sets the recovery codes of a user by the hashes that another product stores, in the commit that adds the user. */
export async function importRecoveryCodes(
  app: App,
  work: Work,
  { userId, owner }: { readonly userId: string; readonly owner: string },
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length > MOST_IMPORTED) throw refused(oneTimeCodeRefusals, 'recovery_codes.not_set_up')
  for (const hash of hashes) {
    const flaw = app.hashing.checkSecret(hash)
    if (flaw !== undefined) throw refused(passwordRefusals, flaw.code, { reason: flaw.description })
  }
  await work.decide(oneTimeCodes, userId, { type: 'import_recovery_codes', hashes }, owner)
}

/** Sets recovery codes that the user already has, in the commit that adds the user. */
export async function giveRecoveryCodes(
  app: App,
  work: Work,
  user: { readonly userId: string; readonly owner: string },
  given: { readonly raw: readonly string[] } | { readonly hashes: readonly string[] },
): Promise<void> {
  if ('hashes' in given) return importRecoveryCodes(app, work, user, given.hashes)
  await restoreRecoveryCodes(app, work, user, { ...givenRecoveryCodes(given.raw), used: [] })
}

/** A set of codes as it was in an export; without a key, the hashes are those of another product. */
export interface RestoredCodes {
  readonly key?: string
  readonly hashes: readonly string[]
  /** Positions of the codes that were used. */
  readonly used: readonly number[]
}

/** Restores the recovery codes of a user, in the commit that adds the user. */
export async function restoreRecoveryCodes(
  app: App,
  work: Work,
  user: { readonly userId: string; readonly owner: string },
  { key: plain, hashes, used }: RestoredCodes,
): Promise<void> {
  const { userId, owner } = user
  const key = plain === undefined ? '' : await app.vault.seal(work, sealedPlace(userId, 'recovery'), plain)
  if (plain === undefined) await importRecoveryCodes(app, work, user, hashes)
  else await work.decide(oneTimeCodes, userId, { type: 'generate_recovery_codes', key, hashes }, owner)
  for (const index of used) await work.decide(oneTimeCodes, userId, { type: 'use_recovery_code', index, key })
}

/**
 * The position of a code among hashes of another product. Each is as slow to check as a password, so those who failed too
 * often are refused before.
 */
async function findImportedCode(
  app: App,
  work: Work,
  { userId, owner, code }: TriedCode,
  { secret }: RecoverySet,
): Promise<number | undefined> {
  await admitTry(app, { userId, owner, path: 'recovery_code' }, work.origin.at)
  const typed = code.trim().toLowerCase()
  for (const [index, hash] of secret.hashes.entries()) {
    // A code that was used is found too: it gets its own refusal.
    if (await app.hashing.verifySecret(hash, typed, owner)) return index
  }
  return undefined
}

/**
 * Checks a recovery code and uses it up with the commit of this work. Throws `recovery_codes.not_set_up`,
 * `recovery_codes.code_used`, or `verification.code_invalid`, which is counted. Throws `attempts.too_many` and
 * `attempts.locked` without comparing the code.
 */
export async function useRecoveryCode(app: App, work: Work, { userId, owner, code }: TriedCode): Promise<void> {
  await readActiveHuman(work, userId)
  const { recovery } = await oneTimeCodesOf(app, userId, work)
  if (recovery === undefined) throw refused(oneTimeCodeRefusals, 'recovery_codes.not_set_up')
  const { key, hashes } = recovery.secret
  const index =
    key === ''
      ? await findImportedCode(app, work, { userId, owner, code }, recovery)
      : findRecoveryCode(await app.vault.open(sealedPlace(userId, 'recovery'), key), hashes, code)
  await countTry(app, work, { userId, owner, path: 'recovery_code' }, index !== undefined)
  if (index === undefined) throw new Error('a wrong code was not refused')
  await work.decide(oneTimeCodes, userId, { type: 'use_recovery_code', index, key })
}
