/**
 * The authentication methods of users, and the password data in responses. Each module reports the methods that it
 * stores.
 */
import type { App } from '../../access/app.ts'
import type { Document } from '../../store/index.ts'
import { hasIdentityLink } from '../identity-links/index.ts'
import { secondFactorsOf } from '../one-time-codes/index.ts'
import { findPasskeyMethods } from '../passkeys/index.ts'
import { findPasswordMethod, type PasswordFacts, passwordFacts } from '../passwords/index.ts'
import { isLiving, type User } from '../users/index.ts'

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

/** The password data in responses, for the human users among these, by user ID. */
export async function passwordFactsOf(
  app: App,
  documents: readonly Document<User>[],
): Promise<ReadonlyMap<string, PasswordFacts>> {
  const ids = documents.filter(({ state }) => isLiving(state) && state.type === 'human').map(({ id }) => id)
  return ids.length === 0 ? new Map() : passwordFacts(app, ids)
}
