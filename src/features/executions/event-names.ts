/** The names of events in conditions: ours, and the peer's where there is one. */
import { type App, perApp } from '../../module/app.ts'
import { OBJECT_IMPORTED } from '../../store/index.ts'
import { PEER_EVENT_NAMES } from './peer-event-names.ts'

/** The name that payloads have: the peer's, or ours. */
export function shownEventName(type: string): string {
  return PEER_EVENT_NAMES[type.replace(/\.v\d+$/, '')] ?? type
}

function groupsOf(name: string): readonly string[] {
  const parts = name.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('.'))
}

/** The keys of the conditions that an event meets, the most exact first. */
function keysOf(type: string): readonly string[] {
  const names = [...new Set([shownEventName(type), type])]
  const groups = [...new Set(names.flatMap(groupsOf))]
  const deepestFirst = groups.toSorted((one, other) => other.split('.').length - one.split('.').length)
  return [...names.map((name) => `event/${name}`), ...deepestFirst.map((group) => `event/${group}.*`), 'event']
}

const typesOf = perApp(
  ({ kinds }): ReadonlyMap<string, readonly string[]> =>
    new Map(
      [OBJECT_IMPORTED, ...kinds.flatMap(({ events }) => Object.keys(events))].map((type) => [type, keysOf(type)]),
    ),
)

/** All types of events, with the keys of the conditions that they meet. */
export function eventTypeKeys(app: App): ReadonlyMap<string, readonly string[]> {
  return typesOf(app)
}

const namesOf = perApp(
  (app): ReadonlySet<string> => new Set([...typesOf(app).keys()].flatMap((type) => [type, shownEventName(type)])),
)

/** Every name that a condition can have. */
export function eventNames(app: App): ReadonlySet<string> {
  return namesOf(app)
}
