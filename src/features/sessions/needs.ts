/** What this room is given by whoever wires the house, and what it wants to know about who asks. */
import type { Call } from '../../access/call.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Origin, Store, Work } from '../../store/index.ts'
import type { OneTimeCodesNeeds } from '../one-time-codes/index.ts'
import type { PasskeysNeeds } from '../passkeys/index.ts'
import type { PasswordChecks } from '../passwords/index.ts'

/** A sign-in at an identity provider, as a session is asked to believe it. */
export interface IntentToCheck {
  readonly intentId: string
  readonly token: string
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
}

/** Throws unless the intent succeeded, is of that user and was not used; uses it up with the commit. */
export type CheckIntent = (work: Work, intent: IntentToCheck) => Promise<void>

export interface SessionsNeeds {
  readonly store: Store
  readonly newId: NewId
  readonly instanceId: string
  /** The one of the process: `openPasswordChecks`. */
  readonly checks: PasswordChecks
  readonly passkeys: PasskeysNeeds
  readonly oneTimeCodes: OneTimeCodesNeeds
  readonly checkIntent: CheckIntent
}

/** Who asks for something to be done to a session. */
export interface Asker {
  /** Who stands on what is written. */
  readonly origin: Origin
  /** Who stands as creator on a new session; empty for a hosted page. */
  readonly creatorId: string
  /** Throws unless the asker may create a session there: in the organization of its user, or on the instance. */
  authorizeCreation(owner: string): void
  /** Whether the asker may change sessions there without their token. */
  mayWrite(owner: string): boolean
  /** Whether the asker may be told what is wrong with a user there. */
  mayKnow(owner: string): boolean
  /** The session whose token is the asker's bearer. */
  readonly session?: { readonly id: string; readonly tokenHash: string }
}

/** The caller of a method. */
export function askerOf(call: Call): Asker {
  return {
    origin: call.origin,
    creatorId: call.caller.userId,
    authorizeCreation: (owner) => call.authorize(owner),
    mayWrite: (owner) => call.may('session.write', owner),
    mayKnow: (owner) => call.may('session.write', owner) || call.may('user.read', owner),
    ...(call.caller.session && { session: call.caller.session }),
  }
}

/** Whoever sits in front of a hosted page: may create sessions, holds the token of one at best, is told nothing. */
export function stranger(origin: Origin): Asker {
  return {
    origin,
    creatorId: '',
    authorizeCreation: () => {},
    mayWrite: () => false,
    mayKnow: () => false,
  }
}
