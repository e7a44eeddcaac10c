/** Several operations in one request (RFC 7644 §3.7), each for itself. */
import type { PageAnswer } from '../http/page.ts'
import type { Fault } from '../http/protocols/errors.ts'
import { bulkIdIn, runOrder } from './bulk-order.ts'
import { errorBody, ScimError, scimErrorOf } from './errors.ts'
import { MAX_BULK_OPERATIONS } from './limits.ts'
import { operationsIn, PATCH_SCHEMA, readOperations } from './patch.ts'
import { baseOf, type ResourceType, type Shown } from './resources.ts'
import { jsonAnswer, type Request, readBody, requireId, requireSchema, scimCall, wrongVerb } from './serve.ts'
import { resourceTypes } from './types.ts'
import {
  isList,
  isObject,
  isUnset,
  type Json,
  type JsonObject,
  memberInAnyCase,
  readResource,
  textIn,
} from './values.ts'

const REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

/** The IDs of what was created, by lower-case `bulkId`. */
type Created = Map<string, string>

function textOf(operation: JsonObject, name: string): string {
  const value = memberInAnyCase(operation, name)
  if (isUnset(value)) return ''
  if (typeof value !== 'string') throw new ScimError(400, `${name} must be a text.`, 'invalidSyntax')
  return value
}

/** A text in which `bulkId:x` is the ID of what was created under that name. */
function resolved(text: string, created: Created): string {
  const name = bulkIdIn(text)
  if (name === undefined) return text
  const id = created.get(name)
  if (id === undefined) throw new ScimError(400, `Could not resolve bulkId ${name} to a created ID.`, 'invalidValue')
  return id
}

/** Data in which every reference is resolved. */
function resolvedIn(value: Json, created: Created): Json {
  if (typeof value === 'string') return resolved(value, created)
  if (isList(value)) return value.map((one) => resolvedIn(one, created))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolvedIn(one, created)]))
}

interface Target {
  readonly type: ResourceType
  readonly id: string | undefined
}

/** A step of a path; undefined when it is written wrongly. */
function decoded(step: string): string | undefined {
  try {
    return decodeURIComponent(step)
  } catch {
    return undefined
  }
}

function targetOf(path: string, created: Created): Target {
  const [, place = '', step = '', ...more] = path.split('/')
  const type = resourceTypes.find(({ schema }) => schema.endpoint === `/${place}`)
  const id = decoded(step)
  if (!path.startsWith('/') || type === undefined || id === undefined || more.length > 0) {
    throw new ScimError(400, 'path must be that of a resource, such as /Users or /Users/{id}.', 'invalidPath')
  }
  return { type, id: id === '' ? undefined : resolved(id, created) }
}

interface Outcome {
  readonly status: 200 | 201 | 204
  readonly shown?: Shown
}

function dataOf(operation: JsonObject, schema: string, created: Created): JsonObject {
  const data = resolvedIn(memberInAnyCase(operation, 'data') ?? null, created)
  if (!isObject(data)) throw new ScimError(400, 'data must be an object.', 'invalidSyntax')
  requireSchema(data, schema)
  return data
}

/** The answer to an operation has no resource, so that nothing is read only to be shown. */
const NOTHING = { hides: () => true, asksFor: () => false }

interface Asked {
  readonly method: string
  readonly bulkId: string
}

