/** What there is at the end of the log: which objects live, and what they need to know of each other. */
import { CannotImport } from '../import.ts'
import { type Folded, type Folding, fold, foldOne, only } from './fold.ts'
import { type InstanceState, instance } from './folds/instance.ts'
import { ORGANIZATION_BEGINS, ORGANIZATION_ENDS, organizationSettings } from './folds/organizations.ts'
import { instanceLevel, type LevelState, organizationLevel } from './folds/policies.ts'
import { projectGrants, projects } from './folds/projects.ts'
import { instanceProviders, organizationProviders, type ProviderState } from './folds/providers.ts'
import { USER_BEGINS, users } from './folds/users.ts'
import type { PeerLog } from './log.ts'

export interface KnownProject {
  readonly organizationId: string
  readonly roleKeys: ReadonlySet<string>
}

export interface KnownGrant {
  readonly projectId: string
  readonly roleKeys: ReadonlySet<string>
}

export interface World {
  readonly instance: Folded<InstanceState>
  readonly level: LevelState
  /** The living ones; others have never been, or were removed. */
  readonly organizations: ReadonlySet<string>
  readonly users: ReadonlySet<string>
  /** Without the one that stands for the API of the source. */
  readonly projects: ReadonlyMap<string, KnownProject>
  readonly grants: ReadonlyMap<string, KnownGrant>
  readonly providers: ReadonlyMap<string, ProviderState['type']>
  /** Organizations in which user names are unique. */
  readonly scoped: ReadonlySet<string>
  /** The providers that users can choose in organizations with a login policy of their own. */
  readonly offeredIn: ReadonlyMap<string, ReadonlySet<string>>
  /** The highest counters that sessions have seen, by authenticator. */
  readonly signCounts: ReadonlyMap<string, number>
}

/** Only the life of each aggregate, and some changes. */
function skeleton<State>(folding: Folding<State>, pattern: RegExp): Folding<State> {
  return { ...folding, changes: only(folding.changes, pattern) }
}

const NOTHING = /^$/

async function findOrganizations(log: PeerLog, { policies }: LevelState) {
  const living = new Set<string>()
  const removed = new Set<string>()
  const scoped = new Set<string>()
  const offeredIn = new Map<string, ReadonlySet<string>>()
  const wanted = skeleton(organizationLevel, /\.policy\.(domain|login)\./)
  const folding = { ...wanted, begins: ORGANIZATION_BEGINS, ends: ORGANIZATION_ENDS }
  const above = policies.domain?.value.userLoginMustBeDomain ?? false
  for await (const { id, isAlive, state } of fold(log, folding)) {
    if (!isAlive) {
      removed.add(id)
      continue
    }
    living.add(id)
    const { login, domain } = state.policies
    if (domain ? domain.value.userLoginMustBeDomain : above) scoped.add(id)
    if (login) offeredIn.set(id, state.offered)
  }
  for await (const { id, state } of fold(log, organizationSettings)) if (state.hasScopedUserNames) scoped.add(id)
  return { organizations: living, removed, scoped, offeredIn }
}

async function findProjects(log: PeerLog, organizations: ReadonlySet<string>, apiProjectId: string) {
  const found = new Map<string, KnownProject>()
  for await (const { id, owner, isAlive, state } of fold(log, skeleton(projects, /\.(owner|role)\./))) {
    if (!isAlive || !organizations.has(owner) || id === apiProjectId) continue
    found.set(id, { organizationId: owner, roleKeys: new Set(state.roles.living.keys()) })
  }
  const grants = new Map<string, KnownGrant>()
  for await (const { id: projectId, state } of fold(log, projectGrants)) {
    const project = found.get(projectId)
    if (!project) continue
    for (const [id, { value }] of state.living) {
      if (!organizations.has(value.grantedOrganizationId)) continue
      grants.set(id, { projectId, roleKeys: new Set(value.roleKeys.filter((key) => project.roleKeys.has(key))) })
    }
  }
  return { projects: found, grants }
}

async function findUsers(
  log: PeerLog,
  organizations: ReadonlySet<string>,
  removed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const folding = { ...skeleton(users, NOTHING), begins: USER_BEGINS }
  for await (const { id, owner, isAlive } of fold(log, folding)) {
    if (!isAlive || removed.has(owner)) continue
    if (!organizations.has(owner)) {
      throw new CannotImport(
        `The log is incomplete: user ${id} belongs to the organization ${owner}, which was never created. Nothing was imported.`,
      )
    }
    found.add(id)
  }
  return found
}

async function findProviders(log: PeerLog, organizations: ReadonlySet<string>) {
  const found = new Map<string, ProviderState['type']>()
  for (const folding of [instanceProviders, organizationProviders]) {
    for await (const { id: owner, state } of fold(log, folding)) {
      if (owner !== log.instanceId && !organizations.has(owner)) continue
      for (const [id, { value }] of state.living) if (!value.isIncomplete) found.set(id, value.type)
    }
  }
  return found
}

/** Reads what everything else depends on. */
export async function readWorld(log: PeerLog): Promise<World> {
  const found = await foldOne(log, instance, log.instanceId)
  const level = (await foldOne(log, instanceLevel, log.instanceId))?.state ?? instanceLevel.initial()
  if (!found) throw new CannotImport('The log is incomplete: the instance has no events.')
  const { organizations, removed, scoped, offeredIn } = await findOrganizations(log, level)
  return {
    instance: found,
    level,
    organizations,
    scoped,
    offeredIn,
    ...(await findProjects(log, organizations, found.state.apiProjectId)),
    users: await findUsers(log, organizations, removed),
    providers: await findProviders(log, organizations),
    signCounts: await log.signCounts(),
  }
}
