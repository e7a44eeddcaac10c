/** Sets the password that a user chooses on a page, with a proof: a code, a link, or the current password. */

import type { PasswordFlaw, PasswordPolicy } from '../../../crypto/passwords/index.ts'
import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { type HumanUser, isLiving, readHuman, users } from '../../users/index.ts'
import { proveByCode } from './change-password.ts'
import { findFlaws, wordsOf } from './prepare-password.ts'
import { replacePassword } from './set-password.ts'

/**
 * The result of choosing a password. `refused`: the code is wrong, used or expired, or the user is unknown, locked or
 * deactivated; the page does not tell which. `busy`: try again shortly.
 */
export type ChosenPassword =
  | { readonly outcome: 'done'; readonly userName: string }
  | { readonly outcome: 'refused' | 'busy' }
  | { readonly outcome: 'flawed'; readonly flaws: readonly PasswordFlaw[]; readonly policy: PasswordPolicy }

/** Checks the proof, and returns the function that uses it up in the work that sets the password. */
export type ProveChoice = (user: Document<HumanUser>) => Promise<(work: Work) => Promise<void>>

/** Who chooses which password. */
export interface ChoosingUser {
  readonly userId: string
  readonly password: string
  /** The session in which it is chosen, which stays; the user's other ones end. */
  readonly keptSessionId?: string
  /** What it must not consist of, beside what is known of the user. */
  readonly ownWords?: readonly string[]
}

/** Sets the password of a user with a proof. Flaws are told only to holders of a proof, and do not use it up. */
export async function choosePassword(
  app: App,
  origin: Origin,
  { userId, password, keptSessionId, ownWords = [] }: ChoosingUser,
  prove: ProveChoice,
): Promise<ChosenPassword> {
  const found = await app.store.get(users, userId)
  if (found === undefined || !isLiving(found.state) || found.state.type !== 'human') return { outcome: 'refused' }
  const user = found as Document<HumanUser>
  try {
    const confirm = await prove(user)
    const words = [...wordsOf(user.state), ...ownWords]
    const { flaws, policy } = await findFlaws(app, password, user.owner, words, user.id)
    if (flaws.length > 0) return { outcome: 'flawed', flaws, policy }
    const hash = await app.hashing.hash(password)
    await app.store.write(origin, async (work) => {
      await confirm(work)
      await replacePassword(app, work, await readHuman(work, userId), { hash, changeRequired: false, keptSessionId })
    })
    return { outcome: 'done', userName: user.state.userName }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Other limits count attempts at the code of a user, and would tell that the user exists.
    const isBusy = isTemporary(error) && (error.kind !== 'exhausted' || error.code === 'password.busy')
    return { outcome: isBusy ? 'busy' : 'refused' }
  }
}

/** Sets the password of a user with the code of a reset. */
export function choosePasswordByCode(
  app: App,
  origin: Origin,
  given: { readonly userId: string; readonly code: string; readonly password: string },
): Promise<ChosenPassword> {
  return choosePassword(app, origin, given, (user) => proveByCode(app, origin, user, given.code))
}
