/** What one request, and one caller, may take. */

export const MAX_BODY_BYTES = 1_000_000
export const MAX_BULK_OPERATIONS = 1_000
/** Requests of one caller that one node serves at the same time; directories send a few. */
export const MAX_AT_ONCE = 20
/** Requests of all callers; the directories of one organization get half of them. */
export const MOST_TOGETHER = 1_000
