/** Making codes and checking them, inside the work of whoever acts on the proof. */
import { newShortCode } from '../../crypto/codes.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Store, Work } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import { organizations } from '../organizations/index.ts'
import { isOpenFor, nextIssueAt } from './decider.ts'
import { verificationId, verifications } from './documents.ts'
import type { Purpose } from './events.ts'
import { verificationRefusals } from './refusals.ts'
import { admitTry, countTry } from './trying.ts'

/** What this room is given by whoever wires the house. */
export interface VerificationsNeeds {
  readonly vault: Pick<Vault, 'hashCode' | 'matchesCode'>
  readonly instanceId: string
  /** Where codes come from; tests pass their own. */
  readonly newCode?: (length: number) => string
}

const HOUR = 3_600_000

/** How long a code of each purpose is and lives. 6 characters of 5 bits: 30 bits, and at most 5 tries a code. */
export const CODES: Readonly<Record<Purpose, { readonly length: number; readonly lifetimeMs: number }>> = Object.freeze(
  {
    email: { length: 6, lifetimeMs: HOUR },
    phone: { length: 6, lifetimeMs: HOUR },
    password_reset: { length: 6, lifetimeMs: HOUR },
    invite: { length: 6, lifetimeMs: 72 * HOUR },
    // Travels in a link and brings a credential for good: 80 bits.
    passkey: { length: 16, lifetimeMs: HOUR },
  },
)

/** What a code is bound to. */
export interface CodeOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly purpose: Purpose
  /** The address or number it is sent to: a code for one says nothing about another. */
  readonly target: string
}

/** The words that go into the hash, so that a stored hash counts in its own place only. */
function bindingOf({ userId, purpose, target }: CodeOf): readonly string[] {
  return [purpose, userId, target]
}

/** As people type it: in lower case, with spaces or hyphens. */
function canonicalCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

export interface IssuedCode {
  /** The code itself: shown or sent once, stored nowhere. */
  readonly code: string
  readonly expiresAt: Instant
}

/** Throws, with the seconds to wait, when too many codes were made for this already. */
async function refuseFlood(work: Work, id: string): Promise<void> {
  const state = (await work.get(verifications, id))?.state
  const wait = state === undefined ? 0 : nextIssueAt(state) - work.origin.at
  if (wait <= 0) return
  throw refused(verificationRefusals, 'verification.too_many', { retryAfterSeconds: Math.ceil(wait / 1000) })
}

/**
 * Makes a code; an earlier one for the same purpose ends. Its life is the purpose's unless another one is given. Throws
 * `verification.too_many` after ten within an hour.
 */
export async function issueCode(
  { vault, newCode = newShortCode }: VerificationsNeeds,
  work: Work,
  what: CodeOf & { readonly lifetimeMs?: number },
): Promise<IssuedCode> {
  const { userId, owner, purpose, target } = what
  const { length, lifetimeMs } = CODES[purpose]
  const id = verificationId(userId, purpose)
  await refuseFlood(work, id)
  const code = newCode(length)
  const hash = await vault.hashCode(work, bindingOf(what), code)
  const { at } = work.origin
  const expiresAt = instant(at + (what.lifetimeMs ?? lifetimeMs))
  await work.decide(verifications, id, { type: 'issue', target, at, expiresAt, hash }, owner)
  return { code, expiresAt }
}

function codeInvalid() {
  return refused(verificationRefusals, 'verification.code_invalid')
}

/** A code proves nothing for the people of an organization that is deactivated or removed. */
async function refuseClosed(work: Work, organizationId: string): Promise<void> {
  const organization = await work.get(organizations, organizationId)
  if (organization?.state.status !== 'active') throw codeInvalid()
}

/** The issue that is open for this, and whether the code is its code. Where none is open nothing can be guessed. */
async function compare({ vault }: VerificationsNeeds, work: Work, what: CodeOf & { readonly code: string }) {
  await refuseClosed(work, what.owner)
  const document = await work.get(verifications, verificationId(what.userId, what.purpose))
  if (document === undefined || !isOpenFor(document.state, what.target, work.origin.at)) throw codeInvalid()
  const { issue, secret } = document.state
  return { issue, matches: await vault.matchesCode(bindingOf(what), canonicalCode(what.code), secret.hash) }
}

/**
 * Checks a code and uses it: when it returns, the code is used up with the commit of this work and of no other. Throws
 * `verification.code_invalid` for whatever is not the right code in time, remembers a wrong one, and throws
 * `attempts.too_many` or `attempts.locked` without looking. Whether the user may act at all is the caller's to ask.
 */
export async function checkCode(
  needs: VerificationsNeeds,
  work: Work,
  what: CodeOf & { readonly code: string },
): Promise<void> {
  const { userId, owner, purpose, target } = what
  const { issue, matches } = await compare(needs, work, what)
  await countTry(work, needs.instanceId, { userId, owner, path: purpose, issue }, matches)
  const command = { type: 'use', issue, target, at: work.origin.at } as const
  await work.decide(verifications, verificationId(userId, purpose), command)
}

/**
 * The same question before expensive work is done for the answer: a wrong code is refused and remembered, a right one
 * is not used up. Answers which issue it was, for `useCode`.
 */
export async function refuseWrongCode(
  needs: VerificationsNeeds,
  work: Work,
  what: CodeOf & { readonly code: string },
): Promise<number> {
  const { userId, owner, purpose } = what
  const { issue, matches } = await compare(needs, work, what)
  const one = { userId, owner, path: purpose, issue }
  if (matches) await admitTry(work, needs.instanceId, one, work.origin.at)
  else await countTry(work, needs.instanceId, one, false)
  return issue
}

/**
 * Uses up a code that was shown before, for what was begun with it and is finished now. Throws
 * `verification.code_invalid` when it was used, replaced or ended since, its time is over, or the organization closed.
 */
export async function useCode(
  work: Work,
  { userId, owner, purpose, target, issue }: CodeOf & { readonly issue: number },
): Promise<void> {
  await refuseClosed(work, owner)
  await work.decide(verifications, verificationId(userId, purpose), { type: 'use', issue, target, at: work.origin.at })
}

/** Ends the open code of a purpose, if there is one, as when its address was replaced. */
export async function cancelCode(work: Work, userId: string, purpose: Purpose): Promise<void> {
  const id = verificationId(userId, purpose)
  if ((await work.get(verifications, id))?.state.status === 'open') {
    await work.decide(verifications, id, { type: 'cancel' })
  }
}

/** Whether a code that counts is open for a user and purpose now, and what it was made for. */
export async function findOpenCode(
  store: Pick<Store, 'get'>,
  userId: string,
  purpose: Purpose,
  at: Instant,
): Promise<{ readonly target: string; readonly expiresAt: Instant } | undefined> {
  const state = (await store.get(verifications, verificationId(userId, purpose)))?.state
  if (state?.status !== 'open' || at >= state.expiresAt) return undefined
  return { target: state.target, expiresAt: state.expiresAt }
}
