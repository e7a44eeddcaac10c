/** Who is named as actor on events that no signed-in user caused. */

/** The server itself: jobs, the first start, what follows from something else. */
export const SYSTEM_ACTOR = 'system'

/** A caller of the API without a token. */
export const ANONYMOUS_ACTOR = 'anonymous'

/** A visitor of a hosted page who has not signed in. */
export const VISITOR_ACTOR = 'visitor'

const WORDS: readonly string[] = [SYSTEM_ACTOR, ANONYMOUS_ACTOR, VISITOR_ACTOR]

/** Whether an actor is a user: the words above name nobody, although a user can have one of them as ID. */
export function isUserActor(actor: string): boolean {
  return !WORDS.includes(actor)
}
