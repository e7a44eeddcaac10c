/**
 * What tokens, userinfo and introspection say about a user. The scopes of the grant decide which claims there are; false
 * flags and empty values are left out.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isAgentName } from '../features/applications/index.ts'
import { assetPath } from '../features/assets/index.ts'
import {
  GROUPS,
  GROUPS_WITH_IDS,
  METADATA,
  RESOURCE_OWNER,
  readScopes,
  type Scopes,
} from '../features/authorization-requests/index.ts'
import { type HeldRole, rolesOfUser } from '../features/authorizations/index.ts'
import type { GrantSubject } from '../features/grants/index.ts'
import { type LivingOrganization, organizations, ownDomainOf, primaryDomain } from '../features/organizations/index.ts'
import { findProject, type LivingProject } from '../features/projects/index.ts'
import { type Listener, type Told, toldTo } from '../features/statements/index.ts'
import type { LivingUser } from '../features/users/index.ts'
import { within } from '../kernel/within.ts'
import type { App } from '../module/app.ts'
import { partyNamed } from '../module/token-party.ts'
import type { Document } from '../store/index.ts'

/** A user and the grant that claims are made for. */
export interface ClaimSource {
  readonly user: Document<LivingUser>
  readonly subject: Pick<GrantSubject, 'userId' | 'organizationId' | 'projectId' | 'isMachine' | 'audience'> &
    Partial<Pick<GrantSubject, 'clientId' | 'applicationId' | 'scope' | 'resource' | 'parents'>>
  readonly scope: string
  /** The project of the grant, where it was read before. */
  readonly project?: Document<LivingProject> | undefined
  /** Standard claims that the `claims` parameter asked for, beside those of the scopes. */
  readonly requested?: readonly string[]
  /** Who asks, where that is known; otherwise whoever the token is for. */
  readonly listener?: Listener
  /** What the listener is told, where it was looked up before. */
  readonly told?: Told
}

/**
 * Who hears what tokens of a grant say: the project of its application, and those that it is for beside that. What was
 * exchanged may be for more than its scopes name.
 */
function listenerOf({ subject, scope, listener }: Omit<ClaimSource, 'user'>): Listener {
  if (listener !== undefined) return listener
  const { projectId, resource, audience, clientId, parents = [] } = subject
  const others =
    parents.length > 0
      ? audience.filter((one) => one !== clientId)
      : [scope, subject.scope ?? ''].flatMap((one) => readScopes(one).projectIds)
  const named = others.filter((one) => audience.includes(one))
  const projectIds = [projectId, resource?.projectId ?? '', ...named].filter((one) => one !== '')
  return { projectIds, isSelf: subject.isMachine && projectIds.length === 0 }
}

/** What is told about the user of a grant. */
export function toldOf(app: App, source: ClaimSource): Promise<Told> {
  return toldTo(app, source.user, listenerOf(source))
}

type AskerSubject = Pick<GrantSubject, 'clientId' | 'applicationId' | 'userId'>

const MACHINE = 'machine:'

/** How tokens name a machine whose own text is the name of something else. Nobody can choose such an ID. */
export function markedMachine({ userId }: Pick<AskerSubject, 'userId'>): string {
  return `${MACHINE}${userId}`
}

/** Whether a user name means something else as a client: an application, a resource, an unregistered client or a machine. */
async function isOtherClient(app: App, name: string): Promise<boolean> {
  if (name.toLowerCase().startsWith(MACHINE)) return true
  return (await partyNamed(app, name)) !== undefined || isAgentName(app, name)
}

/** The client that a token names: a machine by what the listener calls it, unless that is the name of something else. */
export async function clientOf(app: App, subject: AskerSubject, { userName }: Told): Promise<string> {
  if (subject.applicationId !== '') return subject.clientId
  return (await isOtherClient(app, userName)) ? markedMachine(subject) : userName
}

/** Which groups of claims a token or an answer contains. */
export interface ClaimGroups {
  readonly hasProfile: boolean
  readonly hasRoles: boolean
  /** Only the roles of this project: for introspection by an application of it. */
  readonly rolesOfProject?: string
}

/** How much metadata a token or an answer contains: one entry of the largest size, or many small ones. */
const MOST_METADATA_CHARACTERS = 524_288
/** How long the names of all roles in a token or an answer may be, with those of the organizations that gave them. */
const MOST_ROLE_CHARACTERS = 65_536
/** How long the names and IDs of all groups in a token or an answer may be. */
const MOST_GROUP_CHARACTERS = 65_536

