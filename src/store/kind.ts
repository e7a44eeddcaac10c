/** What a module declares to the store: a kind of stream, its searchable fields and its claims. */
import type { Decider } from '../kernel/decider.ts'
import type { AnyEvent, EventData } from '../kernel/event.ts'
import type { Ending } from '../kernel/generations.ts'
import type { Anything } from '../kernel/id.ts'
import type { Catalogue } from '../kernel/refusal.ts'
import type { Owners } from '../kernel/share.ts'
import type { NewJob } from './jobs/new-job.ts'

/**
 * A path into the state's JSON by which the documents of a kind are found, filtered or sorted. The store keeps a partial
 * expression index for it. A module folds the case of a case-insensitive field before it stores it (`search.userName`),
 * so that both engines compare the same text.
 */
export interface Field {
  /** Members from the root, `['search', 'userName']`. */
  readonly path: readonly string[]
  /** `number` is compared as a number (instants, counters); `text` bytewise, as `collate "C"` does. */
  readonly type: 'text' | 'number'
  /** False for a field that is filtered so rarely that an index is not worth its writes. Default: true. */
  readonly indexed?: boolean
  /** False for a field with a handful of values: its index counts documents, but does not find few. Default: true. */
  readonly selective?: boolean
  /**
   * Whether its texts can be longer than the 2,704 bytes that an index of PostgreSQL accepts, as a list in one text is. Only
   * SQLite then has an index, from which it compares them.
   */
  readonly isLong?: boolean
  /** Whether the index leaves out documents without the field: for one that few have and that no list is sorted by. */
  readonly sparse?: boolean
  /**
   * Fields whose values the index also contains, so that SQLite compares them without reading the documents. With
   * `createdAt`, PostgreSQL has the documents with one value of a text in the order of creation.
   */
  readonly beside?: readonly string[]
}

/**
 * Among whom a value is unique, which is from whom somebody can take it by being first. `owner`: each organization has values
 * of its own. `parent`: the value begins with the ID of what it is part of. `instance`: one for all; it says why nobody takes
 * what belongs to somebody else.
 */
export type Within = 'owner' | 'parent' | { readonly instance: string }

/** A value that is unique. `taken` is the refusal when another stream holds it. */
export interface Claim<Code extends string> {
  readonly kind: string
  readonly within: Within
  readonly value: string
  readonly taken: Code
}

/** What an event adds to. */
export interface Count {
  /** Numbers that are read together: those of one organization. */
  readonly scope: string
  readonly name: string
  /** By days of UTC, where there may be too many names for a number in each hour. Default: by hours. */
  readonly unit?: 'day'
  /** Default: 1. */
  readonly times?: number
}

/** A sealed value in a state, and the command that stores it sealed again, when the key was replaced. */
export interface SealedValue<Command> {
  /** The member of the document that it was sealed for. */
  readonly member: string
  readonly text: string
  reseal(after: string): Command
}

/**
 * How many documents of a kind may belong to the same holder, and how many bytes they may have together. The write that
 * adds one is refused, see `limits.ts`. What is there already stays, also when it is more than the limit.
 */
export interface CollectionLimit {
  /** In the plural, as the refusal and the reference say it: `metadata entries`. */
  readonly things: string
  /** `a user` */
  readonly holder: string
  /** The fields, or `owner`, that all documents of one holder have the same values in. One of them must have an index. */
  readonly by: Owners
  readonly number: number
  /** The field with the bytes of a document, and how many there may be in all. */
  readonly bytes?: { readonly field: string; readonly most: number }
}

/** How many things one document may contain. */
export interface ListLimit<State> {
  readonly things: string
  readonly holder: string
  readonly inside: (state: State) => number
  readonly number: number
}

/**
 * Whose IDs the streams of a kind have. An ID counts only for the kind of thing that it names, see
 * docs/decisions/0120-an-id-counts-for-its-kind.md.
 */
export type Ids =
  /** Its own, made by the server: IDs, and random texts that are also secrets or names elsewhere. */
  | 'own'
  /** Its own, and callers can choose them: `chosenIdProblem` says which. */
  | 'chosen'
  /** Those of something else; there is one stream for each. */
  | { readonly of: string | readonly string[] }
  /** Several IDs or words in one, in this order. */
  | { readonly joined: readonly string[] }

/**
 * Whether what is stored waits for somebody who uses it later: who was given its code, link or token, or was asked. What was
 * ended meanwhile must not count when that is undone, see docs/decisions/0132-a-session-ends-with-a-lockout.md.
 */
