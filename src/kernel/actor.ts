/** Who is named as actor on events that no signed-in user caused. */

/** The server itself: jobs, the first start, what follows from something else. */
export const SYSTEM_ACTOR = 'system'

/** A caller of the API without a token. */
export const ANONYMOUS_ACTOR = 'anonymous'

/** A visitor of a hosted page who has not signed in. */
export const VISITOR_ACTOR = 'visitor'
