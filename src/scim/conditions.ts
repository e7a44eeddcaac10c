/**
 * Filters as conditions of the store. Where the store cannot say it all, the condition is a wider one and the resources it
 * finds are compared one by one.
 */
import type { groupMembers, groupMetadata } from '../features/groups/index.ts'
import { EMAILS_KEY, LISTED_FIELDS, userMetadata } from '../features/metadata/index.ts'
import { searchText } from '../kernel/fold-text.ts'
import { LONGEST_SEARCHED_VALUE } from '../kernel/searched-value.ts'
import { type Filter, isStorableText } from '../store/index.ts'
import { type Attribute, findPath, nameOfPath, type ResourceSchema } from './attributes.ts'
import { ScimError } from './errors.ts'
import { checkValueFilter, requireOrder, timeOf } from './filter/matches.ts'
import type { Comparable, Operator, ScimFilter } from './filter/parse.ts'

/** A condition that everything meets which the filter means. */
export interface Condition {
  readonly where: Filter
  /** Whether it means exactly what the filter does. */
  readonly isExact: boolean
}

export const EVERYTHING: Filter = { all: [] }
const NOTHING: Filter = { any: [] }
/** All resources are compared. */
export const WIDE: Condition = { where: EVERYTHING, isExact: false }

export type Compare = (operator: Operator, value: Comparable) => Condition

export function exactly(where: Filter): Condition {
  return { where, isExact: true }
}

function negated({ where, isExact }: Condition): Condition {
  return isExact ? exactly({ not: where }) : WIDE
}

/** Compares whether something is equal, by a condition that finds what is. */
function byEquality(find: (text: string) => Condition): Compare {
  return (operator, value) => {
    if (operator !== 'eq' && operator !== 'ne') return WIDE
    const isText = typeof value === 'string' && isStorableText(value)
    const found = isText ? find(value) : exactly(NOTHING)
    return operator === 'eq' ? found : negated(found)
  }
}

export const byId: Compare = byEquality((text) => exactly({ field: 'id', equals: text }))

function textCondition(field: string, operator: Operator, text: string): Filter {
  switch (operator) {
    case 'eq':
      return { field, equals: text }
    case 'ne':
      return { not: { field, equals: text } }
    case 'co':
      return { field, contains: text }
    case 'sw':
      return { field, startsWith: text }
    case 'ew':
      return { field, endsWith: text }
    case 'gt':
      return { field, above: text }
    case 'ge':
      return { field, atLeast: text }
    case 'lt':
      return { field, below: text }
    case 'le':
      return { field, atMost: text }
  }
}

/** Compares a text that every document has, folded. */
export function folded(field: string): Compare {
  return (operator, value) => {
    if (value === null) return exactly(operator === 'eq' ? { field, equals: '' } : { not: { field, equals: '' } })
    if (typeof value !== 'string' || !isStorableText(value)) return exactly(operator === 'ne' ? EVERYTHING : NOTHING)
    const text = searchText(value)
    // A text that was cut for the index says nothing for certain.
    return text.length < 300 ? exactly(textCondition(field, operator, text)) : WIDE
  }
}

/**
 * Compares addresses: that of the user, which every user has, and those that the directory keeps beside it. Which of them count
 * is known only when they are shown, so what is found is compared.
 */
export const byAddress: Compare = (operator, value) => {
  const own = folded('email')(operator, value)
  if (value === null || !own.isExact || typeof value !== 'string') return own
  if (operator === 'ne') return WIDE
  const text = searchText(value)
  const listed = LISTED_FIELDS.map((field) => textCondition(field, operator, text))
  const where: Filter = {
    all: [{ field: 'typedKey', equals: EMAILS_KEY }, { any: [...listed, { field: 'listedMore', equals: 1 }] }],
  }
  const others: Filter = { field: 'id', among: { kind: userMetadata, field: 'userId', where, few: operator === 'eq' } }
  return { where: { any: [own.where, others] }, isExact: false }
}

/** Compares times, by whether the object is from this time or later. */
export function byTime(since: (time: number) => Filter): Compare {
  return (operator, value) => {
    const time = timeOf(value)
    if (time === undefined) throw new ScimError(400, 'A time must be written as in RFC 3339.', 'invalidFilter')
    const [from, after] = [since(time), since(time + 1)]
    switch (operator) {
      case 'gt':
        return exactly(after)
      case 'ge':
        return exactly(from)
      case 'lt':
        return exactly({ not: from })
      case 'le':
        return exactly({ not: after })
      case 'eq':
        return exactly({ all: [from, { not: after }] })
      case 'ne':
        return exactly({ any: [{ not: from }, after] })
      default:
        return WIDE
    }
  }
}

/** Compares a list of related objects: by the ID of one of them, or whether there is any. */
export function byRelated(
  kind: typeof groupMembers,
  { own, other }: { readonly own: string; readonly other: string },
): Compare {
  const withAny = (where: Filter, few: boolean): Filter => ({ field: 'id', among: { kind, field: own, where, few } })
  const compare = byEquality((id) => exactly(withAny({ field: other, equals: id }, true)))
  return (operator, value) => {
    if (value !== null) return compare(operator, value)
    const any = withAny(EVERYTHING, false)
    return operator === 'eq' ? exactly({ not: any }) : operator === 'ne' ? exactly(any) : WIDE
  }
}

