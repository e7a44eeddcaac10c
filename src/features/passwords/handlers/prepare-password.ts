/** Prepares a new password before anything is written: checks the policy of the organization and hashes it. */

import {
  checkPassword,
  describePasswordFlaw,
  type PasswordFlaw,
  type PasswordPolicy,
  passwordRefusals,
} from '../../../crypto/passwords/index.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { isLivingOrganization, organizations } from '../../organizations/index.ts'
import { effectiveSettings, settingsOfUser } from '../../settings/index.ts'
import { type HumanUser, ownWordsOf } from '../../users/index.ts'
import { passwordsRefusals } from '../refusals.ts'

/** A new password: in clear text, or a hash of another system. */
export interface NewPassword {
  readonly password: { readonly plain: string } | { readonly hash: string }
  /** Its field in the request, for the error. */
  readonly field: string
}

/** The names, login name and address of a user, which the password must not consist of. */
export function wordsOf({ userName, email, profile }: HumanUser): readonly string[] {
  return ownWordsOf(userName, email.address, profile)
}

async function organizationName(app: App, organizationId: string): Promise<string> {
  const state = (await app.store.get(organizations, organizationId))?.state
  return state !== undefined && isLivingOrganization(state) ? state.name : ''
}

/** The rules for passwords of a user, or of new users of an organization; those of the instance when none is given. */
export async function passwordPolicyOf(
  app: App,
  organizationId: string | undefined,
  userId?: string,
): Promise<PasswordPolicy> {
  if (organizationId === undefined || userId === undefined) {
    return (await effectiveSettings(app, organizationId ?? app.instanceId)).passwordPolicy
  }
  return (await settingsOfUser(app, { userId, organizationId })).passwordPolicy
}

/** Finds every rule that a password breaks, its name included, and returns those rules too. */
export async function findFlaws(
  app: App,
  plain: string,
  organizationId: string,
  ownWords: readonly string[],
  userId?: string,
): Promise<{ readonly flaws: readonly PasswordFlaw[]; readonly policy: PasswordPolicy }> {
  const policy = await passwordPolicyOf(app, organizationId, userId)
  const words = [...ownWords, await organizationName(app, organizationId)]
  return { flaws: checkPassword(plain, policy, words), policy }
}

/** Throws, naming the field and every reason, when a password or a hash cannot be used. */
export async function checkNewPassword(
  app: App,
  { password, field }: NewPassword,
  organizationId: string,
  ownWords: readonly string[],
  userId?: string,
): Promise<void> {
  if ('hash' in password) {
    const flaw = app.hashing.checkImport(password.hash)
    if (flaw === undefined) return
    throw refused(passwordRefusals, flaw.code, { violations: [{ field, description: flaw.description }] })
  }
  const { flaws, policy } = await findFlaws(app, password.plain, organizationId, ownWords, userId)
  if (flaws.length > 0) {
    const violations = flaws.map((flaw) => ({ field, description: describePasswordFlaw(flaw, policy) }))
    throw refused(passwordsRefusals, 'password.against_policy', { violations })
  }
}

/** The hash to store of a password that was checked. */
export async function hashNewPassword(app: App, { password }: NewPassword): Promise<string> {
  return 'hash' in password ? password.hash : app.hashing.hash(password.plain)
}

/** Checks a password and returns the hash to store. */
export async function preparePassword(
  app: App,
  given: NewPassword,
  organizationId: string,
  ownWords: readonly string[],
  userId?: string,
): Promise<string> {
  await checkNewPassword(app, given, organizationId, ownWords, userId)
  return hashNewPassword(app, given)
}
