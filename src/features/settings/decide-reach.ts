/** How far the settings of an owner reach: as far as whoever changed a section last. Pure. */
import { type Reach, reachAfter } from '../../access/paths.ts'
import { accept } from '../../kernel/decider.ts'
import type { PlainName } from './plain.ts'
import { type PathSection, pathSetBy, pathsOf, type SectionReach } from './sections.ts'
import type { SettingsDecision } from './set-value.ts'

/** A state with the reach of its paths. */
export interface Reaching {
  readonly reach?: SectionReach
}

/** A command, and how far whoever gives it reaches; not given: the server itself does. */
export interface ByReach {
  readonly by?: Reach | undefined
}

/** Whoever saves a path decides from then on how people sign in, so it does not count for users who hold more than they do. */
export function withReach(
  { type, by, ...rest }: ByReach & { readonly type: string; readonly section?: PlainName },
  { reach: before }: Reaching,
  decision: SettingsDecision,
): SettingsDecision {
  const section = pathSetBy(type, rest.section)
  if (section === undefined || decision.refusal !== undefined) return decision
  const { events } = decision
  // One factor of many.
  const isWhole = !type.endsWith('_factor')
  const reach = reachAfter(before?.[section], by, { isChanged: events.length > 0, isWhole })
  if (reach === undefined) return decision
  return accept(...events, { type: 'settings.reach_set.v1', data: { section, reach } })
}

/** The state without the reach of what is no longer set. */
export function keepReach<State extends Reaching & Partial<Record<PathSection, unknown>>>(state: State): State {
  if (state.reach === undefined) return state
  const { reach: before, ...rest } = state
  const set = pathsOf(state).flatMap((section) => {
    const reach = before[section]
    return reach === undefined ? [] : [[section, reach] as const]
  })
  return (set.length === 0 ? rest : { ...rest, reach: Object.fromEntries(set) }) as State
}
