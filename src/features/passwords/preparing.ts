/** What is done with a new password before anything is written: the rules of its organization, and the hash. */
import {
  checkPassword,
  describePasswordFlaw,
  type PasswordFlaw,
  type PasswordPolicy,
  passwordRefusals,
} from '../../crypto/passwords/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Store } from '../../store/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import { type HumanUser, ownWordsOf } from '../users/index.ts'
import type { PasswordsNeeds } from './needs.ts'
import { passwordsRefusals } from './refusals.ts'

/** A new password: as it will be typed, or as another system stored it. */
export interface NewPassword {
  readonly password: { readonly plain: string } | { readonly hash: string }
  /** Its name in the request, for whoever must correct it. */
  readonly field: string
}

/** The names, login name and address of a person, which their password must not consist of. */
export function wordsOf({ userName, email, profile }: HumanUser): readonly string[] {
  return ownWordsOf(userName, email.address, profile)
}

async function organizationName(store: Store, organizationId: string): Promise<string> {
  const state = (await store.get(organizations, organizationId))?.state
  return state !== undefined && isLivingOrganization(state) ? state.name : ''
}

/** Everything that is wrong with a password by the rules of an organization, whose name it must not be, and those rules. */
export async function findFlaws(
  { store, instanceId }: Pick<PasswordsNeeds, 'store' | 'instanceId'>,
  plain: string,
  organizationId: string,
  ownWords: readonly string[],
): Promise<{ readonly flaws: readonly PasswordFlaw[]; readonly policy: PasswordPolicy }> {
  const { passwordPolicy: policy } = await effectiveSettings(store, organizationId, instanceId)
  const words = [...ownWords, await organizationName(store, organizationId)]
  return { flaws: checkPassword(plain, policy, words), policy }
}

/** The hash to store. Throws, naming the field and every reason, when the password or the hash cannot be used. */
export async function preparePassword(
  needs: Pick<PasswordsNeeds, 'store' | 'instanceId' | 'library'>,
  { password, field }: NewPassword,
  organizationId: string,
  ownWords: readonly string[],
): Promise<string> {
  if ('hash' in password) {
    const flaw = needs.library.checkImport(password.hash)
    if (flaw === undefined) return password.hash
    throw refused(passwordRefusals, flaw.code, { violations: [{ field, description: flaw.description }] })
  }
  const { flaws, policy } = await findFlaws(needs, password.plain, organizationId, ownWords)
  if (flaws.length > 0) {
    const violations = flaws.map((flaw) => ({ field, description: describePasswordFlaw(flaw, policy) }))
    throw refused(passwordsRefusals, 'password.against_policy', { violations })
  }
  return needs.library.hash(password.plain)
}
