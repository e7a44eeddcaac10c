/** What the room of users asks of this one, and what the hosted pages do. */

import type { Call } from '../../access/call.ts'
import type { PasswordFlaw, PasswordPolicy } from '../../crypto/passwords/index.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Work } from '../../store/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import { type HumanUser, isLiving, readHuman, users } from '../users/index.ts'
import { prepareChange, proveByCode, type ReplacedPassword } from './changing.ts'
import type { PasswordsNeeds } from './needs.ts'
import { findFlaws, type NewPassword, preparePassword, wordsOf } from './preparing.ts'
import { resetPassword } from './resetting.ts'
import { passwordFacts, replacePassword, setPassword } from './setting.ts'

/** A password for somebody new. */
export interface GivenPassword extends NewPassword {
  readonly changeRequired: boolean
}

/** Passwords as the room of users needs them; it declares the port, so that it need not know this room. */
export function passwordPort(needs: PasswordsNeeds) {
  return {
    /** For somebody new: checks and hashes, and gives back what writes it. */
    async prepare(given: GivenPassword, organizationId: string, ownWords: readonly string[]) {
      const hash = await preparePassword(needs, given, organizationId, ownWords)
      const { changeRequired } = given
      return async (work: Work, userId: string): Promise<void> => {
        await setPassword(work, { userId, owner: organizationId, hash, changeRequired })
      }
    },
    /** For somebody who is there: throws unless the proof, or the caller's permission, suffices. */
    prepareChange: (given: ReplacedPassword, call: Call, user: Document<HumanUser>) =>
      prepareChange(needs, given, call, user),
    facts: (userIds: readonly string[]) => passwordFacts(needs.store, userIds),
  }
}

/**
 * What became of a password that somebody chose on a page. `refused`: the code is wrong, used or expired, or the user
 * unknown, locked or deactivated, which nobody outside learns; `busy`: try again shortly.
 */
export type ChosenPassword =
  | { readonly outcome: 'done'; readonly userName: string }
  | { readonly outcome: 'refused' | 'busy' }
  | { readonly outcome: 'flawed'; readonly flaws: readonly PasswordFlaw[]; readonly policy: PasswordPolicy }

/** Checks what proves that somebody may choose, and gives back what uses it up in the work that sets the password. */
export type ProveChoice = (user: Document<HumanUser>) => Promise<(work: Work) => Promise<void>>

/** Somebody who holds a proof chooses a password. Flaws are told only to them, and do not use the proof up. */
export async function choosePassword(
  needs: PasswordsNeeds,
  origin: Origin,
  { userId, password }: { readonly userId: string; readonly password: string },
  prove: ProveChoice,
): Promise<ChosenPassword> {
  const { store, library } = needs
  const found = await store.get(users, userId)
  if (found === undefined || !isLiving(found.state) || found.state.type !== 'human') return { outcome: 'refused' }
  const user = found as Document<HumanUser>
  try {
    const confirm = await prove(user)
    const { flaws, policy } = await findFlaws(needs, password, user.owner, wordsOf(user.state))
    if (flaws.length > 0) return { outcome: 'flawed', flaws, policy }
    const hash = await library.hash(password)
    await store.write(origin, async (work) => {
      await confirm(work)
      await replacePassword(needs, work, await readHuman(work, userId), { hash, changeRequired: false })
    })
    return { outcome: 'done', userName: user.state.userName }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isBusy = error.code === 'password.busy' || error.kind === 'unavailable' || error.kind === 'aborted'
    return { outcome: isBusy ? 'busy' : 'refused' }
  }
}

/** Somebody with the code of a reset chooses a password. */
export function choosePasswordByCode(
  needs: PasswordsNeeds,
  origin: Origin,
  given: { readonly userId: string; readonly code: string; readonly password: string },
): Promise<ChosenPassword> {
  return choosePassword(needs, origin, given, (user) => proveByCode(needs, origin, user, given.code))
}

/** Mails a code to a person who may act; says nothing about whether there was one. */
export async function sendPasswordReset(
  needs: Pick<PasswordsNeeds, 'store' | 'codes' | 'messages'>,
  origin: Origin,
  userId: string,
): Promise<void> {
  try {
    await resetPassword(needs, origin, userId, { type: 'mail' })
  } catch (error) {
    if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
  }
}

/** The rules for passwords of an organization; those of the instance when it has none or there is none. */
export async function passwordPolicyOf(
  { store, instanceId }: Pick<PasswordsNeeds, 'store' | 'instanceId'>,
  organizationId: string | undefined,
): Promise<PasswordPolicy> {
  return (await effectiveSettings(store, organizationId ?? instanceId, instanceId)).passwordPolicy
}
