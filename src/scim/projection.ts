/** Which attributes of a resource are returned: `attributes` and `excludedAttributes` (RFC 7644 §3.9). */
import { attributeNamed, COMMON_ATTRIBUTES, findPath, type ResourceSchema } from './attributes.ts'
import { ScimError } from './errors.ts'
import { isList, isObject, isUnset, type Json, member, newValues, type Resource, type Values } from './values.ts'

export interface Projection {
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/** The names of a list: an attribute as a whole, or some of its parts, below its extension. */
type Chosen = ReadonlyMap<string, 'all' | ReadonlySet<string>>

const keyOf = (extension: string | undefined, name: string) => `${extension ?? ''} ${name}`

function chosenOf(schema: ResourceSchema, names: readonly string[]): Chosen {
  const chosen = new Map<string, 'all' | Set<string>>()
  for (const name of names) {
    const found = findPath(schema, name)
    // What nobody has is not returned.
    if (found === undefined) {
      chosen.set(keyOf(undefined, name), 'all')
      continue
    }
    const key = keyOf(found.extension, found.attribute?.name ?? '')
    const before = chosen.get(key)
    if (found.part === undefined || before === 'all') chosen.set(key, 'all')
    else chosen.set(key, (before ?? new Set()).add(found.part.name))
  }
  return chosen
}

function partsOf(value: Json, keeps: (name: string) => boolean): Json {
  if (isList(value)) return value.map((one) => partsOf(one, keeps)).filter((one) => !isUnset(one))
  if (!isObject(value)) return value
  return newValues(Object.fromEntries(Object.entries(value).filter(([name]) => keeps(name))))
}

function filtered(
  values: Resource,
  extension: string | undefined,
  choose: (key: string) => 'all' | 'none' | ((part: string) => boolean),
): Values {
  const kept = newValues()
  for (const name of Object.keys(values)) {
    const value = values[name] ?? null
    const choice = choose(keyOf(extension, name))
    const shown = choice === 'all' ? value : choice === 'none' ? undefined : partsOf(value, choice)
    if (!isUnset(shown)) kept[name] = shown
  }
  return kept
}

function isAlwaysShown(schema: ResourceSchema, name: string): boolean {
  return attributeNamed([...COMMON_ATTRIBUTES, ...schema.attributes], name)?.returned === 'always'
}

/** Whether an attribute as a whole is not returned. */
export function isHidden(
  schema: ResourceSchema,
  { attributes, excludedAttributes }: Projection,
  name: string,
): boolean {
  const paths = attributes.length > 0 ? attributes : excludedAttributes
  const named = paths
    .flatMap((path) => findPath(schema, path) ?? [])
    .filter(({ attribute }) => attribute?.name === name)
  return attributes.length > 0 ? named.length === 0 : named.some(({ part }) => part === undefined)
}

/** The part of a resource that was asked for. */
export function project(
  schema: ResourceSchema,
  resource: Resource,
  { attributes, excludedAttributes }: Projection,
): Resource {
  if (attributes.length === 0 && excludedAttributes.length === 0) return resource
  if (attributes.length > 0 && excludedAttributes.length > 0) {
    throw new ScimError(400, 'attributes and excludedAttributes must not be given together.', 'invalidValue')
  }
  const isInverse = attributes.length === 0
  const chosen = chosenOf(schema, isInverse ? excludedAttributes : attributes)
  const choose = (key: string): 'all' | 'none' | ((part: string) => boolean) => {
    const choice = chosen.get(key)
    if (choice === undefined) return isInverse ? 'all' : 'none'
    if (choice === 'all') return isInverse ? 'none' : 'all'
    return (part) => choice.has(part) !== isInverse
  }
  const shown = newValues()
  for (const name of Object.keys(resource)) {
    const value = resource[name] ?? null
    if (isAlwaysShown(schema, name)) {
      shown[name] = value
      continue
    }
    const isExtension = schema.extensions.some(({ id }) => id === name)
    if (!isExtension || !isObject(value)) {
      Object.assign(shown, filtered({ [name]: value }, undefined, choose))
      continue
    }
    const whole = chosen.get(keyOf(name, ''))
    const inside = whole === 'all' ? (isInverse ? {} : value) : filtered(value, name, choose)
    if (!isUnset(inside) && member(resource, name) !== undefined) shown[name] = inside
  }
  return shown
}
