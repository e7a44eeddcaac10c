/** The sign-in methods of users, and the data about passwords and locks in replies. Each module reports its own methods. */
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { hasIdentityLink } from '../identity-links/index.ts'
import { secondFactorsOf } from '../one-time-codes/index.ts'
import { findPasskeyMethods } from '../passkeys/index.ts'
import { findPasswordMethod, passwordFacts } from '../passwords/index.ts'
import { isLiving, type ShownFacts, type User } from '../users/index.ts'
import { findLocked } from '../verifications/index.ts'

/** An authentication method. */
export type AuthenticationMethod =
  | 'password'
  | 'passkey'
  | 'idp'
  | 'totp'
  | 'u2f'
  | 'otp_sms'
  | 'otp_email'
  | 'recovery_code'

async function findLinkMethod(app: App, userId: string): Promise<readonly 'idp'[]> {
  return (await hasIdentityLink(app, userId)) ? ['idp'] : []
}

/** The authentication methods of a user, each once. With `domain`, only passkeys that work there. */
export async function authenticationMethodsOf(
  app: App,
  userId: string,
  domain?: { readonly name: string },
): Promise<readonly AuthenticationMethod[]> {
  const found = await Promise.all([
    findPasswordMethod(app, userId),
    findPasskeyMethods(app, userId, domain),
    secondFactorsOf(app, userId),
    findLinkMethod(app, userId),
  ])
  return [...new Set(found.flat())]
}

/** The data in replies about these users that is not in their documents, by user ID. */
export async function shownFactsOf(
  app: App,
  documents: readonly Document<User>[],
): Promise<ReadonlyMap<string, ShownFacts>> {
  const ids = documents.filter(({ state }) => isLiving(state) && state.type === 'human').map(({ id }) => id)
  const [passwords, locked] = await Promise.all([passwordFacts(app, ids), findLocked(app, ids)])
  return new Map(ids.map((id) => [id, { password: passwords.get(id), lockedUntil: locked.get(id) }]))
}
