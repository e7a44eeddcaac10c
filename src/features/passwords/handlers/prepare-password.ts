/** Prepares a new password before anything is written: checks the policy of the organization and hashes it. */
import type { App } from '../../../access/app.ts'
import {
  checkPassword,
  describePasswordFlaw,
  type PasswordFlaw,
  type PasswordPolicy,
  passwordRefusals,
} from '../../../crypto/passwords/index.ts'
import { refused } from '../../../kernel/refusal.ts'
import { isLivingOrganization, organizations } from '../../organizations/index.ts'
import { effectiveSettings } from '../../settings/index.ts'
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

/** The password policy of an organization, or of the instance if none is given. */
export async function passwordPolicyOf(app: App, organizationId: string | undefined): Promise<PasswordPolicy> {
  return (await effectiveSettings(app, organizationId ?? app.instanceId)).passwordPolicy
}

/** Returns all flaws of a password, and the policy. */
export async function findFlaws(
  app: App,
  plain: string,
  organizationId: string,
  ownWords: readonly string[],
): Promise<{ readonly flaws: readonly PasswordFlaw[]; readonly policy: PasswordPolicy }> {
  const policy = await passwordPolicyOf(app, organizationId)
  const words = [...ownWords, await organizationName(app, organizationId)]
  return { flaws: checkPassword(plain, policy, words), policy }
}

/** Throws, naming the field and every reason, when a password or a hash cannot be used. */
export async function checkNewPassword(
  app: App,
  { password, field }: NewPassword,
  organizationId: string,
  ownWords: readonly string[],
): Promise<void> {
  if ('hash' in password) {
    const flaw = app.hashing.checkImport(password.hash)
    if (flaw === undefined) return
    throw refused(passwordRefusals, flaw.code, { violations: [{ field, description: flaw.description }] })
  }
  const { flaws, policy } = await findFlaws(app, password.plain, organizationId, ownWords)
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
): Promise<string> {
  await checkNewPassword(app, given, organizationId, ownWords)
  return hashNewPassword(app, given)
}