/** The standard claims that a scope asks for. */
export const CLAIMS_OF_SCOPE: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'profile',
    [
      'name',
      'given_name',
      'family_name',
      'nickname',
      'gender',
      'locale',
      'updated_at',
      'preferred_username',
      'picture',
    ],
  ],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
])

/** The standard claims about users that the server can answer. */
export const USER_CLAIMS: readonly string[] = [...CLAIMS_OF_SCOPE.values()].flat()

function standardClaims(told: Told, { changedAt }: Document<LivingUser>, externalUrl: string): JsonObject {
  return {
    name: told.displayName,
    preferred_username: told.userName,
    updated_at: Math.floor(changedAt / 1000),
    given_name: told.firstName,
    family_name: told.lastName,
    nickname: told.nickName,
    gender: told.gender,
    locale: told.language,
    picture: told.avatar === undefined ? '' : new URL(assetPath(told.avatar), externalUrl).href,
    email: told.email,
    email_verified: told.isEmailVerified,
    phone_number: told.phone,
    phone_number_verified: told.isPhoneVerified,
  }
}

function isSaid(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== '' && value !== false
}

function profileClaims({ user, scope, requested = [] }: ClaimSource, told: Told, externalUrl: string): JsonObject {
  const all = standardClaims(told, user, externalUrl)
  const claims: JsonObject = {}
  const say = (name: string) => {
    const value = all[name]
    if (isSaid(value)) claims[name] = value
  }
  for (const one of scope.split(' ')) CLAIMS_OF_SCOPE.get(one)?.forEach(say)
  requested.forEach(say)
  return claims
}

async function organizationClaims(app: App, { user, subject }: ClaimSource, scopes: Scopes): Promise<JsonObject> {
  const named = scopes.known.includes(RESOURCE_OWNER)
  if (!named && scopes.organizationIds.length === 0 && scopes.organizationDomains.length === 0) return {}
  const organization = (await app.store.get(organizations, user.owner)) as Document<LivingOrganization> | undefined
  if (organization === undefined) return {}
  // What scopes say was chosen by a caller: a machine, or the actor of an exchange.
  const domain = ownDomainOf(organization.state, scopes.organizationDomains)
  const owner = {
    [`${RESOURCE_OWNER}:id`]: organization.id,
    [`${RESOURCE_OWNER}:name`]: organization.state.name,
    [`${RESOURCE_OWNER}:primary_domain`]: primaryDomain(organization.state),
  }
  return {
    ...(scopes.organizationIds.length > 0 && { 'urn:zitadel:iam:org:id': subject.organizationId }),
    ...(domain !== undefined && { 'urn:zitadel:iam:org:domain:primary': domain }),
    ...((named || scopes.organizationIds.length > 0) && owner),
  }
}

/** Names of claims that are not whole because they would make the answer too large. */
export const LEFT_OUT = 'urn:signet:left_out'

function leftOut(isCut: boolean, ...names: readonly string[]): JsonObject {
  return isCut ? { [LEFT_OUT]: [...names] } : {}
}

/** Claims together, and all that they leave out. */
function joined(...parts: readonly JsonObject[]): JsonObject {
  const names = parts.flatMap((part) => (part[LEFT_OUT] as readonly string[] | undefined) ?? [])
  return { ...Object.assign({}, ...parts), ...leftOut(names.length > 0, ...names) }
}

async function metadataClaim(told: Told, scopes: Scopes): Promise<JsonObject> {
  if (!scopes.known.includes(METADATA)) return {}
  const { kept, isCut } = await told.metadata(MOST_METADATA_CHARACTERS)
  const entries = kept.map(({ key, value }) => [key, Buffer.from(value, 'base64').toString('base64url')])
  return { ...(kept.length > 0 && { [METADATA]: Object.fromEntries(entries) }), ...leftOut(isCut, METADATA) }
}

/** The groups that the user is in, in the order of their names. */
async function groupClaims(told: Told, scopes: Scopes): Promise<JsonObject> {
  const [wantsNames, wantsIds] = [scopes.known.includes(GROUPS), scopes.known.includes(GROUPS_WITH_IDS)]
  if (!wantsNames && !wantsIds) return {}
  const size = ({ id, name }: { readonly id: string; readonly name: string }) => id.length + name.length
  const { kept, isCut } = within(await told.groups(), MOST_GROUP_CHARACTERS, size)
  return {
    ...(wantsNames && kept.length > 0 && { [GROUPS]: kept.map(({ name }) => name) }),
    ...(wantsIds && kept.length > 0 && { [GROUPS_WITH_IDS]: [...kept] }),
    ...leftOut(isCut, ...(wantsNames ? [GROUPS] : []), ...(wantsIds ? [GROUPS_WITH_IDS] : [])),
  }
}

