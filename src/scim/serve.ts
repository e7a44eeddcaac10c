/** Serves requests about resources: reads them, calls the resource, writes what came of it. */
import type { Provisioner } from '../access/provisioning.ts'
import { type PageAnswer, type PageRequest, UnreadableForm } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { isStorableText } from '../store/index.ts'
import type { ResourceSchema } from './attributes.ts'
import { SCIM_TYPE, ScimError } from './errors.ts'
import { MAX_BODY_BYTES } from './limits.ts'
import { PATCH_SCHEMA, readOperations } from './patch.ts'
import { isHidden, type Projection, project } from './projection.ts'
import { LIST_SCHEMA, type ListQuery, namesOf, queryOfAddress, queryOfSearch, SEARCH_SCHEMA } from './query.ts'
import type { ResourceType, ScimCall, Shown } from './resources.ts'
import { callerSettings } from './settings.ts'
import { checkJson, isList, isObject, type Json, type JsonObject, memberInAnyCase, readResource } from './values.ts'
import { isNamed } from './versions.ts'

/** A request whose caller is known. */
export interface Request {
  readonly app: App
  readonly provisioner: Provisioner
  readonly page: PageRequest
}

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status, contentType: SCIM_TYPE, body: JSON.stringify(body), headers }
}

/** The call of one operation, if the caller may do it. What it hides is not read. */
export async function scimCall(
  { app, provisioner }: Request,
  permission: ResourceType['needs']['read'],
  returned: Pick<ScimCall, 'hides' | 'asksFor'>,
): Promise<ScimCall> {
  const call = provisioner.callWith(permission)
  return { app, call, settings: await callerSettings(app, provisioner.caller.userId), ...returned }
}

function returnedOf(schema: ResourceSchema, projection: Projection): Pick<ScimCall, 'hides' | 'asksFor'> {
  return {
    hides: (name) => isHidden(schema, projection, name),
    asksFor: (name) => projection.attributes.length > 0 && !isHidden(schema, projection, name),
  }
}

/** The call of one operation that returns what the address asks for. */
function callFor(request: Request, { schema, needs }: ResourceType, need: keyof ResourceType['needs']) {
  return scimCall(request, needs[need], returnedOf(schema, projectionOf(request.page)))
}

/** Throws unless the schema is named. */
export function requireSchema(body: JsonObject, schema: string): void {
  const schemas = memberInAnyCase(body, 'schemas')
  const isThere =
    isList(schemas) && schemas.some((one) => typeof one === 'string' && one.toLowerCase() === schema.toLowerCase())
  if (!isThere) throw new ScimError(400, `schemas must contain ${schema}.`, 'invalidSyntax')
}

/** The body of a request: an object of this schema. */
export async function readBody(page: PageRequest, schema: string): Promise<JsonObject> {
  let body: Json
  try {
    const bytes = await page.readBytes(MAX_BODY_BYTES)
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) {
      throw new ScimError(413, `The request is larger than ${MAX_BODY_BYTES} bytes.`)
    }
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    throw new ScimError(400, 'The body is not JSON.', 'invalidSyntax')
  }
  if (!isObject(body)) throw new ScimError(400, 'The body must be an object.', 'invalidSyntax')
  checkJson(body)
  requireSchema(body, schema)
  return body
}

function projectionOf({ query }: PageRequest): Projection {
  const all = (name: string) => namesOf(query.getAll(name))
  return { attributes: all('attributes'), excludedAttributes: all('excludedAttributes') }
}

function projectionIn(body: JsonObject): Projection {
  const all = (name: string) => namesOf(memberInAnyCase(body, name))
  return { attributes: all('attributes'), excludedAttributes: all('excludedAttributes') }
}

function shownAnswer(
  status: 200 | 201,
  { schema }: ResourceType,
  { resource, version, location }: Shown,
  projection: Projection,
): PageAnswer {
  const place = status === 201 ? { location } : { 'content-location': location }
  return jsonAnswer(status, project(schema, resource, projection), { ...place, etag: version })
}

