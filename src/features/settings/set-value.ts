/** How a single setting is set: refused or not when there is one already, and silent when nothing changes. Pure. */
import { accept, type Decision, refuse } from '../../kernel/decider.ts'
import type { SettingsEvent } from './events.ts'
import type { SettingsRefusal } from './refusals.ts'

/** `add`: refused when it is already set; `change`: when it is not set; `put`: never. */
export type Manner = 'add' | 'change' | 'put'

/** What a command leads to. */
export type SettingsDecision = Decision<SettingsEvent, SettingsRefusal>

/** Lists are equal when their items are. */
function isSameMember(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item, index) => item === other[index])
    : one === other
}

/** Whether two values are equal, member by member. */
function isSame<Value extends object>(one: Value, other: Value): boolean {
  const members = Object.keys({ ...one, ...other }) as (keyof Value)[]
  return members.every((member) => isSameMember(one[member], other[member]))
}

/** Decides to set a value, as the manner allows. */
export function set<Value extends object>(
  manner: Manner,
  before: Value | undefined,
  value: Value,
  event: SettingsEvent,
): SettingsDecision {
  if (manner === 'add' && before !== undefined) return refuse('settings.exists')
  if (manner === 'change' && before === undefined) return refuse('settings.no_own')
  // Setting the same twice is not refused: the request states the wanted result.
  return before !== undefined && isSame(before, value) ? accept() : accept(event)
}