/**
 * The projects whose roles are asserted: those that the audience scopes name, if roles were asked for, and the project of
 * the application, if it asserts roles, roles were asked for, or an audience was.
 */
async function rolesProjects(app: App, { subject, project }: ClaimSource, scopes: Scopes): Promise<readonly string[]> {
  const isAsked = scopes.wantsAllRoles || scopes.roleKeys.length > 0
  // A machine has no application; its roles are asserted for every project that it names.
  const named = isAsked || subject.isMachine ? scopes.projectIds : []
  if (subject.projectId === '') return named
  const own = project ?? (await findProject(app, subject.projectId))
  const isOwnAsserted = isAsked || own?.state.projectRoleAssertion === true || scopes.projectIds.length > 0
  return [...new Set([...named, ...(isOwnAsserted ? [subject.projectId] : [])])]
}

async function domainOf(app: App, organizationId: string): Promise<string> {
  const organization = (await app.store.get(organizations, organizationId)) as Document<LivingOrganization> | undefined
  return organization === undefined ? '' : primaryDomain(organization.state)
}

type RolesByKey = Record<string, Record<string, string>>

/** As many roles as an answer contains, each with the domain of the organization that gave it. */
async function withinRoles(app: App, roles: readonly HeldRole[]) {
  const domains = new Map<string, string>()
  for (const id of new Set(roles.map(({ organizationId }) => organizationId))) domains.set(id, await domainOf(app, id))
  const named = roles.map((role) => ({ ...role, domain: domains.get(role.organizationId) ?? '' }))
  const size = ({ roleKey, organizationId, domain }: (typeof named)[number]) =>
    roleKey.length + organizationId.length + domain.length
  return within(named, MOST_ROLE_CHARACTERS, size)
}

async function roleClaims(app: App, source: ClaimSource, scopes: Scopes, ofProject?: string): Promise<JsonObject> {
  const asserted = await rolesProjects(app, source, scopes)
  const projectIds = ofProject === undefined ? asserted : asserted.length > 0 || scopes.wantsAllRoles ? [ofProject] : []
  if (projectIds.length === 0) return {}
  const roles = (await rolesOfUser(app, source.user.id, projectIds)).filter(
    ({ roleKey, organizationId }) =>
      (scopes.roleKeys.length === 0 || scopes.roleKeys.includes(roleKey)) &&
      (scopes.rolesOfOrganizations.length === 0 || scopes.rolesOfOrganizations.includes(organizationId)),
  )
  const byProject = new Map<string, RolesByKey>()
  const ownId = ofProject ?? source.subject.projectId
  const ownFirst = roles.toSorted((one, other) => Number(other.projectId === ownId) - Number(one.projectId === ownId))
  const { kept, isCut } = await withinRoles(app, ownFirst)
  for (const { projectId, roleKey, organizationId, domain } of kept) {
    const ofThis = byProject.get(projectId) ?? {}
    ofThis[roleKey] = { ...ofThis[roleKey], [organizationId]: domain }
    byProject.set(projectId, ofThis)
  }
  const own = byProject.get(ownId)
  return {
    ...(own !== undefined && { 'urn:zitadel:iam:org:project:roles': own }),
    ...Object.fromEntries([...byProject].map(([id, keys]) => [`urn:zitadel:iam:org:project:${id}:roles`, keys])),
    ...leftOut(isCut, 'urn:zitadel:iam:org:project:roles'),
  }
}

/** The claims about the user of a grant, with what listeners call the user by. */
export async function claimsOf(
  app: App,
  source: ClaimSource,
  groups: ClaimGroups,
): Promise<JsonObject & { readonly sub: string }> {
  const scopes = readScopes(source.scope)
  const told = source.told ?? (await toldOf(app, source))
  const [organization, metadata, ofGroups, roles] = await Promise.all([
    organizationClaims(app, source, scopes),
    metadataClaim(told, scopes),
    groupClaims(told, scopes),
    groups.hasRoles ? roleClaims(app, source, scopes, groups.rolesOfProject) : {},
  ])
  const profile = groups.hasProfile && profileClaims(source, told, app.externalUrl)
  return { ...joined({ ...profile }, organization, metadata, ofGroups, roles), sub: told.id }
}

/** The standard claims that a `claims` parameter asks for in one place (OpenID Connect Core §5.5). */
export function requestedClaims(parameter: string | undefined, place: 'userinfo' | 'id_token'): readonly string[] {
  if (parameter === undefined) return []
  const parsed = JSON.parse(parameter) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  return Object.keys(parsed[place] ?? {}).filter((name) => USER_CLAIMS.includes(name))
}
