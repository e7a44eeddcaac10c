/** Recovery codes: making a set of them, and using one. */
import { findRecoveryCode, newRecoveryCodes } from '../../crypto/recovery-codes.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { countTry } from '../verifications/index.ts'
import type { OneTimeCodes } from './decider.ts'
import { oneTimeCodes, oneTimeCodesOf } from './documents.ts'
import type { OneTimeCodesNeeds } from './needs.ts'
import { readActiveHuman } from './people.ts'
import { oneTimeCodeRefusals } from './refusals.ts'
import type { TriedCode } from './totp.ts'

/** Where the key of a person's recovery codes is sealed. */
export function recoveryPlace(userId: string) {
  return { kind: oneTimeCodes.name, id: userId, member: 'recovery' } as const
}

/** Makes a set of codes; those of an earlier one end. */
export async function generateRecoveryCodes(
  { vault, random }: OneTimeCodesNeeds,
  work: Work,
  userId: string,
  count: number,
): Promise<{ readonly document: Document<OneTimeCodes>; readonly codes: readonly string[] }> {
  const { owner } = await readActiveHuman(work, userId)
  const { codes, key: plain, hashes } = newRecoveryCodes(count, random)
  const key = await vault.seal(work, recoveryPlace(userId), plain)
  const command = { type: 'generate_recovery_codes', key, hashes } as const
  return { document: await work.decide(oneTimeCodes, userId, command, owner), codes }
}

/**
 * Checks a recovery code and uses it up with the commit of this work. Throws `recovery_codes.not_set_up`,
 * `recovery_codes.code_used`, `verification.code_invalid`, which is remembered, or without looking
 * `attempts.too_many` and `attempts.locked`.
 */
export async function useRecoveryCode(
  { vault, instanceId }: OneTimeCodesNeeds,
  work: Work,
  { userId, owner, code }: TriedCode,
): Promise<void> {
  await readActiveHuman(work, userId)
  const { recovery } = await oneTimeCodesOf(work, userId)
  if (recovery === undefined) throw refused(oneTimeCodeRefusals, 'recovery_codes.not_set_up')
  const { key, hashes } = recovery.secret
  const index = findRecoveryCode(await vault.open(recoveryPlace(userId), key), hashes, code)
  await countTry(work, instanceId, { userId, owner, path: 'recovery_code' }, index !== undefined)
  if (index === undefined) throw new Error('a wrong code was let through')
  await work.decide(oneTimeCodes, userId, { type: 'use_recovery_code', index, key })
}
