/** What follows from the rows of plain sections: their commands, events and decisions. Pure. */
import { accept, refuse } from '../../kernel/decider.ts'
import type { SettingsEvent } from './events.ts'
import { problemsOf } from './forms.ts'
import { type Plain, SECTIONS } from './sections.ts'
import { type Manner, type SettingsDecision, set } from './set-value.ts'

type Sections = typeof SECTIONS

export type PlainName = {
  [Name in keyof Sections]: Sections[Name] extends { event: string } ? Name : never
}[keyof Sections]
export type PlainValue<Name extends PlainName> = Sections[Name]['builtIn']
export const PLAIN_NAMES = Object.entries(SECTIONS).flatMap(([name, row]) =>
  'event' in row ? [name as PlainName] : [],
)

/** Missing sections are not set here. */
export type PlainState = { readonly [Name in PlainName]?: PlainValue<Name> }

export type PlainCommand = {
  [Name in PlainName]:
    | { readonly type: 'set'; readonly section: Name; readonly manner: Manner; readonly value: PlainValue<Name> }
    | { readonly type: 'reset'; readonly section: Name }
}[PlainName]

type Word = Sections[PlainName]['event']
/** A section whose values no event has does not compile. */
true satisfies `settings.${Word}_set.v1` extends SettingsEvent['type'] ? true : never

type PlainEvent = Extract<SettingsEvent, { readonly type: `settings.${Word}_${'set' | 'reset'}.v1` }>

const BY_EVENT: ReadonlyMap<string, { readonly section: PlainName; readonly isSet: boolean }> = new Map(
  PLAIN_NAMES.flatMap((section) =>
    [true, false].map((isSet) => [
      `settings.${SECTIONS[section].event}_${isSet ? 'set' : 'reset'}.v1`,
      { section, isSet },
    ]),
  ),
)

export function isPlainEvent(event: SettingsEvent): event is PlainEvent {
  return BY_EVENT.has(event.type)
}

/** The state after an event of a plain section. */
export function evolvePlain<State extends PlainState>(state: State, { type, data }: PlainEvent): State {
  const found = BY_EVENT.get(type)
  if (found === undefined) return state
  const { [found.section]: _, ...rest } = state
  return (found.isSet ? { ...rest, [found.section]: data } : rest) as State
}

/** What is wrong with the members of a value, wherever it comes from. */
export function plainProblems(section: PlainName, value: unknown) {
  return problemsOf<unknown>(SECTIONS[section].forms, value)
}

/** Decides about a plain section. */
export function decidePlain(command: PlainCommand, state: PlainState): SettingsDecision {
  const { event, exists, problem } = SECTIONS[command.section] as Plain<string, object>
  const before = state[command.section]
  if (command.type === 'reset') {
    return before === undefined ? accept() : accept({ type: `settings.${event}_reset.v1`, data: {} } as SettingsEvent)
  }
  const { section, manner, value } = command
  if (plainProblems(section, value).length > 0) return refuse('settings.value_invalid')
  const refusal = problem?.(value)
  if (refusal !== undefined) return refuse(refusal)
  if (manner === 'add' && before !== undefined && exists !== undefined) return refuse(exists)
  return set<object>(manner, before, value, { type: `settings.${event}_set.v1`, data: value } as SettingsEvent)
}
