/** Applies PATCH (RFC 7644 §3.5.2) to a resource, also in the forms in which directories write it. */
import {
  type Attribute,
  type AttributePath,
  attributeNamed,
  findPath,
  isAttributeName,
  type ResourceSchema,
} from './attributes.ts'
import { ScimError } from './errors.ts'
import { checkValueFilter, foldOnce, matchesValue } from './filter/matches.ts'
import { conditionsIn, type PatchPath, parsePath, type ScimFilter } from './filter/parse.ts'
import {
  isList,
  isObject,
  isUnset,
  type Json,
  type JsonObject,
  MAX_ELEMENTS,
  member,
  memberInAnyCase,
  newValues,
  type Resource,
  readOne,
  readValue,
  type Values,
} from './values.ts'

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const MAX_OPERATIONS = 1_000
/** Conditions that the operations of one request compare values with: one for each operation and each of a hundred values. */
const MAX_COMPARED = 100_000

type Op = 'add' | 'replace' | 'remove'

interface Operation {
  readonly op: Op
  readonly path: string | undefined
  readonly value: Json | undefined
}

function invalidPath(path: string): ScimError {
  return new ScimError(400, `The path names an attribute that does not exist: ${path}.`, 'invalidPath')
}

function readOperation(given: Json): Operation {
  const op = isObject(given) ? memberInAnyCase(given, 'op') : undefined
  const name = typeof op === 'string' ? op.toLowerCase() : ''
  if (!isObject(given) || (name !== 'add' && name !== 'replace' && name !== 'remove')) {
    throw new ScimError(400, 'op must be add, replace or remove.', 'invalidValue')
  }
  const path = memberInAnyCase(given, 'path')
  if (!isUnset(path) && typeof path !== 'string') throw new ScimError(400, 'path must be a text.', 'invalidPath')
  const value = memberInAnyCase(given, 'value')
  if (name !== 'remove' && value === undefined) {
    throw new ScimError(400, `The operation ${name} needs a value, or null to remove what is there.`, 'invalidValue')
  }
  return { op: name, path: isUnset(path) ? undefined : path, value }
}

/** The list of operations, which a request of several must have (§3.5.2, §3.7). */
export function operationsIn(body: JsonObject): readonly Json[] {
  const list = memberInAnyCase(body, 'Operations')
  if (!isList(list)) throw new ScimError(400, 'Operations is required, and must be a list.', 'invalidSyntax')
  return list
}

/** The operations of a PATCH. */
export function readOperations(body: JsonObject): readonly Operation[] {
  const list = operationsIn(body)
  if (list.length > MAX_OPERATIONS) throw new ScimError(413, `More than ${MAX_OPERATIONS} operations.`, 'tooMany')
  return list.map(readOperation)
}

const isPrimary = (value: Json) => member(value, 'primary') === true

function withoutPrimary(value: Json): Json {
  return isObject(value) && isPrimary(value) ? newValues({ ...value, primary: false }) : value
}

/** A new primary value takes the place of the old one. */
function onePrimary(before: readonly Json[], changed: readonly Json[]): readonly Json[] {
  return changed.some(isPrimary) ? before.map(withoutPrimary) : before
}

const keys = new WeakMap<object, string>()

/** A text that two values of a list share when they are the same one. Values stay in many operations, so it is kept. */
function keyOf(one: Json): string {
  if (typeof one !== 'object' || one === null) return JSON.stringify(one)
  const known = keys.get(one)
  if (known !== undefined) return known
  const value = member(one, 'value')
  const key = value === undefined ? JSON.stringify(one) : `value ${JSON.stringify(value)}`
  keys.set(one, key)
  return key
}

/** Those that are not among others. */
function without(list: readonly Json[], others: readonly Json[]): readonly Json[] {
  const known = new Set(others.map(keyOf))
  return list.filter((one) => !known.has(keyOf(one)))
}

function elementsOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : isUnset(value) ? [] : [value]
}

/** The value of a list that a filter of equations describes: `type eq "work"` is `{ type: 'work' }`. */
function describedBy(filter: ScimFilter): Values | undefined {
  if (filter.type === 'compare' && filter.operator === 'eq' && filter.value !== null) {
    return newValues({ [filter.path]: filter.value })
  }
  if (filter.type !== 'and') return undefined
  const all = filter.filters.map(describedBy)
  return all.includes(undefined) ? undefined : newValues(Object.assign({}, ...all))
}

