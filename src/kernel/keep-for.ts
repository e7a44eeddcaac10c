/** One answer for all who ask at the same time or soon after, so that asking more often costs no more. */

/**
 * Makes the answer when it is asked for, and again when the last one is older than this. An error is kept as long as an
 * answer: what fails must not be tried more often. `make` must end by itself, because all wait for it.
 */
export function keepFor<Answer>(
  milliseconds: number,
  make: () => Promise<Answer>,
  now: () => number = () => performance.now(),
): () => Promise<Answer> {
  let kept: Promise<Answer> | undefined
  let madeAt = Number.POSITIVE_INFINITY
  return () => {
    if (kept !== undefined && now() - madeAt < milliseconds) return kept
    // Until it is there, everybody waits for this one.
    madeAt = Number.POSITIVE_INFINITY
    const making = make()
    const done = () => {
      madeAt = now()
    }
    making.then(done, done)
    kept = making
    return making
  }
}