export type Waits =
  /** Nobody comes back with it: it is there until somebody with a permission changes it. */
  | false
  /** It remembers how often these had ended when it was stored, and counts while that is the same (`endingsOf`). */
  | { readonly endsWith: readonly Ending[] }
  /** Nothing else ends it, because of this. */
  | { readonly endsAlone: string }

/**
 * Whether people sign in through it or are kept out by it, so that whoever controls it controls them, see
 * docs/decisions/0124-a-path-carries-its-reach.md. A path has the reach of whoever changed it last in its state, as the member
 * `reach`; one without says what bounds those who change it.
 */
export type Path = boolean | { readonly changedBy: string }

/** The members of all forms of a state. */
type MemberOf<State> = State extends unknown ? keyof State : never

/** What a kind with this state can say. */
type PathOf<State> =
  string extends MemberOf<State> ? Path : 'reach' extends MemberOf<State> ? true : Exclude<Path, true>

/** What an ID names, as `Id` says it: nothing is known of joined ones. */
type Named<Name extends string, Declared extends Ids> = Declared extends 'own' | 'chosen'
  ? Name
  : Declared extends { readonly of: infer Of }
    ? Of extends readonly (infer One extends string)[]
      ? One
      : Of extends string
        ? Of
        : Anything
    : Anything

export interface Kind<
  Command,
  State,
  Event extends AnyEvent,
  Code extends string,
  FieldName extends string = string,
  Of extends string = Anything,
> {
  /** The noun that names both stream and document: `user`. */
  readonly name: string
  readonly ids: Ids
  readonly waits: Waits
  readonly path: Path
  /** Never set: it is how the compiler knows what the IDs name. */
  readonly named?: Of
  /** Raise it when `evolve`, `fields` or `claims` change: the next start folds the documents again. */
  readonly version: number
  /** Every event type of its streams, as `declareEvents` lists them. */
  readonly events: Readonly<Record<Event['type'], EventData<unknown>>>
  readonly decider: Decider<Command, State, Event, Code>
  readonly refusals: Catalogue<Code>
  readonly fields: Readonly<Record<FieldName, Field>>
  /** Whether lists of it are sorted by the time of the last change, which then has an index. Default: false. */
  readonly sortsByChange?: boolean
  /** The claims that a document in this state holds; the store writes the difference. */
  claims?(state: State): readonly Claim<Code>[]
  /** True when the document is deleted: reads no longer find it, and its id is never used again. */
  isGone?(state: State): boolean
  /** The sealed values in a state; they are sealed again when the key is replaced. */
  sealed?(state: State): readonly SealedValue<Command>[]
  /** The job that follows an event, in the same commit; `before` is the state that it changes. */
  jobAfter?(event: Event, about: { readonly id: string; readonly before: State }): NewJob | undefined
  /**
   * What an event adds to, in the same commit; `owner` is that of the stream. It depends on nothing else, so that the log can
   * be counted again. Streams of a kind that counts are kept for more than `COUNTS_KEPT_MS`.
   */
  counts?(event: Event, owner: string): readonly Count[]
  /** How many there may be. The reference lists them: docs/reference/limits.md. */
  readonly limits?: readonly (CollectionLimit | ListLimit<State>)[]
  /** The longest JSON text of a state; a write that adds to a longer one is refused. Default: `LARGEST_DOCUMENT`. */
  readonly largest?: number
  /**
   * Where its documents name the user that they are about: in their ID or in the field `userId`. That user can download them. A kind
   * without it is about nobody, also when one of its documents happens to have the ID of a user.
   */
  readonly personal?: { readonly by: 'id' | 'userId' }
  /** Whether whole streams of it may be removed from the log, see `Work.removeStream`. Default: false. */
  readonly removable?: boolean
}

/** Any kind, for code that works with all of them. */
// biome-ignore lint/suspicious/noExplicitAny: a kind is invariant in its parameters; only the store, which pairs them itself, uses this
export type AnyKind<Of extends string = Anything> = Kind<any, any, any, any, any, Of>

/** What a kind said of itself, as the compiler knows it. */
interface Said<State, Waiting extends Waits> {
  readonly waits: Waiting
  readonly path: PathOf<State>
}

/** Declares a kind; the function exists to infer the type parameters. */
export function kind<
  Command,
  State,
  Event extends AnyEvent,
  Code extends string,
  FieldName extends string,
  Name extends string,
  const Declared extends Ids,
  const Waiting extends Waits,
>(
  definition: Kind<Command, State, Event, Code, FieldName> & {
    readonly name: Name
    readonly ids: Declared
  } & Said<State, Waiting>,
): Kind<Command, State, Event, Code, FieldName, Named<Name, Declared>> & Said<State, Waiting> {
  return Object.freeze(definition) as never
}
