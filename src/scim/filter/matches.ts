/** Whether a resource, or one value of a list, meets a filter. */
import { foldText } from '../../kernel/fold-text.ts'
import { type Attribute, attributeNamed, findPath, type ResourceSchema, valuePartOf } from '../attributes.ts'
import { ScimError, type ScimType } from '../errors.ts'
import { isList, isUnset, type Json, member, type Resource } from '../values.ts'
import type { Comparable, Operator, ScimFilter } from './parse.ts'

/** Folds texts, each once: a filter has many conditions, and long texts take long. */
type Fold = (text: string) => string

export function foldOnce(): Fold {
  const known = new Map<string, string>()
  return (text) => {
    const folded = known.get(text) ?? foldText(text)
    known.set(text, folded)
    return folded
  }
}

type Ordered = string | number

function inOrder(operator: Operator, one: Ordered, other: Ordered): boolean {
  switch (operator) {
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    default:
      return one <= other
  }
}

function comparesText(operator: Operator, one: string, other: string): boolean {
  switch (operator) {
    case 'eq':
      return one === other
    case 'ne':
      return one !== other
    case 'co':
      return one.includes(other)
    case 'sw':
      return one.startsWith(other)
    case 'ew':
      return one.endsWith(other)
    default:
      return inOrder(operator, one, other)
  }
}

/** The time of a text; undefined when it is none (RFC 3339). */
export function timeOf(value: Comparable): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}

const IN_ORDER: ReadonlySet<Operator> = new Set(['gt', 'ge', 'lt', 'le'])

/** Throws when values of this type have no order (RFC 7644 §3.4.2.2, table 3). */
export function requireOrder(attribute: Attribute, operator: Operator, scimType: ScimType = 'invalidFilter'): void {
  const { name, type } = valuePartOf(attribute)
  if (!IN_ORDER.has(operator) || (type !== 'boolean' && type !== 'binary')) return
  throw new ScimError(400, `The filter compares ${attribute.name} by ${operator}: ${name} has no order.`, scimType)
}

function compares(attribute: Attribute, operator: Operator, found: Json, value: Comparable, fold: Fold): boolean {
  if (attribute.type === 'dateTime' && operator !== 'co' && operator !== 'sw' && operator !== 'ew') {
    const [one, other] = [timeOf(found as Comparable), timeOf(value)]
    if (one === undefined || other === undefined) return operator === 'ne'
    if (operator === 'eq' || operator === 'ne') return (one === other) === (operator === 'eq')
    return inOrder(operator, one, other)
  }
  if (typeof found === 'string' && typeof value === 'string') {
    const comparable: Fold = attribute.isCaseExact === true ? (text) => text : fold
    return comparesText(operator, comparable(found), comparable(value))
  }
  // Booleans are also written as texts.
  const isEqual = found === value || (typeof found === 'boolean' && `${found}` === `${value}`.toLowerCase())
  return operator === 'eq' ? isEqual : operator === 'ne' && !isEqual
}

/** Compares an attribute that may have several values: one of them has to meet the condition. */
function meets(
  attribute: Attribute,
  found: Json | undefined,
  operator: Operator,
  value: Comparable,
  fold: Fold,
): boolean {
  const values = isList(found) ? found : isUnset(found) ? [] : [found]
  if (value === null) return operator === 'eq' ? values.length === 0 : operator === 'ne' && values.length > 0
  // What has no value is not equal to one.
  if (operator === 'ne') return values.every((one) => compares(attribute, operator, one, value, fold))
  return values.some((one) => compares(attribute, operator, one, value, fold))
}

/** What a path means: the attribute that has the value, and the values there. */
interface Place {
  readonly attribute: Attribute
  readonly found: Json | undefined
}

function partOf(value: Json | undefined, part: string): Json | undefined {
  if (!isList(value)) return member(value, part)
  return value.flatMap((one) => member(one, part) ?? [])
}

function placeIn(schema: ResourceSchema, resource: Resource, path: string): Place {
  const found = findPath(schema, path)
  if (found?.attribute === undefined || found.attribute.returned === 'never') {
    throw new ScimError(400, `The filter names an attribute that does not exist: ${path}.`, 'invalidFilter')
  }
  const { extension, attribute } = found
  const part = found.part ?? valuePartOf(attribute)
  const value = member(extension === undefined ? resource : member(resource, extension), attribute.name)
  return part === attribute ? { attribute, found: value } : { attribute: part, found: partOf(value, part.name) }
}

function partToCompare(attribute: Attribute, path: string, scimType: ScimType): Attribute {
  const part = attribute.type === 'complex' ? attributeNamed(attribute.parts ?? [], path) : undefined
  if (part === undefined) throw new ScimError(400, `${attribute.name} has no part ${path}.`, scimType)
  return part
}

/** What the conditions of a filter are about. */
interface Subject {
  placeOf(path: string): Place
  /** Whether conditions in brackets are met. */
  inside(filter: ScimFilter): boolean
  readonly fold: Fold
}

function evaluate(filter: ScimFilter, subject: Subject): boolean {
  const { placeOf, inside, fold } = subject
  switch (filter.type) {
    case 'and':
      return filter.filters.every((one) => evaluate(one, subject))
    case 'or':
      return filter.filters.some((one) => evaluate(one, subject))
    case 'not':
      return !evaluate(filter.filter, subject)
    case 'present':
      return !isUnset(placeOf(filter.path).found)
    case 'compare': {
      const { attribute, found } = placeOf(filter.path)
      return meets(attribute, found, filter.operator, filter.value, fold)
    }
    case 'value':
      return inside(filter)
  }
}

/** Throws unless the conditions in brackets are about parts of the attribute that can be compared so. */
export function checkValueFilter(attribute: Attribute, filter: ScimFilter, scimType: ScimType = 'invalidFilter'): void {
  switch (filter.type) {
    case 'and':
    case 'or':
      for (const one of filter.filters) checkValueFilter(attribute, one, scimType)
      return
    case 'not':
      checkValueFilter(attribute, filter.filter, scimType)
      return
    case 'value':
      throw new ScimError(400, 'Brackets must not be nested.', scimType)
    default: {
      const part = partToCompare(attribute, filter.path, scimType)
      if (filter.type === 'compare') requireOrder(part, filter.operator, scimType)
    }
  }
}

/** Whether one value of a list meets the conditions in its brackets, which `checkValueFilter` has seen. */
export function matchesValue(attribute: Attribute, value: Json, filter: ScimFilter, fold: Fold): boolean {
  return evaluate(filter, {
    placeOf: (path) => {
      const part = partToCompare(attribute, path, 'invalidFilter')
      return { attribute: part, found: member(value, part.name) }
    },
    inside: () => false,
    fold,
  })
}

/** Whether a resource meets a filter; throws `invalidFilter` when it names what the schema does not have. */
export function matches(schema: ResourceSchema, resource: Resource, filter: ScimFilter): boolean {
  const fold = foldOnce()
  return evaluate(filter, {
    placeOf: (path) => placeIn(schema, resource, path),
    inside(one) {
      if (one.type !== 'value') return false
      const attribute = findPath(schema, one.path)?.attribute
      if (attribute === undefined) {
        throw new ScimError(400, `The filter names an attribute that does not exist: ${one.path}.`, 'invalidFilter')
      }
      const found = member(resource, attribute.name)
      return (isList(found) ? found : isUnset(found) ? [] : [found]).some((value) =>
        matchesValue(attribute, value, one.filter, fold),
      )
    },
    fold,
  })
}
