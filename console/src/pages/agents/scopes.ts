/** Which scopes of an access can be approved for everyone. */

/** Scopes about the account itself: each user decides. */
const ABOUT_THE_USER = ['profile', 'email', 'phone', 'address']

/** The server approves the scopes of the API, and those that every client needs. */
export function approvable(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !ABOUT_THE_USER.includes(scope) && !scope.startsWith('urn:'))
}
