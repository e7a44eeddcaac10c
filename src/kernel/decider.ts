/** The shape of every decider: a pure fold and a pure decision, which may refuse and still record events. */
import type { AnyEvent } from './event.ts'

/** Events that follow; with a refusal, they are recorded although the command is refused. */
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
