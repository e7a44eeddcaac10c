/** Checks the code of a caller inside the write that uses the proof. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { activeOrganization } from '../../organizations/index.ts'
import { bindingOf, type CodeOf, canonicalCode, type GivenCode } from '../codes.ts'
import { openCodeFor } from '../decider.ts'
import { codeEndings, verificationId, verifications } from '../documents.ts'
import { verificationRefusals } from '../refusals.ts'
import { admitTry, countTry } from './count-attempt.ts'

function codeInvalid() {
  return refused(verificationRefusals, 'verification.code_invalid')
}

/** Throws `verification.code_invalid` for users of a deactivated or removed organization, whatever else is wrong. */
export async function refuseClosed(work: Work, organizationId: string): Promise<void> {
  if ((await activeOrganization(work, organizationId)) === undefined) throw codeInvalid()
}

/** When a code is shown in this work. */
async function momentOf(work: Work, { userId, owner }: CodeOf) {
  return { at: work.origin.at, now: await codeEndings.now(work, { userId, organizationId: owner }) }
}

/** The number of the open code, and whether the given one matches it. Without an open one, nothing can be guessed. */
async function compare(app: App, work: Work, what: GivenCode) {
  await refuseClosed(work, what.owner)
  const document = await work.get(verifications, verificationId(what.userId, what.purpose))
  const open = document && openCodeFor(document.state, what.target, await momentOf(work, what))
  if (open === undefined) throw codeInvalid()
  const { issue, secret, isMailed = false } = open
  return {
    issue,
    isMailed,
    matches: await app.vault.matchesCode(bindingOf(what), canonicalCode(what.code), secret.hash),
  }
}

/**
 * Checks a code and uses it up with the commit of this work. Throws `verification.code_invalid` for anything except the
 * right code in time, and counts a wrong one. Throws `attempts.too_many` or `attempts.locked` without comparing. The
 * caller checks whether the user is active. Returns whether the code can only come from the mailbox of the target.
 */
export async function checkCode(app: App, work: Work, what: GivenCode): Promise<{ readonly isMailed: boolean }> {
  const { userId, owner, purpose, target } = what
  const { issue, isMailed, matches } = await compare(app, work, what)
  await countTry(app, work, { userId, owner, path: purpose, issue }, matches)
  const command = { type: 'use', issue, target, ...(await momentOf(work, what)) } as const
  await work.decide(verifications, verificationId(userId, purpose), command)
  return { isMailed }
}

/**
 * Checks a code before expensive work: a wrong code is refused and counted, a right one is not used up. Returns its
 * issue for `useCode`.
 */
export async function refuseWrongCode(app: App, work: Work, what: GivenCode): Promise<number> {
  const { userId, owner, purpose } = what
  const { issue, matches } = await compare(app, work, what)
  const one = { userId, owner, path: purpose, issue }
  if (matches) await admitTry(app, one, work.origin.at, work)
  else await countTry(app, work, one, false)
  return issue
}

/**
 * Uses up a code that was checked before. Throws `verification.code_invalid` when it was used, replaced or invalidated
 * since, when it has expired, or when the organization was closed.
 */
export async function useCode(work: Work, what: CodeOf & { readonly issue: number }): Promise<void> {
  const { userId, owner, purpose, target, issue } = what
  await refuseClosed(work, owner)
  const command = { type: 'use', issue, target, ...(await momentOf(work, what)) } as const
  await work.decide(verifications, verificationId(userId, purpose), command)
}
