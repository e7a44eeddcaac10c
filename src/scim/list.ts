/** Lists of resources: by index or by cursor, of what the store finds, compared one by one where it cannot tell. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Filter } from '../store/index.ts'
import { type Comparisons, conditionOf, EVERYTHING, exactly, names } from './conditions.ts'
import { ScimError } from './errors.ts'
import { matches } from './filter/matches.ts'
import { type Cursor, type ListQuery, readCursor, requireSameLog, writeCursor } from './query.ts'
import type { Shown, ShownList } from './resources.ts'

/** How many are compared one by one. */
const MOST_COMPARED = 1_000
const COMPARED_IN_ONE_TURN = 20

/** The documents of a list that the store is asked for. */
export interface Part {
  readonly where: Filter
  readonly orderBy: string
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
  /** Whether the resources are compared with the filter. */
  readonly isCompared: boolean
  /** Whether they are compared by this attribute, so that it must be read. */
  compares(attribute: string): boolean
}

export interface FoundPart {
  readonly shown: readonly Shown[]
  readonly total: number
  readonly sequence: number
}

/** Where the resources of a list come from. */
export interface ListSource {
  readonly organizationId: string
  readonly comparisons: Comparisons
  /** The fields of the store that a list can be sorted by. */
  readonly sortedBy: ReadonlyMap<string, string>
  /** What all of them meet. */
  readonly base: readonly Filter[]
  /** Finds one page; with a limit of 0 only how many there are. */
  find(part: Part): Promise<FoundPart>
}

/** The refusal of a filter that would compare more than this. */
export function tooMany(what: string): ScimError {
  const why = `The filter cannot be answered from an index, and more than ${what} would have to be compared.`
  return new ScimError(400, `${why} Add a condition on an attribute that is indexed.`, 'tooMany')
}

/** One page of those that a filter means, of all that the store finds. */
async function comparePage(source: ListSource, part: Part, isMeant: (one: Shown) => boolean): Promise<FoundPart> {
  // Counted first: a refusal must not cost as much as an answer.
  const { total } = await source.find({ ...part, limit: 0, offset: 0 })
  const all = total > MOST_COMPARED ? undefined : await source.find({ ...part, limit: MOST_COMPARED, offset: 0 })
  if (all === undefined || all.total > MOST_COMPARED) throw tooMany(`${MOST_COMPARED} resources`)
  const meant: Shown[] = []
  for (const [index, one] of all.shown.entries()) {
    // Long texts and many conditions take long together, and others wait.
    if (index % COMPARED_IN_ONE_TURN === COMPARED_IN_ONE_TURN - 1) await nextTurn()
    if (isMeant(one)) meant.push(one)
  }
  return { ...all, shown: meant.slice(part.offset, part.offset + part.limit), total: meant.length }
}

function fieldOf({ sortedBy, comparisons: { schema } }: ListSource, { sortBy = 'id' }: ListQuery): string {
  const field = sortedBy.get(sortBy)
  if (field !== undefined) return field
  throw new ScimError(400, `${schema.name}s cannot be sorted by ${sortBy}.`, 'invalidValue')
}

function afterOf({ isDescending }: ListQuery, cursor: Cursor | undefined): readonly Filter[] {
  if (cursor === undefined) return []
  return [isDescending ? { field: 'id', below: cursor.after } : { field: 'id', above: cursor.after }]
}

/** The resources that a query means. */
export async function listOf(source: ListSource, query: ListQuery): Promise<ShownList> {
  const { schema } = source.comparisons
  const { filter, count, isDescending } = query
  const { where, isExact } = filter === undefined ? exactly(EVERYTHING) : conditionOf(source.comparisons, filter)
  const scope = `${source.organizationId}${schema.endpoint}`
  const isWalk = query.cursor !== undefined
  const cursor = isWalk ? readCursor(query, scope) : undefined
  const part: Part = {
    where: { all: [...source.base, ...afterOf(query, cursor), where] },
    orderBy: fieldOf(source, query),
    descending: isDescending,
    limit: count,
    offset: isWalk ? 0 : query.startIndex - 1,
    isCompared: !isExact,
    compares: (name) => !isExact && filter !== undefined && names(schema, filter, name),
  }
  const isMeant = ({ resource }: Shown) => filter === undefined || matches(schema, resource, filter)
  const found = isExact ? await source.find(part) : await comparePage(source, part, isMeant)
  requireSameLog(cursor, found.sequence)
  const last = found.shown.at(-1)
  const total = cursor?.total ?? found.total
  const goesOn = isWalk && last !== undefined && found.total > found.shown.length
  if (!goesOn) return { resources: found.shown, total }
  const next = { sequence: cursor?.sequence ?? found.sequence, total, after: last.id }
  return { resources: found.shown, total, nextCursor: writeCursor(query, scope, next) }
}
