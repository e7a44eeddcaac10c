/** The purposes, lengths, lifetimes and bindings of codes. */
import type { Instant } from '../../kernel/instant.ts'
import type { Purpose } from './events.ts'

const HOUR = 3_600_000

interface CodeRules {
  readonly length: number
  readonly lifetimeMs: number
  /** Whether a new code leaves earlier ones valid. */
  readonly keepsOthers?: boolean
}

/**
 * The rules for the codes of each purpose. 6 characters of 5 bits are 30 bits, with at most 5 attempts per code.
 */
export const CODES: Readonly<Record<Purpose, CodeRules>> = Object.freeze({
  email: { length: 6, lifetimeMs: HOUR },
  phone: { length: 6, lifetimeMs: HOUR },
  email_change: { length: 6, lifetimeMs: HOUR },
  phone_change: { length: 6, lifetimeMs: HOUR },
  password_reset: { length: 6, lifetimeMs: HOUR },
  invite: { length: 6, lifetimeMs: 72 * HOUR },
  // It is part of a link and registers a permanent credential: 80 bits. A user can have links for several devices.
  passkey: { length: 16, lifetimeMs: HOUR, keepsOthers: true },
})

/** Which settings decide how the codes of a purpose look. Invitations are of two kinds for existing clients. */
export const GENERATORS = {
  email: { name: 'verify_email' },
  phone: { name: 'verify_phone' },
  email_change: { name: 'verify_email' },
  phone_change: { name: 'verify_phone' },
  password_reset: { name: 'password_reset' },
  invite: { name: 'invite_code', otherwise: 'init_code' },
  passkey: { name: 'passkey_link' },
} as const satisfies Readonly<Record<Purpose, { readonly name: string; readonly otherwise?: string }>>

/** The binding of a code. */
export interface CodeOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly purpose: Purpose
  /** The address or number that it is sent to. It is not valid for another one. */
  readonly target: string
}

/** A code as a caller presents it. */
export interface GivenCode extends CodeOf {
  readonly code: string
}

export interface IssuedCode {
  /** The code itself. It is shown or sent once and not stored. */
  readonly code: string
  readonly expiresAt: Instant
}

/** The binding of the hash of a code, so that it is valid only for this purpose, user and target. */
export function bindingOf({ userId, purpose, target }: CodeOf): readonly string[] {
  return [purpose, userId, target]
}

/** The canonical form of a code. Users type it in lower case, with spaces or hyphens. */
export function canonicalCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}
