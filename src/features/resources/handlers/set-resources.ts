/** Replaces the resources of a project, and removes them with it. */

import type { Call } from '../../../access/call.ts'
import { refused, type Violation } from '../../../kernel/refusal.ts'
import { resourceKey } from '../../../kernel/resource-key.ts'
import type { App, RemoveBatch } from '../../../module/app.ts'
import type { Document, Written } from '../../../store/index.ts'
import { apiProjectId } from '../../instances/index.ts'
import { findProject, projectRefusals } from '../../projects/index.ts'
import type { Resources } from '../decider.ts'
import { resources } from '../documents.ts'
import type { Resource } from '../events.ts'
import { requireFree, requireOneSpelling, requireOwnHost } from '../own-uris.ts'
import { resourceRefusals } from '../refusals.ts'
import { resourceUriProblem } from '../resource-uris.ts'

export type NewResource = Omit<Resource, 'id'>

/** The characters of a scope (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/
/** Scopes that mean something at this server already. */
const RESERVED = /^(?:openid|profile|email|phone|address|offline_access|urn:.*|signet:.*)$/i

function scopeProblem(key: string): string | undefined {
  if (!SCOPE.test(key)) return 'must consist of printable ASCII characters without spaces, quotes and backslashes'
  return RESERVED.test(key) ? 'must not be a scope that this server knows' : undefined
}

export function checkResources({ externalUrl }: App, given: readonly NewResource[]): void {
  const problems = given.flatMap(({ uri, scopes }, index): readonly (readonly [string, string | undefined])[] => [
    [`resources[${index}].uri`, resourceUriProblem(uri, externalUrl)],
    ...scopes.map(({ key }, at) => [`resources[${index}].scopes[${at}].key`, scopeProblem(key)] as const),
  ])
  const violations = problems.flatMap(([field, description]): readonly Violation[] =>
    description === undefined ? [] : [{ field, description }],
  )
  if (violations.length > 0) throw refused(resourceRefusals, 'resource.invalid', { violations })
}

/**
 * Replaces the resources of a project. One that stays keeps its tokens; one that is left out ends them. The host of a new one
 * is the organization's own, unless an owner of the instance adds it.
 */
export function setResources(
  app: App,
  call: Pick<Call, 'origin' | 'may'>,
  projectId: string,
  given: readonly NewResource[],
): Promise<Written<Document<Resources>>> {
  checkResources(app, given)
  return app.store.write(call.origin, async (work) => {
    const project = await findProject(app, projectId, work)
    if (project === undefined) throw refused(projectRefusals, 'project.not_found')
    if (projectId === (await apiProjectId(app, work))) throw refused(resourceRefusals, 'resource.is_api_project')
    const before = (await work.get(resources, projectId))?.state.resources ?? []
    const ids = new Map(before.map(({ id, uri }) => [resourceKey(uri), id]))
    const fresh = given.flatMap(({ uri }, index) =>
      ids.has(resourceKey(uri)) ? [] : [{ uri, field: `resources[${index}].uri` }],
    )
    const uris = given.map(({ uri }) => uri)
    for (const uri of uris) await requireFree(app, work, uri)
    for (const { uri } of fresh) await requireOneSpelling(app, uri, { projectId, uris })
    if (!call.may('project.write', app.instanceId)) await requireOwnHost(app, work, project.owner, fresh)
    const after = given.map((one): Resource => ({ id: ids.get(resourceKey(one.uri)) ?? app.newId(), ...one }))
    return work.decide(resources, projectId, { type: 'set', resources: after }, project.owner)
  })
}

/** Removes the resources of a removed project, so that others can have the URIs. */
export const removeResourcesOfProject: RemoveBatch = async (app, projectId, origin) => {
  if ((await app.store.get(resources, projectId)) === undefined) return 0
  await app.store.write(origin, async (work) => {
    if (await work.get(resources, projectId)) await work.decide(resources, projectId, { type: 'remove' })
  })
  return 1
}
