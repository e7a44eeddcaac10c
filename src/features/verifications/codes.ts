/** What codes prove, how long they are, how long they live, and what each is bound to. */
import type { Instant } from '../../kernel/instant.ts'
import type { Purpose } from './events.ts'

const HOUR = 3_600_000

/** The length and the lifetime of a code of each purpose. 6 characters of 5 bits: 30 bits, and at most 5 tries a code. */
export const CODES: Readonly<Record<Purpose, { readonly length: number; readonly lifetimeMs: number }>> = Object.freeze(
  {
    email: { length: 6, lifetimeMs: HOUR },
    phone: { length: 6, lifetimeMs: HOUR },
    password_reset: { length: 6, lifetimeMs: HOUR },
    invite: { length: 6, lifetimeMs: 72 * HOUR },
    // It is part of a link and registers a credential for good: 80 bits.
    passkey: { length: 16, lifetimeMs: HOUR },
  },
)

/** What a code is bound to. */
export interface CodeOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly purpose: Purpose
  /** The address or number it is sent to: a code for one proves nothing about another. */
  readonly target: string
}

/** A code as a caller gives it. */
export interface GivenCode extends CodeOf {
  readonly code: string
}

export interface IssuedCode {
  /** The code itself: shown or sent once, stored nowhere. */
  readonly code: string
  readonly expiresAt: Instant
}

/** What the hash of a code is bound to, so that a stored hash counts for this purpose, user and target only. */
export function bindingOf({ userId, purpose, target }: CodeOf): readonly string[] {
  return [purpose, userId, target]
}

/** A code as it was issued; people type it in lower case, with spaces or hyphens. */
export function canonicalCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}
