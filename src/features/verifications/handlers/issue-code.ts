/** Issues a one-time code as part of a write, and finds the open code. */

import { newDigitCode, newShortCode } from '../../../crypto/codes.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Reader, Work } from '../../../store/index.ts'
import { isOfDigits as consistsOfDigits, generatorOf } from '../../settings/index.ts'
import { bindingOf, CODES, type CodeOf, GENERATORS, type IssuedCode } from '../codes.ts'
import { nextIssueAt, openCodeFor, validCodes } from '../decider.ts'
import { codeEndings, verificationId, verifications } from '../documents.ts'
import type { Purpose } from '../events.ts'
import { verificationRefusals } from '../refusals.ts'

/** The rules of the codes of a purpose, as they are set now. */
async function rulesOf(app: App, purpose: Purpose, reader: Reader) {
  const { name, ...more } = GENERATORS[purpose]
  const set = await generatorOf(app, name, { reader, ...more })
  if (set === undefined) return { ...CODES[purpose], isOfDigits: false }
  return { ...CODES[purpose], length: set.length, lifetimeMs: set.expiryMs, isOfDigits: consistsOfDigits(set) }
}

/** How long new codes of a purpose are valid. */
export async function codeLifetimeMs(app: App, purpose: Purpose, reader: Reader = app.store): Promise<number> {
  return (await rulesOf(app, purpose, reader)).lifetimeMs
}

/** Throws, with the seconds to wait, when too many codes were already issued. */
async function refuseFlood(work: Work, id: string): Promise<void> {
  const state = (await work.get(verifications, id))?.state
  const wait = state === undefined ? 0 : nextIssueAt(state) - work.origin.at
  if (wait <= 0) return
  throw refused(verificationRefusals, 'verification.too_many', { retryAfterSeconds: Math.ceil(wait / 1000) })
}

/**
 * Issues a code. It invalidates an earlier one for the same purpose, unless that purpose allows several. Its lifetime is
 * that of the purpose unless another one is given. `isMailed`: it is sent to the target, by mail or text message, and returned to no caller. Throws `verification.too_many` after ten within an hour.
 */
export async function issueCode(
  app: App,
  work: Work,
  what: CodeOf & { readonly lifetimeMs?: number; readonly isMailed?: boolean },
): Promise<IssuedCode> {
  const { userId, owner, purpose, target, isMailed = false } = what
  const { length, lifetimeMs, keepsOthers = false, isOfDigits } = await rulesOf(app, purpose, work)
  const id = verificationId(userId, purpose)
  await refuseFlood(work, id)
  const code = isOfDigits ? newDigitCode(length) : newShortCode(length)
  const hash = await app.vault.hashCode(work, bindingOf(what), code)
  const { at } = work.origin
  const expiresAt = instant(at + (what.lifetimeMs ?? lifetimeMs))
  const generations = await codeEndings.now(work, { userId, organizationId: owner })
  const command = { type: 'issue', keepsOthers, target, at, expiresAt, isMailed, generations, hash } as const
  await work.decide(verifications, id, command, owner)
  return { code, expiresAt }
}

/** Finds the newest code of a user and purpose that is valid at a time, and its target. */
export async function findOpenCode(
  app: App,
  userId: string,
  purpose: Purpose,
  at: Instant,
): Promise<{ readonly target: string; readonly expiresAt: Instant } | undefined> {
  const codes = await app.store.get(verifications, verificationId(userId, purpose))
  if (codes === undefined) return undefined
  const now = await codeEndings.now(app.store, { userId, organizationId: codes.owner })
  return validCodes(codes.state, { at, now }).at(-1)
}

/** Whether a code with this binding is valid at a time. */
export async function hasOpenCode(app: App, { userId, owner, purpose, target }: CodeOf, at: Instant): Promise<boolean> {
  const [codes, now] = await Promise.all([
    app.store.get(verifications, verificationId(userId, purpose)),
    codeEndings.now(app.store, { userId, organizationId: owner }),
  ])
  return codes !== undefined && openCodeFor(codes.state, target, { at, now }) !== undefined
}