async function run(
  request: Request,
  operation: JsonObject,
  { method, bulkId }: Asked,
  created: Created,
): Promise<Outcome> {
  const { type, id } = targetOf(textOf(operation, 'path'), created)
  const { needs, schema } = type
  const ifMatch = textOf(operation, 'version') || undefined
  if (method === 'POST') {
    if (id !== undefined) throw new ScimError(400, 'POST is for a list, such as /Users.', 'invalidPath')
    if (bulkId === '') throw new ScimError(400, 'bulkId is required for POST.', 'invalidValue')
    const call = await scimCall(request, needs.create, NOTHING)
    return { status: 201, shown: await type.create(call, readResource(schema, dataOf(operation, schema.id, created))) }
  }
  if (id === undefined) throw new ScimError(400, `${method} needs the path of a resource.`, 'invalidPath')
  requireId(id)
  switch (method) {
    case 'PUT': {
      const call = await scimCall(request, needs.write, NOTHING)
      const given = readResource(schema, dataOf(operation, schema.id, created))
      return { status: 200, shown: await type.replace(call, id, given, ifMatch) }
    }
    case 'PATCH': {
      const call = await scimCall(request, needs.write, NOTHING)
      const operations = readOperations(dataOf(operation, PATCH_SCHEMA, created))
      return { status: 204, shown: await type.patch(call, id, operations, ifMatch) }
    }
    case 'DELETE':
      await type.remove(await scimCall(request, needs.remove, NOTHING), id, ifMatch)
      return { status: 204 }
    default:
      throw new ScimError(400, 'method must be POST, PUT, PATCH or DELETE.', 'invalidValue')
  }
}

/** The address of what an operation is about, as far as it is known. */
function locationOf(
  { app, provisioner: { organizationId } }: Request,
  operation: JsonObject,
  method: string,
  created: Created,
) {
  if (method === 'POST') return undefined
  try {
    const { type, id } = targetOf(textOf(operation, 'path'), created)
    return id && `${baseOf(app, organizationId)}${type.schema.endpoint}/${id}`
  } catch {
    return undefined
  }
}

/** The request as of now: it may last, and sees what was written since it began, also on other nodes. */
async function asOfNow(request: Request): Promise<Request> {
  const { app, provisioner } = request
  return { ...request, provisioner: await app.store.asOneRequest(() => provisioner.again()) }
}

async function runOne(request: Request, operation: JsonObject, created: Created, log: (fault: Fault) => void) {
  const method = textIn({ method: memberInAnyCase(operation, 'method') ?? '' }, 'method').toUpperCase()
  const bulkId = textIn({ bulkId: memberInAnyCase(operation, 'bulkId') ?? '' }, 'bulkId')
  const about = { method, ...(bulkId !== '' && { bulkId }) }
  try {
    const { status, shown } = await run(await asOfNow(request), operation, { method, bulkId }, created)
    if (method === 'POST' && shown !== undefined && bulkId !== '') created.set(bulkId.toLowerCase(), shown.id)
    const location = shown?.location ?? locationOf(request, operation, method, created)
    return { ...about, ...(location && { location }), ...(shown && { version: shown.version }), status: `${status}` }
  } catch (error) {
    const failed = scimErrorOf(error, request.page.requestId, log)
    const location = locationOf(request, operation, method, created)
    return { ...about, ...(location && { location }), response: errorBody(failed), status: `${failed.status}` }
  }
}

/** Serves `/Bulk`. */
export async function serveBulk(request: Request, log: (fault: Fault) => void): Promise<PageAnswer> {
  const { page } = request
  if (page.method !== 'POST') throw wrongVerb('POST')
  const body = await readBody(page, REQUEST_SCHEMA)
  const operations = operationsIn(body)
  if (operations.length > MAX_BULK_OPERATIONS) {
    throw new ScimError(413, `At most ${MAX_BULK_OPERATIONS} operations.`, 'invalidValue')
  }
  const most = memberInAnyCase(body, 'failOnErrors')
  const created: Created = new Map()
  const answers: object[] = []
  let errors = 0
  for (const index of runOrder(operations)) {
    const operation = operations[index]
    // What nobody waits for any more is left undone.
    if (page.signal.aborted || (typeof most === 'number' && most > 0 && errors >= most)) break
    const answer = await runOne(request, isObject(operation) ? operation : {}, created, log)
    if ('response' in answer) errors++
    answers[index] = answer
  }
  // In the order of the request, without those that were left undone.
  return jsonAnswer(200, { schemas: [RESPONSE_SCHEMA], Operations: answers.filter((answer) => answer !== undefined) })
}