async function listAnswer(request: Request, type: ResourceType, query: ListQuery, projection: Projection) {
  const call = await scimCall(request, type.needs.read, returnedOf(type.schema, projection))
  const { resources, total, nextCursor } = await type.list(call, query)
  return jsonAnswer(200, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    itemsPerPage: resources.length,
    ...(query.cursor === undefined && { startIndex: query.startIndex }),
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources.map(({ resource }) => project(type.schema, resource, projection)),
  })
}

/** What a request does: HEAD is answered like GET, and the body stays away (RFC 9110 §9.3.2). */
export function verbOf({ method }: PageRequest): string {
  return method === 'HEAD' ? 'GET' : method
}

export function wrongVerb(...verbs: readonly string[]): ScimError {
  const allowed = verbs.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]))
  return new ScimError(405, `Allowed: ${allowed.join(', ')}.`, undefined, { allow: allowed.join(', ') })
}

/** Serves the list of a type: `/Users`. */
export async function serveList(request: Request, type: ResourceType): Promise<PageAnswer> {
  const { page } = request
  switch (verbOf(page)) {
    case 'GET':
      return listAnswer(request, type, queryOfAddress(type.schema, page.query), projectionOf(page))
    case 'POST': {
      const call = await callFor(request, type, 'create')
      const given = readResource(type.schema, await readBody(page, type.schema.id))
      return shownAnswer(201, type, await type.create(call, given), projectionOf(page))
    }
    default:
      throw wrongVerb('GET', 'POST')
  }
}

/** Serves `/Users/.search`. */
export async function serveSearch(request: Request, type: ResourceType): Promise<PageAnswer> {
  if (request.page.method !== 'POST') throw wrongVerb('POST')
  request.provisioner.callWith(type.needs.read)
  const body = await readBody(request.page, SEARCH_SCHEMA)
  return listAnswer(request, type, queryOfSearch(type.schema, body), projectionIn(body))
}

/** Throws when no object can have such an ID. */
export function requireId(id: string): void {
  if (id === '' || id.length > 200 || !isStorableText(id)) throw new ScimError(404, 'There is no such resource.')
}

/** Serves one resource: `/Users/{id}`. */
export async function serveOne(request: Request, type: ResourceType, id: string): Promise<PageAnswer> {
  const { page } = request
  const { schema } = type
  const ifMatch = page.header('if-match') || undefined
  requireId(id)
  switch (verbOf(page)) {
    case 'GET': {
      const shown = await type.get(await callFor(request, type, 'read'), id)
      const known = page.header('if-none-match')
      if (known !== undefined && isNamed(known, shown.version)) {
        return { status: 304, contentType: SCIM_TYPE, body: '', headers: { etag: shown.version } }
      }
      return shownAnswer(200, type, shown, projectionOf(page))
    }
    case 'PUT': {
      const call = await callFor(request, type, 'write')
      const given = readResource(schema, await readBody(page, schema.id))
      return shownAnswer(200, type, await type.replace(call, id, given, ifMatch), projectionOf(page))
    }
    case 'PATCH': {
      const call = await callFor(request, type, 'write')
      const operations = readOperations(await readBody(page, PATCH_SCHEMA))
      const shown = await type.patch(call, id, operations, ifMatch)
      if (shown.isPartial) {
        const headers = { 'content-location': shown.location, etag: shown.version }
        return { status: 204, contentType: SCIM_TYPE, body: '', headers }
      }
      return shownAnswer(200, type, shown, projectionOf(page))
    }
    case 'DELETE':
      await type.remove(await callFor(request, type, 'remove'), id, ifMatch)
      return { status: 204, contentType: SCIM_TYPE, body: '' }
    default:
      throw wrongVerb('GET', 'PUT', 'PATCH', 'DELETE')
  }
}
