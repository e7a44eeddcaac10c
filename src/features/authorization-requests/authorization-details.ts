/**
 * Rich authorization requests (RFC 9396): what exactly an application asks for at a resource, such as one payment. The
 * resource declares the types that it knows, each with a sentence. Pure.
 */
import type { JsonObject, JsonValue } from '../../kernel/json.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import { visibleText } from '../../kernel/visible-text.ts'
import type { FoundResource } from '../resources/index.ts'

/** People must be able to read it. */
const MOST_CHARACTERS = 4000
const MOST_DETAILS = 10

/** Members that RFC 9396 §2.2 defines as lists of texts. */
const LISTS = ['locations', 'actions', 'datatypes', 'privileges'] as const

type Known = Pick<FoundResource, 'uri' | 'types'>

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function problemOf(detail: JsonObject, { uri, types = [] }: Known): string | undefined {
  if (!types.some(({ type }) => type === detail.type)) return 'the resource has no such type'
  for (const name of LISTS) {
    const list = detail[name]
    const isList = list === undefined || (Array.isArray(list) && list.every((one) => typeof one === 'string'))
    if (!isList) return `${name} must be an array of strings`
  }
  if (detail.identifier !== undefined && typeof detail.identifier !== 'string') return 'identifier must be a string'
  const locations = (detail.locations ?? []) as readonly string[]
  return locations.every((one) => resourceKey(one) === resourceKey(uri))
    ? undefined
    : 'locations must name the resource that the request is for'
}

/** What is wrong with the parameter `authorization_details` of a request for a resource; undefined: nothing. */
export function detailsProblem(text: string, resource: Known): string | undefined {
  if (text.length > MOST_CHARACTERS) return `it must have at most ${MOST_CHARACTERS} characters`
  const given = parse(text)
  if (!Array.isArray(given) || given.length === 0) return 'it must be a JSON array that is not empty'
  if (given.length > MOST_DETAILS) return `it must have at most ${MOST_DETAILS} members`
  for (const detail of given) {
    const problem = isObject(detail) ? problemOf(detail, resource) : 'a member is no JSON object'
    if (problem !== undefined) return problem
  }
  return undefined
}

/** One thing that is asked for, as people read it: the sentence of its type, and what the application wrote. */
export interface DescribedDetail {
  readonly description: string
  readonly facts: readonly (readonly [name: string, value: string])[]
}

function inWords(value: JsonValue): string {
  if (typeof value === 'string') return visibleText(value)
  const isSimple = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return visibleText(isSimple ? value.join(', ') : JSON.stringify(value))
}

/** What is asked for at a resource, of a parameter that was checked. A type that is no longer there keeps its name. */
export function describeDetails(text: string, { types = [] }: Known): readonly DescribedDetail[] {
  return (parse(text) as readonly JsonObject[]).map(({ type = '', ...members }) => ({
    description: types.find((one) => one.type === type)?.description ?? inWords(type),
    facts: Object.entries(members).map(([name, value]) => [visibleText(name), inWords(value)] as const),
  }))
}
