/** Points in time: milliseconds since 1970-01-01T00:00:00Z. */

export type Instant = number & { readonly __brand: 'Instant' }

export function instant(milliseconds: number): Instant {
  return milliseconds as Instant
}

/** Where time comes from; tests pass their own. */
export type Clock = () => Instant

/** The present, rounded up to a millisecond: a date that is made of it is never before the call that caused it. */
export const systemClock: Clock = () => (Date.now() + 1) as Instant
