/** What every kind of resource can do, and what all of them show. */
import type { Call } from '../access/call.ts'
import type { Permission } from '../access/role-permissions.ts'
import { type App, perApp } from '../module/app.ts'
import type { ResourceSchema } from './attributes.ts'
import { ScimError } from './errors.ts'
import type { readOperations } from './patch.ts'
import type { ListQuery } from './query.ts'
import type { CallerSettings } from './settings.ts'
import { newValues, type Resource } from './values.ts'

export const SCIM_PATH = '/scim/v2'

/** A request for one organization whose caller is known. */
export interface ScimCall {
  readonly app: App
  readonly call: Call
  readonly settings: CallerSettings
  /** Whether an attribute as a whole will not be returned, so that it need not be read. */
  hides(attribute: string): boolean
  /** Whether the caller has named an attribute among those to return. */
  asksFor(attribute: string): boolean
}

export type Operations = ReturnType<typeof readOperations>

/** A resource as it is returned, with its ETag. */
export interface Shown {
  readonly id: string
  readonly version: string
  readonly location: string
  readonly resource: Resource
  /** Set when it has less than was asked for: a change is then answered without it. */
  readonly isPartial?: true
}

export interface ShownList {
  readonly resources: readonly Shown[]
  readonly total: number
  /** Of a walk that goes on. */
  readonly nextCursor?: string
}

/** The version that a caller has named; undefined: any. */
export type IfMatch = string | undefined

export interface ResourceType {
  readonly schema: ResourceSchema
  readonly needs: Readonly<Record<'read' | 'create' | 'write' | 'remove', Permission>>
  create(call: ScimCall, given: Resource): Promise<Shown>
  get(call: ScimCall, id: string): Promise<Shown>
  list(call: ScimCall, query: ListQuery): Promise<ShownList>
  replace(call: ScimCall, id: string, given: Resource, ifMatch: IfMatch): Promise<Shown>
  patch(call: ScimCall, id: string, operations: Operations, ifMatch: IfMatch): Promise<Shown>
  remove(call: ScimCall, id: string, ifMatch: IfMatch): Promise<void>
}

/** The address of the server for one organization. */
export function baseOf({ externalUrl }: App, organizationId: string): string {
  return `${externalUrl}${SCIM_PATH}/${organizationId}`
}

/** A resource with what all of them have. */
export function show(
  { app, call }: ScimCall,
  schema: ResourceSchema,
  { id, createdAt, changedAt, version }: { id: string; createdAt: number; changedAt: number; version: string },
  attributes: Resource,
): Shown {
  const location = `${baseOf(app, call.organizationId)}${schema.endpoint}/${id}`
  const schemas = [schema.id, ...Object.keys(attributes).filter((name) => name.includes(':'))]
  const meta = newValues({
    resourceType: schema.name,
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    location,
    version,
  })
  return { id, version, location, resource: newValues({ schemas, id, ...attributes, meta }) }
}

export function preconditionFailed(): ScimError {
  return new ScimError(412, 'The resource has changed since the version in If-Match.')
}

/** Another write was faster. */
export class Overtaken extends Error {}

const MOST_TRIES = 10
const turnsOf = perApp(() => new Map<string, Promise<unknown>>())

/** Runs changes of one resource one after the other in this process, in the order in which they came. */
function inTurn<Value>(app: App, id: string, run: () => Promise<Value>): Promise<Value> {
  const turns = turnsOf(app)
  const running = (turns.get(id) ?? Promise.resolve()).then(run)
  const ended = running.catch(() => {})
  turns.set(id, ended)
  ended.then(() => {
    if (turns.get(id) === ended) turns.delete(id)
  })
  return running
}

/** Runs a change of what was read, again when another node was faster. */
export function untilFirst<Value>(app: App, id: string, run: () => Promise<Value>): Promise<Value> {
  return inTurn(app, id, async () => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
      }
    }
    throw new ScimError(503, 'The resource is being changed by others. Try again.', undefined, { 'retry-after': '1' })
  })
}
