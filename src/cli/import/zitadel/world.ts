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

export interface KnownOrganization {
  /** Whether user names are unique in it alone. */
  readonly isScoped: boolean
  /** The providers that its users can choose, where it has a login policy of its own. */
  readonly offered?: ReadonlySet<string>
}

export interface KnownProject {
  readonly organizationId: string
  readonly roleKeys: ReadonlySet<string>
}

/** What there is right now where it is known already, or after a look into the log. */
type Known<Value> = Value | Promise<Value>

/** Each answers undefined, or false, for what has never been or was removed. */
export interface World {
  readonly instance: Folded<InstanceState>
  readonly level: LevelState
  organization(id: string): Known<KnownOrganization | undefined>
  hasUser(id: string): Known<boolean>
  /** Not for the one that stands for the API of the source. */
  project(id: string): Known<KnownProject | undefined>
  /** The roles of a grant of a project. */
  grant(projectId: string, id: string): Known<ReadonlySet<string> | undefined>
  providerType(id: string): Known<ProviderState['type'] | undefined>
  /** The highest counter that sessions have seen of an authenticator. */
  signCount(id: string): number
  /** The organizations with login policies of their own; those that changed, if only changes are read. */
  readonly offering: ReadonlyMap<string, ReadonlySet<string>>
  /** How many users there are; undefined if only changes are read. */
  readonly userCount: number | undefined
}

/** Only the life of each aggregate, and some changes. */
function skeleton<State>(folding: Folding<State>, pattern: RegExp): Folding<State> {
  return { ...folding, changes: only(folding.changes, pattern) }
}

const NOTHING = /^$/
const ORGANIZATION: Folding<LevelState> = {
  ...skeleton(organizationLevel, /\.policy\.(domain|login)\./),
  begins: ORGANIZATION_BEGINS,
  ends: ORGANIZATION_ENDS,
}
const PROJECT = skeleton(projects, /\.(owner|role)\./)
const USER = { ...skeleton(users, NOTHING), begins: USER_BEGINS }

type Ids = readonly string[] | undefined

/** Finds organizations; undefined for those that were removed. */
async function findOrganizations(log: PeerLog, { policies }: LevelState, ids?: Ids) {
  const found = new Map<string, KnownOrganization | undefined>()
  const above = policies.domain?.value.userLoginMustBeDomain ?? false
  for await (const { id, isAlive, state } of fold(log, ORGANIZATION, ids)) {
    const { login, domain } = state.policies
    const isScoped = domain ? (domain.value.userLoginMustBeDomain ?? false) : above
    found.set(id, isAlive ? { isScoped, ...(login && { offered: state.offered }) } : undefined)
  }
  for await (const { id, state } of fold(log, organizationSettings, ids)) {
    const known = found.get(id)
    if (known && state.hasScopedUserNames) found.set(id, { ...known, isScoped: true })
  }
  return found
}

function offeringOf(organizations: ReadonlyMap<string, KnownOrganization | undefined>) {
  const offering = new Map<string, ReadonlySet<string>>()
  for (const [id, known] of organizations) if (known?.offered) offering.set(id, known.offered)
  return offering
}

async function findProjects(log: PeerLog, world: Pick<World, 'instance' | 'organization'>, ids?: Ids) {
  const found = new Map<string, KnownProject>()
  for await (const { id, owner, isAlive, state } of fold(log, PROJECT, ids)) {
    if (!isAlive || id === world.instance.state.apiProjectId || !(await world.organization(owner))) continue
    found.set(id, { organizationId: owner, roleKeys: new Set(state.roles.living.keys()) })
  }
  return found
}

/** The roles of grants, by project and grant. */
async function findGrants(log: PeerLog, world: Pick<World, 'organization' | 'project'>, ids?: Ids) {
  const found = new Map<string, ReadonlySet<string>>()
  for await (const { id: projectId, state } of fold(log, projectGrants, ids)) {
    const project = await world.project(projectId)
    if (!project) continue
    for (const [id, { value }] of state.living) {
      if (!(await world.organization(value.grantedOrganizationId))) continue
      found.set(`${projectId} ${id}`, new Set(value.roleKeys.filter((key) => project.roleKeys.has(key))))
    }
  }
  return found
}

