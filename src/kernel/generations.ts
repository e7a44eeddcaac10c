/**
 * What was opened can end without being touched: a stream counts how often its user was locked out, and each thing that
 * was opened remembers that number. It is current while the numbers are equal, so that it stays ended when the lockout is
 * undone.
 */

/** What ends things: a lockout of the user, a new password, lost access to a project, a closed organization. */
export type Ending = 'user' | 'password' | 'project' | 'organization'

/**
 * What counts itself how often it was deactivated and reactivated. Whoever depends on it reads it anyway, so nothing more is
 * read for the comparison.
 */
export interface Reopened {
  readonly reopenings?: number
}

/** What can be reopened under something that was opened for an application: itself, its project and the organization of that. */
export type Reopening = 'application' | 'itsProject' | 'itsOrganization'

/** Counts one more. */
export function reopen({ reopenings = 0 }: Reopened): Reopened {
  return { reopenings: reopenings + 1 }
}

/** How often each of them has happened. */
export type Generations<Name extends string = Ending> = { readonly [Each in Name]: number }

/**
 * Whether something counts that remembers these numbers, or was opened before they were remembered: that ends with any
 * lockout there ever was. `forgiven`: what does not end this one.
 */
export function isCurrent<Name extends string>(
  now: Partial<Generations<Name>>,
  remembered: Partial<Generations<Name>> | undefined,
  forgiven?: NoInfer<Name>,
): boolean {
  const names = Object.keys(now) as Name[]
  return names.every((name) => name === forgiven || now[name] === (remembered?.[name] ?? 0))
}
