/** Sorts resources by an attribute that the store cannot sort by (RFC 7644 §3.4.2.3). */
import { foldText } from '../kernel/fold-text.ts'
import { findPath, type ResourceSchema, valuePartOf } from './attributes.ts'
import { isList, isUnset, member, type Resource } from './values.ts'

/** What a resource is sorted by: of several values the primary one, or else the first. */
function keyOf(schema: ResourceSchema, resource: Resource, path: string): string | undefined {
  const { extension, attribute, part } = findPath(schema, path) ?? {}
  if (attribute === undefined) return undefined
  const found = member(extension === undefined ? resource : member(resource, extension), attribute.name)
  const one = isList(found) ? (found.find((value) => member(value, 'primary') === true) ?? found[0]) : found
  const sorted = part ?? valuePartOf(attribute)
  const value = sorted === attribute ? one : member(one, sorted.name)
  if (isUnset(value)) return undefined
  return sorted.isCaseExact === true ? `${value}` : foldText(`${value}`)
}

/** In order; what has no value comes last, and first when descending. Equal ones stay as they are. */
export function sortedBy<Item extends { readonly resource: Resource }>(
  items: readonly Item[],
  {
    schema,
    path,
    isDescending,
  }: { readonly schema: ResourceSchema; readonly path: string; readonly isDescending: boolean },
): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(schema, item.resource, path) }))
  const inOrder = (one: string | undefined, other: string | undefined): number => {
    if (one === other) return 0
    if (one === undefined || other === undefined) return one === undefined ? 1 : -1
    return one < other ? -1 : 1
  }
  keyed.sort((one, other) => (isDescending ? inOrder(other.key, one.key) : inOrder(one.key, other.key)))
  return keyed.map(({ item }) => item)
}
