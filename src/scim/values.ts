/** The values of resources: JSON, of which nothing is believed before it is read. */
import { isStorableText } from '../store/index.ts'
import { type Attribute, attributeNamed, isAttributeName, type ResourceSchema } from './attributes.ts'
import { ScimError } from './errors.ts'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}
/** An object without a prototype: every name is only a name. */
export type Values = Record<string, Json>

/** A resource: its attributes by their name, and extensions by their schema. */
export type Resource = Readonly<Values>

const MAX_DEPTH = 12
const MAX_TEXT = 8_000
/** Of an attribute with several, unless it says otherwise. */
export const MAX_ELEMENTS = 100
const MAX_NAMES = 1_000

export function newValues(from: Readonly<Record<string, Json | undefined>> = {}): Values {
  const values: Values = Object.create(null)
  for (const name of Object.keys(from)) {
    const value = from[name]
    if (value !== undefined) values[name] = value
  }
  return values
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The member of an object; undefined when it has none of its own. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The member of an object whose name is written in any case. */
export function memberInAnyCase(value: JsonObject, name: string): Json | undefined {
  const wanted = name.toLowerCase()
  const found = Object.keys(value).find((one) => one.toLowerCase() === wanted)
  return found === undefined ? undefined : value[found]
}

/** A text of an object; empty when it has none. */
export function textIn(value: Json | undefined, name: string): string {
  const found = member(value, name)
  return typeof found === 'string' ? found : ''
}

/** Reads JSON that was stored; undefined when it is none: metadata can be written by others, too. */
export function parsed(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is as good as none (RFC 7643 §2.5). */
export function isUnset(value: Json | undefined): value is undefined | null {
  if (value === undefined || value === null || value === '') return true
  if (isList(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

function refuse(path: string, description: string): ScimError {
  return new ScimError(400, `${path}: ${description}`, 'invalidValue')
}

/** Throws when JSON of a caller is nested too deep, or has names or texts that cannot be kept. */
export function checkJson(value: Json, depth = 0): void {
  if (depth > MAX_DEPTH) throw new ScimError(400, 'The request is nested too deep.', 'invalidSyntax')
  if (typeof value === 'string' && !isStorableText(value)) {
    throw new ScimError(400, 'The request contains characters that cannot be stored.', 'invalidValue')
  }
  if (isList(value)) for (const one of value) checkJson(one, depth + 1)
  else if (isObject(value)) {
    const names = Object.keys(value)
    if (names.length > MAX_NAMES) {
      throw new ScimError(400, `An object must not have more than ${MAX_NAMES} names.`, 'invalidSyntax')
    }
    for (const name of names) {
      if (!isStorableText(name) || name === '__proto__') {
        throw new ScimError(400, 'The request contains a name that no attribute can have.', 'invalidSyntax')
      }
      checkJson(value[name] ?? null, depth + 1)
    }
  }
}

function readText(value: Json, path: string): string {
  if (typeof value !== 'string') throw refuse(path, 'must be a text')
  if (value.length > MAX_TEXT) throw refuse(path, `must not have more than ${MAX_TEXT} characters`)
  return value
}

/** Directories also write `"True"` and `"False"`. */
function readBoolean(value: Json, path: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw refuse(path, 'must be true or false')
  return text === 'true'
}

function readComplex(attribute: Attribute, value: Json, path: string): Values {
  const { parts = [] } = attribute
  // `"manager": "42"` and `"emails": ["ada@example.com"]` mean the value.
  if (typeof value === 'string' && attributeNamed(parts, 'value') !== undefined) return newValues({ value })
  if (!isObject(value)) throw refuse(path, 'must be an object')
  const read = newValues()
  for (const name of Object.keys(value)) {
    const part = attributeNamed(parts, name)
    const given = value[name]
    if (part === undefined || isUnset(given)) continue
    read[part.name] = readOne(part, given ?? null, `${path}.${part.name}`)
  }
  return read
}

/** Reads one value of an attribute. */
export function readOne(attribute: Attribute, value: Json, path: string = attribute.name): Json {
  if (attribute.type === 'complex') return readComplex(attribute, value, path)
  return attribute.type === 'boolean' ? readBoolean(value, path) : readText(value, path)
}

function isPrimary(value: Json): boolean {
  return member(value, 'primary') === true
}

/** Reads the value of an attribute: a list where it has several. Undefined when it is as good as none. */
export function readValue(attribute: Attribute, value: Json, path: string = attribute.name): Json | undefined {
  if (isUnset(value)) return undefined
  if (attribute.isMany !== true) {
    const [only, ...more] = isList(value) ? value : [value]
    if (more.length > 0 || only === undefined) throw refuse(path, 'has one value only')
    const one = readOne(attribute, only, path)
    return isUnset(one) ? undefined : one
  }
  const given = isList(value) ? value : [value]
  const { most = MAX_ELEMENTS } = attribute
  if (given.length > most) throw refuse(path, `must not have more than ${most} values`)
  const list = given.map((one, index) => readOne(attribute, one, `${path}[${index}]`)).filter((one) => !isUnset(one))
  if (list.filter(isPrimary).length > 1) throw refuse(path, 'must not have two primary values')
  return list.length === 0 ? undefined : list
}

/** Reads the attributes of an object; what the schema does not know goes to `others`, if there is such a place. */
function readAttributes(
  attributes: readonly Attribute[],
  given: JsonObject,
  prefix: string,
  others: (name: string, value: Json) => void,
): Values {
  const read = newValues()
  for (const name of Object.keys(given)) {
    const attribute = attributeNamed(attributes, name)
    const value = given[name] ?? null
    if (attribute === undefined) {
      others(name, value)
      continue
    }
    if (attribute.mutability === 'readOnly') continue
    const found = readValue(attribute, value, `${prefix}${attribute.name}`)
    if (found !== undefined) read[attribute.name] = found
    // An empty list says that there shall be nothing.
    else if (attribute.isMany === true && isUnset(value)) read[attribute.name] = []
  }
  return read
}

/** What is not an attribute of a resource that callers can set. */
const NOT_THEIRS: ReadonlySet<string> = new Set(['schemas', 'id', 'meta'])

/** Whether something that no schema knows can be kept under this name. */
function mayBeKept(name: string): boolean {
  return isAttributeName(name) || /^urn:[\w:.-]{1,200}$/i.test(name)
}

/** Reads a resource that a caller sent. Names are matched in any case; what is unknown is kept as it is. */
export function readResource(schema: ResourceSchema, given: JsonObject): Values {
  const extensions = newValues()
  const read = readAttributes(schema.attributes, given, '', (name, value) => {
    if (NOT_THEIRS.has(name.toLowerCase()) || isUnset(value)) return
    const extension = schema.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
    if (extension === undefined) {
      if (mayBeKept(name)) extensions[name] = value
      return
    }
    if (!isObject(value)) throw refuse(name, 'must be an object')
    const inside = readAttributes(extension.attributes, value, `${extension.id}:`, () => {})
    if (!isUnset(inside)) extensions[extension.id] = inside
  })
  return newValues({ ...read, ...extensions })
}
