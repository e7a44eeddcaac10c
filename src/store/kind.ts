/** A kind is one sort of stream and the document folded from it: its rules, what it is found by, what it claims. */
import type { Decider } from '../kernel/decider.ts'
import type { AnyEvent, EventData } from '../kernel/event.ts'
import type { Catalogue } from '../kernel/refusal.ts'

/**
 * One thing a kind's documents are found, filtered or sorted by: a path into the state's JSON.
 * The store keeps a partial expression index for it. Case-insensitive fields are folded by the room before they
 * are stored (`search.userName`), so that both engines compare the same text.
 */
export interface Field {
  /** Members from the root, `['search', 'userName']`. */
  readonly path: readonly string[]
  /** `number` is compared as a number (instants, counters); `text` bytewise, as `collate "C"` does. */
  readonly type: 'text' | 'number'
  /** False for a field that is filtered so rarely that an index is not worth its writes. Default: true. */
  readonly indexed?: boolean
}

/** What must be unique in the instance. `taken` is the room's refusal when somebody else holds it. */
export interface Claim<Code extends string> {
  readonly kind: string
  readonly value: string
  readonly taken: Code
}

/** A sealed value in a state, and the command that stores it sealed again, when the key was replaced. */
export interface SealedValue<Command> {
  /** The member of the document that it was sealed for. */
  readonly member: string
  readonly text: string
  reseal(after: string): Command
}

export interface Kind<Command, State, Event extends AnyEvent, Code extends string, FieldName extends string = string> {
  /** The noun, in stream and document alike: `user`. */
  readonly name: string
  /** Raise it when `evolve`, `fields` or `claims` change: the documents are folded again at the next start. */
  readonly version: number
  /** Every event type of its streams, as `declareEvents` lists them. */
  readonly events: Readonly<Record<Event['type'], EventData<unknown>>>
  readonly decider: Decider<Command, State, Event, Code>
  readonly refusals: Catalogue<Code>
  readonly fields: Readonly<Record<FieldName, Field>>
  /** Claims held by this state; the store writes the difference. */
  claims?(state: State): readonly Claim<Code>[]
  /** True once the thing is removed: reads no longer find it, its id is never used again. */
  isGone?(state: State): boolean
  /** The sealed values in a state; they are sealed again when the key is replaced. */
  sealed?(state: State): readonly SealedValue<Command>[]
  /** Whether whole streams of it may leave the log, see `Work.forget`. Default: false, its events stay for ever. */
  readonly forgettable?: boolean
}

/** Any kind, for code that does not care which. */
// biome-ignore lint/suspicious/noExplicitAny: a kind is invariant in its parameters; only the store, which pairs them itself, uses this
export type AnyKind = Kind<any, any, any, any, any>

/** The state of a kind. */
export type StateOf<K> = K extends Kind<infer _C, infer S, infer _E, infer _R, infer _F> ? S : never

/** Declares a kind; only there so that the type parameters are inferred. */
export function kind<Command, State, Event extends AnyEvent, Code extends string, FieldName extends string>(
  definition: Kind<Command, State, Event, Code, FieldName>,
): Kind<Command, State, Event, Code, FieldName> {
  return Object.freeze(definition)
}
