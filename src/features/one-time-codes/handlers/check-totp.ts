/** Checks a code of the authenticator app of a user. */

import { matchTotp } from '../../../crypto/totp.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { countTry } from '../../verifications/index.ts'
import { oneTimeCodes, oneTimeCodesOf, sealedPlace } from '../documents.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'

/** A code that a caller presents for a user. */
export interface TriedCode {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly code: string
}

/** Counts an attempt, refuses a wrong code, and returns the time step of the right one. */
export async function tryTotp(app: App, work: Work, { userId, owner, code }: TriedCode, seed: string): Promise<number> {
  const step = matchTotp(await app.vault.open(sealedPlace(userId, 'totp'), seed), code, work.origin.at)
  await countTry(app, work, { userId, owner, path: 'totp' }, step !== undefined)
  if (step === undefined) throw new Error('a wrong code was not refused')
  return step
}

/**
 * Checks a code of an app and uses it up with the commit of this work. Throws `totp.not_set_up`, `totp.code_used`, or
 * `verification.code_invalid`, which is counted. Throws `attempts.too_many` and `attempts.locked` without comparing the
 * code.
 */
export async function checkTotp(app: App, work: Work, tried: TriedCode): Promise<void> {
  await readActiveHuman(work, tried.userId)
  const { totp } = await oneTimeCodesOf(app, tried.userId, work)
  if (totp?.status !== 'ready') throw refused(oneTimeCodeRefusals, 'totp.not_set_up')
  const { seed } = totp.secret
  const step = await tryTotp(app, work, tried, seed)
  await work.decide(oneTimeCodes, tried.userId, { type: 'use_totp', step, seed })
}
