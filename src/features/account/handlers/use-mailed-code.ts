/**
 * What the holder of a code from a mail can do without signing in: verify an address, set a password, accept an
 * invitation. Functions that send a mail do not reveal whether the user exists.
 */

import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { acceptInvitation, sendInvitationCode, verifyEmail, verifyEmailBy } from '../../humans/index.ts'
import { choosePassword, choosePasswordByCode, sendPasswordReset } from '../../passwords/index.ts'
import { findBySignInName, type HumanUser, readActiveHuman } from '../../users/index.ts'
import { refuseWrongCode } from '../../verifications/index.ts'
import type { FlawedPassword } from './change-own-account.ts'

/** A user ID with a code from an email or a link. */
export interface CodeHolder {
  readonly userId: string
  readonly code: string
}

export interface NewPassword extends CodeHolder {
  readonly password: string
}

/**
 * `refused`: the code is wrong, used or expired, or the user is unknown, locked or deactivated; the result does not
 * tell which. `busy`: the code is right, but the server cannot do it now.
 */
export type Outcome = 'done' | 'refused' | 'busy'

/** The result of setting a password. Flaws are returned only if the code is right, and do not use it up. */
export type PasswordOutcome = { readonly outcome: Outcome; readonly userName?: string } | FlawedPassword

/** The visitor is not signed in; the code identifies the user. */
export function visitorOrigin({ clock }: App): Origin {
  return { actor: 'visitor', at: clock() }
}

/** Converts a refusal to an outcome; throws all other errors again. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Refused)) throw error
  // A limit on attempts would tell that the user exists.
  return isTemporary(error) && error.kind !== 'exhausted' ? 'busy' : 'refused'
}

/** Sends a code to an active user; does nothing when there is none. */
async function sendTo(
  app: App,
  userId: string,
  send: (work: Work, user: Document<HumanUser>) => Promise<unknown>,
): Promise<void> {
  try {
    await app.store.write(visitorOrigin(app), async (work) => {
      await send(work, await readActiveHuman(work, userId))
    })
  } catch (error) {
    if (outcomeOf(error) === 'busy') throw error
  }
}

/** Verifies the email address of a user. */
export async function verifyEmailByCode(app: App, { userId, code }: CodeHolder): Promise<Outcome> {
  try {
    await app.store.write(visitorOrigin(app), async (work) => {
      await readActiveHuman(work, userId)
      await verifyEmail(app, work, userId, code)
    })
    return 'done'
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Sends another code for the email address. */
export function sendEmailCode(app: App, userId: string): Promise<void> {
  return sendTo(app, userId, (work, user) => verifyEmailBy(app, work, user, { type: 'send' }))
}

/** Sets a password with the code of a password reset. */
export function resetPasswordByCode(app: App, given: NewPassword): Promise<PasswordOutcome> {
  return choosePasswordByCode(app, visitorOrigin(app), given)
}

/** Sends the code of a password reset, in the language of the user, else in the given one. */
export function sendResetCode(app: App, userId: string, language?: string): Promise<void> {
  return sendPasswordReset(app, visitorOrigin(app), userId, language)
}

/** For a user who knows only the name or the address with which they sign in. */
export async function sendResetCodeTo(
  app: App,
  userName: string,
  organizationId: string | undefined,
  language?: string,
): Promise<void> {
  const user = await findBySignInName(app, userName, organizationId)
  if (user !== undefined) await sendResetCode(app, user.id, language)
}

/** Accepts an invitation and sets a password, in one commit. */
export function acceptInvitationByCode(app: App, given: NewPassword): Promise<PasswordOutcome> {
  const origin = visitorOrigin(app)
  return choosePassword(app, origin, given, async ({ id: userId, owner, state }) => {
    await readActiveHuman(app.store, userId)
    const what = { userId, owner, purpose: 'invite', target: state.email.address, code: given.code } as const
    await app.store.write(origin, (work) => refuseWrongCode(app, work, what))
    return async (work) => {
      await acceptInvitation(app, work, await readActiveHuman(work, userId), given.code)
    }
  })
}

/** Sends an invitation again, while it is open. */
export function sendInvitationAgain(app: App, userId: string): Promise<void> {
  return sendTo(app, userId, (work, user) => sendInvitationCode(app, work, user))
}
