/** Events: what happened, named `noun.past_participle.vN`, with its data. Each type is declared once, by `declareEvents`. */

export type Event<Type extends string, Data> = { readonly type: Type; readonly data: Data }

/** Any event, for code that does not care which. */
export type AnyEvent = Event<string, unknown>

/** The data of an event type, for the compiler alone: at run time there is nothing in it. */
export interface EventData<Data> {
  readonly data?: Data
}

/** Event types by name, as `declareEvents` gives them back. */
export type EventTable = Readonly<Record<string, EventData<unknown>>>

const DATA = Object.freeze({})

/** Says what data an event type carries: `data<{ userId: string }>()`; nothing when no type is given. */
export function data<Data = Record<never, never>>(): EventData<Data> {
  return DATA
}

/** Declares the events of one stream. The keys are the event types at run time; `EventOf` gives the union of them. */
export function declareEvents<const Table extends EventTable>(table: Table): Readonly<Table> {
  return Object.freeze(table)
}

/** The union of all events in a table. */
export type EventOf<Table extends EventTable> = {
  readonly [Type in keyof Table & string]: Event<Type, Table[Type] extends EventData<infer Data> ? Data : never>
}[keyof Table & string]
