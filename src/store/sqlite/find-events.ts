/**
 * Finds events of the log in SQLite. As for documents (0049), the index is tried out and named in the statement. A
 * statement that may read much of the log is left to the scan thread.
 */
import type { SQLInputValue } from 'node:sqlite'
import { mayBeOf, TYPES_IN_LOG } from '../event-types.ts'
import type { AnyKind } from '../kind.ts'
import type { EventQuery } from '../types.ts'
import { eventColumns } from './log.ts'
import type { All } from './search.ts'

/** So many events are read and sorted in a few milliseconds. */
const FEW = 2_000

/** More events are not merged on the main thread. */
const MAX_MERGED = 5_000
/** SQLite does not combine more than 500 selects. */
const MAX_TYPES = 100

/** A condition, and the index that finds the events that meet it. */
interface Way {
  /** Undefined: the log itself, which is sorted by sequence. */
  readonly index: string | undefined
  readonly where: string
  readonly values: readonly SQLInputValue[]
  /** Whether the index has these events in the order of the log. */
  readonly isInOrder: boolean
}

/** A statement that reads events with the columns of `eventColumns`. */
export interface EventStatement {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The events, or a statement that finds them but reads too much for the main thread. */
export type FoundEvents = { readonly rows: readonly unknown[][] } | { readonly slow: EventStatement }

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

/** The conditions of a query that an index can answer. */
function waysOf({ id, types, actor, owner, since, until, from, descending }: EventQuery): Way[] {
  const ways: Way[] = []
  const add = (index: string | undefined, where: string, values: readonly SQLInputValue[], isInOrder: boolean) => {
    ways.push({ index, where, values, isInOrder })
  }
  if (id !== undefined) add('events_by_stream', 'id = ?', [id], false)
  if (from !== undefined) add(undefined, descending === true ? 'sequence < ?' : 'sequence > ?', [from], true)
  if (types !== undefined) add('events_by_type', `type in (${marks(types)})`, types, types.length === 1)
  if (actor !== undefined) add('events_by_actor', 'actor = ?', [actor], true)
  if (owner !== undefined) add('events_by_owner', 'owner = ?', [owner], true)
  const bounds = [...(since === undefined ? [] : ['at >= ?']), ...(until === undefined ? [] : ['at < ?'])]
  const times = [since, until].filter((time) => time !== undefined)
  if (bounds.length > 0) add('events_by_time', bounds.join(' and '), times, false)
  return ways
}

function source(index: string | undefined): string {
  return index === undefined ? 'events' : `events indexed by "${index}"`
}

/** What is known of the file. */
export interface EventFile {
  /** Whether an index is still to be built. */
  isMissing(index: string): boolean
  readonly kinds: readonly AnyKind[]
}

/** Finds the events that match a query. */
export function findEvents(
  all: All,
  asked: EventQuery,
  { isMissing, kinds: known }: EventFile,
  few = FEW,
): FoundEvents {
  const { kinds } = asked
  const typesOfKinds = kinds === undefined || asked.types !== undefined ? undefined : typesOf(all, kinds, known)
  const query = typesOfKinds === undefined ? asked : { ...asked, types: typesOfKinds }
  const run = ({ sql, values }: EventStatement) => ({ rows: all(sql, ...values) })
  const first = run(select(query, { within: few }, lastSequence(all)))
  if (first.rows.length === query.limit) return first

  const ways = waysOf(query)
  const usable = ways.filter(({ index }) => index === undefined || !isMissing(index))
  const isFew = ({ index, where, values }: Way): boolean =>
    all(`select 1 from ${source(index)} where instance = 1 and ${where} limit 1 offset ${few}`, ...values).length === 0
  const best = usable.find(isFew)
  if (best !== undefined) return run(select(query, best))

  // The bound of a page narrows every index that is in the order of the log.
  const [only, ...others] = usable.filter(({ index }) => index !== undefined)
  const meetsKinds = kinds === undefined || typesOfKinds !== undefined
  const isAlone = others.length === 0 && ways.length === usable.length && meetsKinds
  if (only === undefined) return isAlone ? run(select(query, {})) : { slow: select(query, {}) }
  if (only.isInOrder) return isAlone ? run(select(query, only)) : { slow: select(query, only) }
  if (isAlone && query.types !== undefined && query.types.length <= MAX_TYPES) {
    const merged = merge(query, query.types)
    return query.types.length * query.limit <= MAX_MERGED ? run(merged) : { slow: merged }
  }
  const isOnlyTime = query.types === undefined && query.from === undefined
  if (isAlone && isOnlyTime) return { slow: selectByTime(query, only) }
  return { slow: select(query, others.find(({ isInOrder }) => isInOrder) ?? {}) }
}

/** The types of events that kinds may have; an index finds events by type, but not by kind. */
function typesOf(all: All, kinds: readonly string[], known: readonly AnyKind[]): readonly string[] {
  return all(TYPES_IN_LOG)
    .map(([type]) => String(type))
    .filter(mayBeOf(kinds, known))
}

function lastSequence(all: All): number {
  return Number(all('select sequence from instances where id = 1')[0]?.[0])
}

/** The bounds of the sequence, both exclusive. `within`: only so many sequences at the beginning, or before the `last` one. */
function boundsOf(
  { descending, from }: EventQuery,
  within: number | undefined,
  last: number,
): [number, number | undefined] {
  if (descending !== true) return [from ?? 0, within === undefined ? undefined : (from ?? 0) + within + 1]
  return [within === undefined ? 0 : (from ?? last + 1) - within - 1, from]
}

/** Selects by one index, or from the log itself. */
function select(query: EventQuery, way: { readonly index?: string | undefined; within?: number }, last = 0) {
  const { kinds } = query
  const [above, below] = boundsOf(query, way.within, last)
  const conditions = ['instance = 1', 'sequence > ?', ...(below === undefined ? [] : ['sequence < ?'])]
  const ways = waysOf(query).filter(({ index }) => index !== undefined)
  // A plus sign keeps SQLite from choosing an index of the column.
  for (const { where } of ways)
    conditions.push(way.index === undefined ? where.replace(/\b(?=[a-z]+ (?:[=<>]|in))/g, '+') : where)
  if (kinds !== undefined) conditions.push(`+kind in (${marks(kinds)})`)
  return {
    sql: `select ${eventColumns} from ${source(way.index)} where ${conditions.join(' and ')} ${orderOf(query)}`,
    values: [
      ...(below === undefined ? [above] : [above, below]),
      ...ways.flatMap(({ values }) => values),
      ...(kinds ?? []),
      query.limit,
    ],
  }
}

function orderOf({ descending }: EventQuery): string {
  return `order by sequence ${descending === true ? 'desc' : 'asc'} limit +?`
}

/** The first events of each type, each in the order of the log, are merged. */
function merge(query: EventQuery, types: readonly string[]): EventStatement {
  const parts = [...new Set(types)].map((type) => select({ ...query, types: [type] }, { index: 'events_by_type' }))
  return {
    sql: `${parts.map(({ sql }) => `select * from (${sql})`).join(' union all ')} ${orderOf(query)}`,
    values: [...parts.flatMap(({ values }) => values), query.limit],
  }
}

/** The index of times also contains the sequences, so that only the events of the page are read. */
function selectByTime(query: EventQuery, { index, where, values }: Way): EventStatement {
  // Read from the end where the page begins there: it is then nearly sorted. `limit -1` keeps SQLite from reordering it.
  const direction = query.descending === true ? 'desc' : 'asc'
  const matches = `select sequence from ${source(index)} where instance = 1 and ${where} order by at ${direction} limit -1`
  const page = `select sequence from (${matches}) ${orderOf(query)}`
  return {
    sql: `select ${eventColumns} from events where instance = 1 and sequence in (${page}) ${orderOf(query)}`,
    values: [...values, query.limit, query.limit],
  }
}
