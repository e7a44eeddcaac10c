/**
 * Finds events of the log in SQLite. As for documents (0049), the index is tried out and named in the statement. A
 * statement that may read much of the log is left to the scan thread.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { EventQuery } from '../types.ts'
import { eventColumns } from './log.ts'
import type { All } from './search.ts'

/** So many events are read and sorted in a few milliseconds. */
const FEW = 2_000

/** More events are not merged on the main thread. */
const MAX_MERGED = 5_000

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
  /** Whether it reads few events besides those that it returns. */
  readonly isCheap: boolean
}

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
  return index === undefined ? 'events not indexed' : `events indexed by "${index}"`
}

/** What is known of the file. */
export interface EventFile {
  /** Whether an index is still to be built. */
  isMissing(index: string): boolean
  /** All types of the events of these kinds; undefined when one of the kinds is not known. */
  typesOf(kinds: readonly string[]): readonly string[] | undefined
}

/** How to find the events that match a query. */
export function planEvents(all: All, asked: EventQuery, { isMissing, typesOf }: EventFile, few = FEW): EventStatement {
  const { kinds } = asked
  const typesOfKinds = kinds === undefined || asked.types !== undefined ? undefined : typesOf(kinds)
  const query = typesOfKinds === undefined ? asked : { ...asked, types: typesOfKinds }
  const ways = waysOf(query)
  const usable = ways.filter(({ index }) => index === undefined || !isMissing(index))
  const isFew = ({ index, where, values }: Way): boolean =>
    all(`select 1 from ${source(index)} where instance = 1 and ${where} limit 1 offset ${few}`, ...values).length === 0
  const statement = (index: string | undefined, isCheap: boolean) => ({ ...select(query, index), isCheap })

  const best = usable.find(isFew)
  if (best !== undefined) return statement(best.index, true)
  // The bound of a page narrows every index that is in the order of the log.
  const [only, ...others] = usable.filter(({ where }) => !where.startsWith('sequence'))
  const meetsKinds = kinds === undefined || typesOfKinds !== undefined
  const isAlone = others.length === 0 && ways.length === usable.length && meetsKinds
  if (only === undefined) return statement(undefined, isAlone)
  if (only.isInOrder) return statement(only.index, isAlone)
  if (isAlone && query.types !== undefined) return merge(query, query.types)
  return statement(others.length === 0 ? only.index : others.find(({ isInOrder }) => isInOrder)?.index, false)
}

function select(query: EventQuery, index: string | undefined) {
  const { kinds } = query
  const ways = waysOf(query)
  const conditions = ['instance = 1', ...ways.map(({ where }) => where)]
  if (kinds !== undefined) conditions.push(`kind in (${marks(kinds)})`)
  const order = `order by sequence ${query.descending === true ? 'desc' : 'asc'} limit +?`
  return {
    sql: `select ${eventColumns} from ${source(index)} where ${conditions.join(' and ')} ${order}`,
    values: [...ways.flatMap(({ values }) => values), ...(kinds ?? []), query.limit],
  }
}

/** The first events of each type, each in the order of the log, are merged. */
function merge(query: EventQuery, types: readonly string[]): EventStatement {
  const parts = [...new Set(types)].map((type) => select({ ...query, types: [type] }, 'events_by_type'))
  const direction = query.descending === true ? 'desc' : 'asc'
  return {
    sql: `${parts.map(({ sql }) => `select * from (${sql})`).join(' union all ')} order by sequence ${direction} limit +?`,
    values: [...parts.flatMap(({ values }) => values), query.limit],
    isCheap: parts.length * query.limit <= MAX_MERGED,
  }
}
