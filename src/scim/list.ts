/** Lists of resources: by index or by cursor, of what the store finds, compared one by one where it cannot tell. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Filter } from '../store/index.ts'
import { findPath } from './attributes.ts'
import { type Comparisons, conditionOf, EVERYTHING, exactly, names } from './conditions.ts'
import { ScimError } from './errors.ts'
import { matches } from './filter/matches.ts'
import { type Cursor, type ListQuery, readCursor, requireSameLog, writeCursor } from './query.ts'
import type { Shown, ShownList } from './resources.ts'
import { sortedBy } from './sorting.ts'

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
  /** Whether they are compared or sorted by this attribute, so that it must be read. */
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
  /** The fields of the store that a list can be sorted by; by others it is sorted after it was read. */
  readonly sortedBy: ReadonlyMap<string, string>
  /** Those that a resource can lack: their text is empty. */
  readonly mayBeEmpty?: ReadonlySet<string>
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

function tooManyToSort(sortBy: string): ScimError {
  const why = `More than ${MOST_COMPARED} resources cannot be sorted by ${sortBy}.`
  return new ScimError(400, `${why} Add a filter, or sort by an attribute that is indexed.`, 'tooMany')
}

/** What is done with resources that the store finds, but cannot compare or sort. */
interface Comparing {
  readonly refusal: ScimError
  isMeant(one: Shown): boolean
  inOrder(all: readonly Shown[]): readonly Shown[]
}

/** One page of those that a query means, of all that the store finds. */
async function comparePage(
  source: ListSource,
  part: Part,
  { refusal, isMeant, inOrder }: Comparing,
): Promise<FoundPart> {
  // Counted first: a refusal must not cost as much as an answer.
  const { total } = await source.find({ ...part, limit: 0, offset: 0 })
  const all = total > MOST_COMPARED ? undefined : await source.find({ ...part, limit: MOST_COMPARED, offset: 0 })
  if (all === undefined || all.total > MOST_COMPARED) throw refusal
  const meant: Shown[] = []
  for (const [index, one] of all.shown.entries()) {
    // Long texts and many conditions take long together, and others wait.
    if (index % COMPARED_IN_ONE_TURN === COMPARED_IN_ONE_TURN - 1) await nextTurn()
    if (isMeant(one)) meant.push(one)
  }
  return { ...all, shown: inOrder(meant).slice(part.offset, part.offset + part.limit), total: meant.length }
}

/** One page in the order of the store, which has empty texts before others. */
async function sortedPage(source: ListSource, part: Part): Promise<FoundPart> {
  const { orderBy: field, limit, offset, descending } = part
  if (source.mayBeEmpty?.has(field) !== true) return source.find(part)
  const filled = { ...part, where: { all: [part.where, { field, above: '' } as const] } }
  const empty = { ...part, where: { all: [part.where, { field, equals: '' } as const] } }
  const first = await source.find(descending ? empty : filled)
  const rest = { limit: limit - first.shown.length, offset: Math.max(offset - first.total, 0) }
  const second = await source.find({ ...(descending ? filled : empty), ...rest })
  return { ...first, shown: [...first.shown, ...second.shown], total: first.total + second.total }
}

function afterOf({ isDescending }: ListQuery, cursor: Cursor | undefined): readonly Filter[] {
  if (cursor === undefined) return []
  return [isDescending ? { field: 'id', below: cursor.after } : { field: 'id', above: cursor.after }]
}

/** The resources that a query means. */
export async function listOf(source: ListSource, query: ListQuery): Promise<ShownList> {
  const { schema } = source.comparisons
  const { filter, count, isDescending, sortBy = 'id' } = query
  const { where, isExact } = filter === undefined ? exactly(EVERYTHING) : conditionOf(source.comparisons, filter)
  const scope = `${source.organizationId}${schema.endpoint}`
  const isWalk = query.cursor !== undefined
  const cursor = isWalk ? readCursor(query, scope) : undefined
  const field = source.sortedBy.get(sortBy)
  const isCompared = !isExact || field === undefined
  const part: Part = {
    where: { all: [...source.base, ...afterOf(query, cursor), where] },
    orderBy: isCompared ? 'id' : field,
    descending: isDescending,
    limit: count,
    offset: isWalk ? 0 : query.startIndex - 1,
    isCompared,
    compares: (name) =>
      isCompared &&
      (findPath(schema, sortBy)?.attribute?.name === name || (filter !== undefined && names(schema, filter, name))),
  }
  const comparing: Comparing = {
    refusal: isExact ? tooManyToSort(sortBy) : tooMany(`${MOST_COMPARED} resources`),
    isMeant: ({ resource }) => isExact || filter === undefined || matches(schema, resource, filter),
    inOrder: (all) => (sortBy === 'id' ? all : sortedBy(all, { schema, path: sortBy, isDescending })),
  }
  const found = await (isCompared ? comparePage(source, part, comparing) : sortedPage(source, part))
  requireSameLog(cursor, found.sequence)
  const last = found.shown.at(-1)
  const total = cursor?.total ?? found.total
  const goesOn = isWalk && last !== undefined && found.total > found.shown.length
  if (!goesOn) return { resources: found.shown, total }
  const next = { sequence: cursor?.sequence ?? found.sequence, total, after: last.id }
  return { resources: found.shown, total, nextCursor: writeCursor(query, scope, next) }
}
