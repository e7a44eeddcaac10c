/** Where in which history an answer was read, and when the log tells what has changed between two answers. */

export interface Stamp {
  /**
   * Another one when documents may have changed without an event, or sequences may have been given out again: after a rebuild,
   * a restart of the server or a failover.
   */
  readonly history: string
  readonly sequence: number
}

/**
 * Whether all that has changed between two answers are the events between their sequences. Whatever keeps an answer asks this,
 * and nothing compares sequences of answers without it.
 */
export function follows(later: Stamp, earlier: Stamp): boolean {
  return later.history === earlier.history && later.sequence >= earlier.sequence
}
