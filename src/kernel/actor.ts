/** Who causes events. */
import type { Id } from './id.ts'

/** The server itself (jobs, the first start), a visitor of a hosted page before the sign-in, a caller of the API without a token. */
type Nobody = 'server' | 'visitor' | 'anonymous'

/** A user, a transmitter of security events that an organization trusts, or somebody without an ID. */
export type Actor = { readonly user: Id<'user'> } | { readonly transmitter: Id<'trusted-transmitter'> } | Nobody

/** How the log says it. Clients read these words, too, so they stay. */
const WORDS: Readonly<Record<Nobody, string>> = { server: 'system', visitor: 'visitor', anonymous: 'anonymous' }
const NOBODIES: ReadonlyMap<string, Nobody> = new Map([
  [WORDS.server, 'server'],
  [WORDS.visitor, 'visitor'],
  [WORDS.anonymous, 'anonymous'],
])

/** What the text of an ID begins with, unless it is a user's own. No ID has a control character, existing ones included. */
const MARKS = { user: '\u0001', transmitter: '\u0002' } as const

/** What an actor is called towards clients: by ID or by a word. `actorType` says which. */
export function actorName(actor: Actor): string {
  if (typeof actor === 'string') return WORDS[actor]
  return 'user' in actor ? actor.user : actor.transmitter
}

/** What an actor is. A user can have a word, or the ID of a transmitter, as ID. */
export function actorType(actor: Actor): string {
  if (typeof actor === 'string') return actor
  return 'user' in actor ? 'user' : 'transmitter'
}

/** The user who acts; undefined when it is no user. */
export function actingUser(actor: Actor): Id<'user'> | undefined {
  return typeof actor === 'object' && 'user' in actor ? actor.user : undefined
}

/** An actor as text in the log. No two actors have the same text. A user is their ID, which is marked if it is a word. */
export function actorText(actor: Actor): string {
  const name = actorName(actor)
  if (typeof actor === 'string') return name
  if ('transmitter' in actor) return MARKS.transmitter + name
  return NOBODIES.has(name) ? MARKS.user + name : name
}

/** The actor of a text in the log. What users with a word as ID did in earlier versions reads as the word. */
export function actorOfText(text: string): Actor {
  const [id, mark] = [text.slice(1), text[0]]
  if (mark === MARKS.transmitter) return { transmitter: id }
  return mark === MARKS.user ? { user: id } : namedActor(text)
}

/** The actor that a client names by a word or by the ID of a user. */
export function namedActor(name: string): Actor {
  return NOBODIES.get(name) ?? { user: name }
}
