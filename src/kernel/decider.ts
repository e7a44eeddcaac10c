/** The shape of every rule book: a pure fold and a pure decision that may refuse and still remember. */
import type { AnyEvent } from './event.ts'

/** Events that follow; with a refusal, they are what must be remembered although the answer is no. */
export type Decision<Event, Code extends string> = {
  readonly events: readonly Event[]
  readonly refusal?: Code
}

export function accept<Event>(...events: Event[]): Decision<Event, never> {
  return { events }
}

export function refuse<Code extends string, Event = never>(refusal: Code, ...remember: Event[]): Decision<Event, Code> {
  return { events: remember, refusal }
}

/** Pure: no clock, no database, no randomness. Whatever it needs to know is in the command. */
export interface Decider<Command, State, Event extends AnyEvent, Code extends string> {
  readonly initial: State
  evolve(state: State, event: Event): State
  decide(command: Command, state: State): Decision<Event, Code>
}
