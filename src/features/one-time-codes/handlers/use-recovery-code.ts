/** Recovery codes: generates a set of them, and uses one. */

import { findRecoveryCode, newRecoveryCodes } from '../../../crypto/recovery-codes.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { countTry } from '../../verifications/index.ts'
import type { OneTimeCodes } from '../decider.ts'
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
  const index = findRecoveryCode(await app.vault.open(sealedPlace(userId, 'recovery'), key), hashes, code)
  await countTry(app, work, { userId, owner, path: 'recovery_code' }, index !== undefined)
  if (index === undefined) throw new Error('a wrong code was not refused')
  await work.decide(oneTimeCodes, userId, { type: 'use_recovery_code', index, key })
}