/** The entries of metadata in which SCIM keeps what has no field, and the field that names their holder. */
interface Entries {
  readonly kind: typeof userMetadata | typeof groupMetadata
  readonly holder: 'userId' | 'groupId'
}

/** Compares the text of an entry. */
export function byEntry({ kind, holder }: Entries, key: string): Compare {
  const withEntry = (conditions: readonly Filter[]): Filter => ({
    field: 'id',
    among: {
      kind,
      field: holder,
      where: { all: [...conditions, { field: 'typedKey', equals: key }] },
      few: conditions.length > 0,
    },
  })
  const compare = byEquality((text) =>
    // Longer values are not in the index.
    Buffer.byteLength(text) > LONGEST_SEARCHED_VALUE
      ? WIDE
      : exactly(withEntry([{ field: 'value', equals: Buffer.from(text).toString('base64') }])),
  )
  return (operator, value) => {
    if (value !== null) return compare(operator, value)
    return exactly(operator === 'eq' ? { not: withEntry([]) } : withEntry([]))
  }
}

/** Objects that have changed, what is kept for them, or what `others` finds. */
export function changedSince(
  { kind, holder }: Entries,
  keys: readonly string[],
  time: number,
  ...others: readonly Filter[]
): Filter {
  const where: Filter = {
    all: [
      { field: 'changedAt', atLeast: time },
      { field: 'typedKey', in: keys },
    ],
  }
  return {
    any: [{ field: 'changedAt', atLeast: time }, { field: 'id', among: { kind, field: holder, where } }, ...others],
  }
}

/** What the store knows of the resources of a schema. */
export interface Comparisons {
  readonly schema: ResourceSchema
  /** What it can compare, by the path of the attribute. */
  readonly compares: ReadonlyMap<string, Compare>
  /** What every resource has. */
  readonly alwaysThere: ReadonlySet<string>
  /** A list of which the value can be compared also inside of brackets. */
  readonly valuesOf: string
}

function placeOf(schema: ResourceSchema, path: string): { readonly name: string; readonly attribute: Attribute } {
  const found = findPath(schema, path)
  if (found?.attribute === undefined || found.attribute.returned === 'never') {
    throw new ScimError(400, `The filter names an attribute that does not exist: ${path}.`, 'invalidFilter')
  }
  return { name: nameOfPath(found), attribute: found.part ?? found.attribute }
}

/** Whether a filter names an attribute or a part of it. */
export function names(schema: ResourceSchema, filter: ScimFilter, attribute: string): boolean {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.filters.some((one) => names(schema, one, attribute))
    case 'not':
      return names(schema, filter.filter, attribute)
    default:
      return findPath(schema, filter.path)?.attribute?.name === attribute
  }
}

/** The condition of a filter; throws `invalidFilter` when it names what the schema does not have. */
export function conditionOf({ schema, compares, alwaysThere, valuesOf }: Comparisons, filter: ScimFilter): Condition {
  /** Of the conditions on one value of a list, those on the value itself narrow the search. */
  const inside = ({ path, filter: inner }: Extract<ScimFilter, { type: 'value' }>): Condition => {
    const compare = compares.get(valuesOf)
    const { name, attribute } = placeOf(schema, path)
    checkValueFilter(attribute, inner)
    if (name !== valuesOf || compare === undefined) return WIDE
    const conditions = inner.type === 'and' ? inner.filters : [inner]
    const onValue = conditions.flatMap((one) =>
      one.type === 'compare' && one.path.toLowerCase() === 'value' && one.operator === 'eq'
        ? [compare('eq', one.value)]
        : [],
    )
    const isOneValue = conditions.length === 1 && onValue.length === 1
    return {
      where: { all: onValue.map(({ where }) => where) },
      isExact: isOneValue && onValue.every(({ isExact }) => isExact),
    }
  }
  const translate = (one: ScimFilter): Condition => {
    switch (one.type) {
      case 'and': {
        const all = one.filters.map(translate)
        return { where: { all: all.map(({ where }) => where) }, isExact: all.every(({ isExact }) => isExact) }
      }
      case 'or': {
        const any = one.filters.map(translate)
        return { where: { any: any.map(({ where }) => where) }, isExact: any.every(({ isExact }) => isExact) }
      }
      case 'not':
        return negated(translate(one.filter))
      case 'present': {
        const { name } = placeOf(schema, one.path)
        return alwaysThere.has(name) ? exactly(EVERYTHING) : (compares.get(name)?.('ne', null) ?? WIDE)
      }
      case 'compare': {
        const { name, attribute } = placeOf(schema, one.path)
        requireOrder(attribute, one.operator)
        return compares.get(name)?.(one.operator, one.value) ?? WIDE
      }
      case 'value':
        return inside(one)
    }
  }
  return translate(filter)
}
