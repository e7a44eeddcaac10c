/** Which resource a token can be for, and who may use it. */

import { resourceKey } from '../../kernel/resource-key.ts'
import type { App } from '../../module/app.ts'
import { RESOURCE_CLAIM } from '../../module/token-party.ts'
import type { Document, Reader } from '../../store/index.ts'
import { hasProjectAccess, mayBeFor, type TokenUse } from '../authorizations/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { activeProject, type LivingProject } from '../projects/index.ts'
import { resources } from './documents.ts'
import type { Resource } from './events.ts'
import { doorUri, ownDoor } from './own-door.ts'
import { LONGEST_URI } from './resource-uris.ts'

/** A resource of an active project. */
export interface FoundResource extends Resource {
  readonly project: Document<LivingProject>
}

/** What a grant remembers about the resource that its tokens are for. */
export interface ResourceRef {
  readonly id: string
  readonly uri: string
  readonly projectId: string
}

async function findIn(
  app: App,
  projectId: string,
  isIt: (resource: Resource) => boolean,
  reader: Reader,
): Promise<FoundResource | undefined> {
  const [all, project] = await Promise.all([resourcesOf(app, projectId, reader), activeProject(app, projectId, reader)])
  const found = all.find(isIt)
  return found && project && { ...found, project }
}

/** The resources of a project; the API project has only the one that is built in. */
async function resourcesOf(app: App, projectId: string, reader: Reader): Promise<readonly Resource[]> {
  const stored = (await reader.get(resources, projectId))?.state.resources
  if (stored !== undefined || projectId !== (await apiProjectId(app))) return stored ?? []
  const door = await ownDoor(app, reader)
  return door === undefined ? [] : [door]
}

/** The resource with this URI, whoever asks. Which clients can ask for it, says `resourceFor` or the project. */
export async function resourceAt(
  app: App,
  uri: string,
  reader: Reader = app.store,
): Promise<FoundResource | undefined> {
  if (uri.length > LONGEST_URI + 1) return undefined
  const key = resourceKey(uri)
  const isDoor = key === doorUri(app)
  const projectId = isDoor ? await apiProjectId(app) : await app.store.findClaimHolder(RESOURCE_CLAIM, key)
  return projectId === undefined ? undefined : findIn(app, projectId, (one) => resourceKey(one.uri) === key, reader)
}

/**
 * The resource with this URI that clients of an organization can ask for: one of its own projects, or of a project that was
 * granted to it. Undefined for all others, which is all that strangers learn about them.
 */
export async function resourceFor(
  app: App,
  uri: string,
  clientOrganizationId: string,
  reader: Reader = app.store,
): Promise<FoundResource | undefined> {
  const found = await resourceAt(app, uri, reader)
  return found && (await hasProjectAccess(app, clientOrganizationId, found.project, reader)) ? found : undefined
}

/** The resource that clients of a project get tokens for when they name none. */
export async function defaultResourceOf(app: App, projectId: string): Promise<FoundResource | undefined> {
  return findIn(app, projectId, ({ isDefault }) => isDefault, app.store)
}

/**
 * The project of a resource, if a user may use that: the question of every token for it, when it is issued and when it is
 * used.
 */
export async function usableResource(
  app: App,
  { id, projectId }: Pick<ResourceRef, 'id' | 'projectId'>,
  use: TokenUse,
  reader: Reader = app.store,
): Promise<Document<LivingProject> | undefined> {
  const found = await findIn(app, projectId, (one) => one.id === id, reader)
  return found !== undefined && (await mayBeFor(app, found.project, use, reader)) ? found.project : undefined
}

/** A resource as a grant remembers it. */
export function refTo({ id, uri, project }: FoundResource): ResourceRef {
  return { id, uri, projectId: project.id }
}

/** The scopes of a resource that a request asks for; all of them when it asks for none (RFC 6749 §3.3). */
export function scopesAt({ scopes }: Pick<Resource, 'scopes'>, asked: string): readonly string[] {
  const keys = scopes.map(({ key }) => key)
  const named = new Set(asked.split(' ').filter((one) => one !== ''))
  return named.size === 0 ? keys : keys.filter((key) => named.has(key))
}
