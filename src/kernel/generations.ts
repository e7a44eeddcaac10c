/**
 * What was opened can end without being touched: a stream counts how often its user was locked out, and each thing that
 * was opened remembers that number. It is current while the numbers are equal, so that it stays ended when the lockout is
 * undone.
 */

/** What ends things: a lockout of the user, a new password, a lost authorization, a closed organization. */
export type Ending = 'user' | 'password' | 'project' | 'organization'

/** How often each of them has happened. */
export type Generations<Name extends Ending = Ending> = { readonly [Each in Name]: number }

/**
 * Whether something counts that remembers these numbers, or was opened before they were remembered: that ends with any
 * lockout there ever was. `forgiven`: what does not end this one.
 */
export function isCurrent<Name extends Ending>(
  now: Generations<Name>,
  remembered: Generations<Name> | undefined,
  forgiven?: NoInfer<Name>,
): boolean {
  const names = Object.keys(now) as Name[]
  return names.every((name) => name === forgiven || now[name] === (remembered?.[name] ?? 0))
}
