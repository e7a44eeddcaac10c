/** The filters of sign-ins, kept in the address; in the first load, hence without heavy imports. */

/** The search parameters. What is not set does not filter. */
export interface SignInSearch {
  /** IDs. */
  readonly user?: string
  readonly application?: string
  readonly organization?: string
  /** Names of `console/src/sign-ins/names.ts`; others do not filter. */
  readonly outcome?: string
  readonly method?: string
  readonly failure?: string
  /** A range that ends now, by its name in `moments.ts`; it comes before `since`. */
  readonly range?: string
  /** Local times, as fields for date and time have them. */
  readonly since?: string
  readonly until?: string
}

const TEXTS = [
  'user',
  'application',
  'organization',
  'outcome',
  'method',
  'failure',
  'range',
  'since',
  'until',
] as const

/** For `validateSearch` of the route. Anything else in the address is dropped. */
export function signInSearch(given: Readonly<Record<string, unknown>>): SignInSearch {
  const kept: Record<string, string> = {}
  for (const name of TEXTS) {
    const value = given[name]
    if (typeof value === 'string' || typeof value === 'number') kept[name] = String(value).slice(0, 200)
  }
  return kept
}
