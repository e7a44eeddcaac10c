/** Points in time: milliseconds since 1970-01-01T00:00:00Z. */

export type Instant = number & { readonly __brand: 'Instant' }

export function instant(milliseconds: number): Instant {
  return milliseconds as Instant
}

/** Where time comes from; tests pass their own. */
export type Clock = () => Instant

export const systemClock: Clock = () => Date.now() as Instant