/** A value with another part; a part without a value is gone. */
function withPart(attribute: Attribute, before: Json, part: Attribute, op: Op, value: Json | undefined): Values {
  const changed = newValues(isObject(before) ? before : {})
  const read = op === 'remove' || isUnset(value) ? undefined : readOne(part, value, `${attribute.name}.${part.name}`)
  if (isUnset(read)) delete changed[part.name]
  else changed[part.name] = read
  return changed
}

function partNamed(attribute: Attribute, name: string, path: string): Attribute {
  const part = attributeNamed(attribute.parts ?? [], name)
  if (part === undefined) throw invalidPath(path)
  return part
}

/** What a request may cost: its operations run one after the other, and others wait. */
class Effort {
  readonly fold = foldOnce()
  #compared = 0

  spend(conditions: number): void {
    this.#compared += conditions
    if (this.#compared <= MAX_COMPARED) return
    throw new ScimError(413, `The operations compare more than ${MAX_COMPARED} values.`, 'tooMany')
  }
}

/** Changes the values of a list that a filter selects. */
function changeSelected(
  attribute: Attribute,
  before: readonly Json[],
  { op, value }: Operation,
  { path, filter, part: partName }: PatchPath & { readonly filter: ScimFilter },
  effort: Effort,
): readonly Json[] {
  const part = partName === undefined ? undefined : partNamed(attribute, partName, `${path}.${partName}`)
  effort.spend(before.length * conditionsIn(filter))
  checkValueFilter(attribute, filter, 'invalidPath')
  const selected = before.map((one) => matchesValue(attribute, one, filter, effort.fold))
  const change = (one: Json): Json => {
    if (part !== undefined) return withPart(attribute, one, part, op, value)
    const read = readOne(attribute, value ?? null)
    return op === 'add' && isObject(one) && isObject(read) ? newValues({ ...one, ...read }) : read
  }
  if (op === 'remove' && part === undefined) return before.filter((_, index) => !selected[index])
  if (!selected.includes(true)) {
    if (op === 'remove') return before
    const described = op === 'add' ? describedBy(filter) : undefined
    if (described === undefined) throw new ScimError(400, `No value of ${path} matches the filter.`, 'noTarget')
    const added = change(readOne(attribute, described))
    return [...onePrimary(before, [added]), added]
  }
  const changed = before.map((one, index) => (selected[index] ? change(one) : one))
  const changedOnes = changed.filter((_, index) => selected[index])
  if (changedOnes.filter(isPrimary).length > 1) {
    throw new ScimError(400, `${path} must not have two primary values.`, 'invalidValue')
  }
  const others = onePrimary(
    changed.filter((_, index) => !selected[index]),
    changedOnes,
  )
  let next = 0
  return changed.map((one, index) => (selected[index] ? one : (others[next++] ?? one)))
}

/** Changes a list as a whole. */
function changeList(attribute: Attribute, before: readonly Json[], { op, value }: Operation): readonly Json[] {
  const given = elementsOf(readValue(attribute, value ?? null))
  switch (op) {
    case 'replace':
      return given
    case 'remove':
      // Some directories name the values to remove beside the path.
      return given.length === 0 ? [] : without(before, given)
    case 'add':
      return [...without(onePrimary(before, given), given), ...given]
  }
}

function changeMany(
  attribute: Attribute,
  list: readonly Json[],
  operation: Operation,
  path: PatchPath,
  part: Attribute | undefined,
  effort: Effort,
): readonly Json[] {
  const { op, value } = operation
  const { filter } = path
  if (filter !== undefined) return changeSelected(attribute, list, operation, { ...path, filter }, effort)
  // `emails.value` without a filter means every value.
  if (part !== undefined) return list.map((one) => withPart(attribute, one, part, op, value))
  return changeList(attribute, list, operation)
}

function changeAttribute(
  attribute: Attribute,
  before: Json | undefined,
  operation: Operation,
  path: PatchPath,
  part: Attribute | undefined,
  effort: Effort,
): Json | undefined {
  const { op, value } = operation
  const { filter } = path
  if (attribute.isMany === true) {
    const list = elementsOf(before)
    const changed = changeMany(attribute, list, operation, path, part, effort)
    const { most = MAX_ELEMENTS } = attribute
    // What is too long already can become shorter.
    if (changed.length <= Math.max(most, list.length)) return changed
    throw new ScimError(400, `${attribute.name}: must not have more than ${most} values`, 'invalidValue')
  }
  if (filter !== undefined) throw new ScimError(400, `${attribute.name} has one value only.`, 'invalidPath')
  if (part !== undefined) return withPart(attribute, before ?? {}, part, op, value)
  if (op === 'remove' || isUnset(value)) return undefined
  const read = readValue(attribute, value)
  return isObject(read) && isObject(before) ? newValues({ ...before, ...read }) : read
}

function setIn(values: Values, name: string, value: Json | undefined): void {
  if (isUnset(value)) delete values[name]
  else values[name] = value
}

function requireWritable({ attribute }: AttributePath, path: string): void {
  if (attribute?.mutability === 'readOnly') {
    throw new ScimError(400, `${path} cannot be changed.`, 'mutability')
  }
}

/** What the schema does not know is kept as it is: an attribute, an extension, or an attribute of an extension. */
function changeUnknown(values: Values, name: string, { op, value }: Operation): void {
  if (!/^(?:[A-Za-z][\w-]{0,99}|urn:[\w:.-]{1,200})$/i.test(name)) throw invalidPath(name)
  const given = op === 'remove' ? undefined : value
  const colon = name.lastIndexOf(':')
  const isInside = colon > 0 && !isObject(value) && !Object.hasOwn(values, name)
  if (!isInside) {
    setIn(values, name, given)
    return
  }
  const [extension, attribute] = [name.slice(0, colon), name.slice(colon + 1)]
  if (!isAttributeName(attribute)) throw invalidPath(name)
  const inside = newValues((member(values, extension) ?? {}) as Values)
  setIn(inside, attribute, given)
  setIn(values, extension, inside)
}

class Patch {
  readonly #schema: ResourceSchema
  readonly #values: Values
  readonly #effort = new Effort()

