/** The filters of the audit, kept in the address; in the first load, hence without heavy imports. */

/** The search parameters. What is not set does not filter. */
export interface AuditSearch {
  /** The ID of the user who did it. */
  readonly editor?: string
  /** The ID of the object. */
  readonly aggregate?: string
  readonly kind?: string
  readonly type?: string
  /** A range that ends now, by its name in `moments.ts`; it comes before `since`. */
  readonly range?: string
  /** Local times, as fields for date and time have them. */
  readonly since?: string
  readonly until?: string
  readonly live?: true
  /** Whether routine token events are shown. */
  readonly tokens?: true
}

const TEXTS = ['editor', 'aggregate', 'kind', 'type', 'range', 'since', 'until'] as const

/** For `validateSearch` of the route. Anything else in the address is dropped. */
export function auditSearch(given: Readonly<Record<string, unknown>>): AuditSearch {
  const kept: Record<string, string | true> = {}
  for (const name of TEXTS) {
    const value = given[name]
    if (typeof value === 'string' || typeof value === 'number') kept[name] = String(value).slice(0, 200)
  }
  if (given.live === true) kept.live = true
  if (given.tokens === true) kept.tokens = true
  return kept
}
