/** The types of events in the log, and to which kinds they belong. */
import type { AnyKind } from '../kind.ts'

/** All types in the log, each by one search of its index; the same on both databases. */
export const TYPES_IN_LOG = `with recursive found(type) as (
    select min(type) from events where instance = 1
    union all
    select (select min(type) from events where instance = 1 and type > found.type) from found where found.type is not null
  )
  select type from found where type is not null`

/** The first events of this many types are merged, each found by its index in the order of the log. SQLite combines at most 500. */
export const MAX_TYPES = 100

/** Whether an event of a type may be of one of these kinds. A type that only a newer version knows may be of any kind. */
export function mayBeOf(names: readonly string[], known: readonly AnyKind[]): (type: string) => boolean {
  return (type) => {
    const owners = known.filter(({ events }) => Object.hasOwn(events, type))
    return owners.length === 0 || owners.some(({ name }) => names.includes(name))
  }
}