  constructor(schema: ResourceSchema, before: Resource) {
    this.#schema = schema
    this.#values = newValues(before)
  }

  get values(): Values {
    return this.#values
  }

  apply(operation: Operation): void {
    const { op, path, value } = operation
    if (path !== undefined) {
      this.#change(operation, parsePath(path), path)
      return
    }
    if (op === 'remove') throw new ScimError(400, 'A removal needs a path.', 'noTarget')
    if (!isObject(value)) throw new ScimError(400, 'Without a path the value must be an object.', 'invalidValue')
    this.#changeMembers(op, value)
  }

  /** Each member of a value without a path is an operation of its own; its name can be any path. */
  #changeMembers(op: Op, value: JsonObject, prefix = ''): void {
    for (const name of Object.keys(value)) {
      const path = `${prefix}${name}`
      const one = { op, path, value: value[name] }
      const parsed = parsePath(path)
      // Directories also send what only the server writes: `id`, `meta`, the groups of a user.
      if (prefix === '' && findPath(this.#schema, parsed.path)?.attribute?.mutability === 'readOnly') continue
      const isUnknown = prefix === '' && !parsed.filter && findPath(this.#schema, parsed.path) === undefined
      if (isUnknown) changeUnknown(this.#values, name, one)
      else this.#change(one, parsed, path)
    }
  }

  #change(operation: Operation, parsed: PatchPath, text: string): void {
    const found = findPath(this.#schema, parsed.path)
    if (found === undefined) {
      if (parsed.filter !== undefined || !/^urn:/i.test(text)) throw invalidPath(text)
      changeUnknown(this.#values, text, operation)
      return
    }
    requireWritable(found, text)
    const { extension, attribute, part } = found
    if (attribute === undefined) {
      this.#changeExtension(operation, extension ?? '')
      return
    }
    const inside = extension === undefined ? this.#values : newValues((this.#values[extension] ?? {}) as Values)
    const before = member(inside, attribute.name)
    setIn(inside, attribute.name, changeAttribute(attribute, before, operation, parsed, part, this.#effort))
    if (extension !== undefined) setIn(this.#values, extension, inside)
  }

  /** An extension as a whole. */
  #changeExtension({ op, value }: Operation, extension: string): void {
    if (op === 'remove' || isUnset(value)) delete this.#values[extension]
    else if (isObject(value)) this.#changeMembers(op, value, `${extension}:`)
    else throw new ScimError(400, `${extension} must be an object.`, 'invalidValue')
  }
}

/** The resource after all operations. */
export function patched(schema: ResourceSchema, before: Resource, operations: readonly Operation[]): Resource {
  const patch = new Patch(schema, before)
  for (const operation of operations) patch.apply(operation)
  return patch.values
}
