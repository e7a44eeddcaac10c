/** Reads events of the log in SQLite, on the main thread or the scan thread, and remembers where those of a time are. */
import type { Engine, LogRange } from '../engine.ts'
import { EVENTS_IN_PART, EventTimes, type LogPart, PARTS_OF_RANGE, type ReadParts } from '../event-times.ts'
import type { AnyKind } from '../kind.ts'
import { BY_TIME, findEvents } from './find-events.ts'
import { type EventValues, storedEvent } from './log.ts'
import type { SqliteReader } from './read.ts'
import type { ScanThread } from './scan.ts'
import { positional } from './search.ts'

/** After more events, their times are read on the scan thread. */
const MAX_LATER = 2_000

/**
 * The log in parts, divided by time. This reads the index of times three times, which takes a tenth of the time of reading
 * and grouping all events.
 */
const ALL_PARTS = `with recursive part(after, latest) as (
    select null, min(at) - 1 from events where instance = 1
    union all
    select latest, coalesce(
        (select at from events where instance = 1 and at > latest order by at limit 1 offset ${EVENTS_IN_PART - 1}),
        (select max(at) from events where instance = 1 and at > latest))
      from part where latest is not null
  )
  select (select min(+sequence) from events indexed by "${BY_TIME}" where instance = 1 and at > after and at <= latest),
    (select max(+sequence) from events indexed by "${BY_TIME}" where instance = 1 and at > after and at <= latest),
    after + 1, latest
  from part where after is not null and latest is not null`

function logPart([first, last, earliest, latest]: readonly unknown[]): LogPart {
  return { first: Number(first), last: Number(last), earliest: Number(earliest), latest: Number(latest) }
}

/** Finds the events that match a query. */
export function eventReader(
  reader: () => SqliteReader,
  scans: ScanThread,
  isMissing: (index: string) => boolean,
  kinds: () => readonly AnyKind[],
): Engine['events'] {
  const times = new EventTimes()
  const readParts: ReadParts = async (since) => {
    const { history, sequence } = reader().read(() => undefined)
    const [sql, values] = since === 0 ? [ALL_PARTS, []] : positional(PARTS_OF_RANGE, [since, sequence])
    const isShort = since > 0 && sequence - since <= MAX_LATER
    const rows = isShort ? reader().read((all) => all(sql, ...values)).value : await scans.all(sql, ...values)
    return { history, sequence, parts: rows.map(logPart) }
  }
  return async (query) => {
    const find = (ofTime?: LogRange) =>
      reader().read((all) => findEvents(all, query, { isMissing, kinds: kinds(), ofTime })).value
    let found = find()
    const isOfTime = query.since !== undefined || query.until !== undefined
    if ('slow' in found && isOfTime && !isMissing(BY_TIME)) found = find(await times.rangeOf(query, readParts))
    const rows = 'rows' in found ? found.rows : await scans.all(found.slow.sql, ...found.slow.values)
    return (rows as EventValues[]).map(storedEvent)
  }
}
