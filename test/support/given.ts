/** Given these events, when this command, then those events or that refusal: the whole test of a decider. */
import assert from 'node:assert/strict'
import type { Decider, Decision } from '../../src/kernel/decider.ts'
import type { AnyEvent } from '../../src/kernel/event.ts'

/** A decider, or a kind with one. */
type Rules<Command, State, Event extends AnyEvent, Code extends string> =
  | Decider<Command, State, Event, Code>
  | { readonly decider: Decider<Command, State, Event, Code> }

interface Outcome<State, Event, Code extends string> {
  /** The command is accepted and exactly these events follow. */
  then(...events: Event[]): void
  /** The command is refused, and exactly these events are recorded. */
  thenRefused(code: Code, ...remembered: Event[]): void
  /** The state after the command. */
  readonly state: State
}

/** Folds `events` and lets the decider decide on the command of `when`. */
export function given<Command, State, Event extends AnyEvent, Code extends string>(
  rules: Rules<Command, State, Event, Code>,
  ...events: readonly Event[]
): { when(command: Command): Outcome<State, Event, Code>; readonly state: State } {
  const decider = 'decider' in rules ? rules.decider : rules
  const fold = (state: State, facts: readonly Event[]): State => facts.reduce(decider.evolve, state)
  const before = fold(decider.initial, events)
  return {
    state: before,
    when(command) {
      const decision: Decision<Event, Code> = decider.decide(command, before)
      return {
        state: fold(before, decision.events),
        // biome-ignore lint/suspicious/noThenProperty: it reads given, when, then; nobody awaits an outcome
        then(...expected) {
          assert.equal(decision.refusal, undefined, `refused with ${decision.refusal}`)
          assert.deepEqual(decision.events, expected)
        },
        thenRefused(code, ...remembered) {
          assert.equal(decision.refusal, code)
          assert.deepEqual(decision.events, remembered)
        },
      }
    },
  }
}
