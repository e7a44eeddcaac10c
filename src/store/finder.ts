/** Documents, and how they are found. */
import type { AnyEvent } from '../kernel/event.ts'
import type { Anything, Id } from '../kernel/id.ts'
import type { Instant } from '../kernel/instant.ts'
import type { AnyKind, Kind } from './kind.ts'

/** The current state of one stream. */
export interface Document<State, Of extends string = Anything> {
  readonly id: Id<Of>
  /** The organization it belongs to, or the instance. The first event sets it, and it never changes. */
  readonly owner: string
  readonly state: State
  /** How many events its stream has. */
  readonly revision: number
  /** Sequence of the last event folded into it; sequences number the events of the instance. */
  readonly sequence: number
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** The fields that every document has. */
export type BuiltInField = 'id' | 'owner' | 'createdAt' | 'changedAt'

/** Conditions on fields of a kind and on the built-in fields. */
export type Filter<FieldName extends string = string> =
  | { readonly all: readonly Filter<FieldName>[] }
  | { readonly any: readonly Filter<FieldName>[] }
  | { readonly not: Filter<FieldName> }
  | { readonly field: FieldName | BuiltInField; readonly equals: string | number }
  | { readonly field: FieldName | BuiltInField; readonly in: readonly (string | number)[] }
  | { readonly field: FieldName | BuiltInField; readonly startsWith: string }
  | { readonly field: FieldName | BuiltInField; readonly contains: string }
  | { readonly field: FieldName | BuiltInField; readonly endsWith: string }
  | { readonly field: FieldName | BuiltInField; readonly atLeast: string | number }
  | { readonly field: FieldName | BuiltInField; readonly above: string | number }
  | { readonly field: FieldName | BuiltInField; readonly atMost: string | number }
  | { readonly field: FieldName | BuiltInField; readonly below: string | number }
  | { readonly field: FieldName | BuiltInField; readonly among: Related }
  /** The document that holds a unique value. */
  | { readonly field: 'id'; readonly holds: { readonly kind: string; readonly value: string } }

/** The values of a field in the documents of another kind that meet a condition. */
export interface Related {
  readonly kind: AnyKind
  readonly field: string
  readonly where: Filter
  /** Whether few documents meet it: every engine then looks for them first, and compares with their values. */
  readonly few?: boolean
}

export interface Query<FieldName extends string = string> {
  readonly where?: Filter<FieldName>
  /** Ties are broken by id, so that pages never overlap. Default: `createdAt`. */
  readonly orderBy?: FieldName | BuiltInField
  readonly descending?: boolean
  readonly limit: number
  readonly offset?: number
}

/** The answer to a query, read from one snapshot. */
export interface Page<State, Of extends string = Anything> {
  readonly documents: readonly Document<State, Of>[]
  /** How many documents match, without the limit. */
  readonly total: number
  /** The instance's last sequence at the time of reading. */
  readonly sequence: number
}

/** Reads documents by id; both `Store` and `Work` do. */
export interface Reader {
  /**
   * Undefined when there is no such document or it is deleted. A `Work` also guards what it reads: if the document
   * changes before the commit, the work runs again.
   */
  get<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<Document<S, O> | undefined>
}

/** Reads documents by id and by query. */
export interface Finder extends Reader {
  find<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    query: Query<F>,
  ): Promise<Page<S, O>>
}