async function findUsers(
  log: PeerLog,
  organizations: ReadonlyMap<string, KnownOrganization | undefined>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for await (const { id, owner, isAlive } of fold(log, USER)) {
    if (!isAlive) continue
    if (!organizations.has(owner)) {
      throw new CannotImport(
        `The log is incomplete: user ${id} belongs to the organization ${owner}, which was never created. Nothing was imported.`,
      )
    }
    if (organizations.get(owner)) found.add(id)
  }
  return found
}

async function findProviders(log: PeerLog, organization: World['organization']) {
  const found = new Map<string, ProviderState['type']>()
  for (const folding of [instanceProviders, organizationProviders]) {
    for await (const { id: owner, state } of fold(log, folding)) {
      if (owner !== log.instanceId && !(await organization(owner))) continue
      for (const [id, { value }] of state.living) if (!value.isIncomplete) found.set(id, value.type)
    }
  }
  return found
}

async function readInstance(log: PeerLog): Promise<Pick<World, 'instance' | 'level'>> {
  const found = await foldOne(log, instance, log.instanceId)
  const level = (await foldOne(log, instanceLevel, log.instanceId))?.state ?? instanceLevel.initial()
  if (!found) throw new CannotImport('The log is incomplete: the instance has no events.')
  return { instance: found, level }
}

/** Reads what everything else depends on. */
export async function readWorld(log: PeerLog): Promise<World> {
  const top = await readInstance(log)
  const organizations = await findOrganizations(log, top.level)
  const organization = (id: string) => organizations.get(id)
  const known = await findProjects(log, { ...top, organization })
  const project = (id: string) => known.get(id)
  const grants = await findGrants(log, { organization, project })
  const living = await findUsers(log, organizations)
  const providers = await findProviders(log, organization)
  const signCounts = await log.signCounts()
  return {
    ...top,
    organization,
    project,
    grant: (projectId, id) => grants.get(`${projectId} ${id}`),
    hasUser: (id) => living.has(id),
    providerType: (id) => providers.get(id),
    signCount: (id) => signCounts.get(id) ?? 0,
    offering: offeringOf(organizations),
    userCount: living.size,
  }
}

/** Asks for the same thing only once. */
function remembered<Value>(ask: (id: string) => Promise<Value>): (id: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>()
  return (id) => {
    const asked = known.get(id) ?? ask(id)
    known.set(id, asked)
    return asked
  }
}

/** Looks up only what the changed aggregates name: it takes as long as there are changes, however much there is. */
export async function lookUpWorld(log: PeerLog, changed: ReadonlyMap<string, readonly string[]>): Promise<World> {
  const top = await readInstance(log)
  const organization = remembered(async (id) => (await findOrganizations(log, top.level, [id])).get(id))
  const project = remembered(async (id) => (await findProjects(log, { ...top, organization }, [id])).get(id))
  const grantsOf = remembered((projectId) => findGrants(log, { organization, project }, [projectId]))
  let providers: Promise<ReadonlyMap<string, ProviderState['type']>> | undefined
  const level = changed.has('instance') ? undefined : (changed.get('org') ?? [])
  return {
    ...top,
    organization,
    project,
    grant: async (projectId, id) => (await grantsOf(projectId)).get(`${projectId} ${id}`),
    hasUser: remembered(async (id) => {
      const user = await foldOne(log, USER, id)
      return user?.isAlive === true && (await organization(user.owner)) !== undefined
    }),
    async providerType(id) {
      providers ??= findProviders(log, organization)
      return (await providers).get(id)
    },
    // A counter that is too low does no harm: it only has to grow.
    signCount: () => 0,
    offering: offeringOf(await findOrganizations(log, top.level, level)),
    userCount: undefined,
  }
}
