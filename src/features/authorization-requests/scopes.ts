/** The scopes that the server knows, and what they ask for. Unknown scopes are dropped. */
import { SizedCache } from '../../kernel/sized-cache.ts'

const ORGANIZATION = 'urn:zitadel:iam:org:id:'
const ORGANIZATION_DOMAIN = 'urn:zitadel:iam:org:domain:primary:'
const ROLES_OF_ORGANIZATION = 'urn:zitadel:iam:org:roles:id:'
const PROJECT_AUDIENCE = /^urn:zitadel:iam:org:project:id:([^:\s]{1,200}):aud$/
export const PROJECT_ROLE = 'urn:zitadel:iam:org:project:role:'
const PROVIDER = 'urn:zitadel:iam:org:idp:id:'

/** Asks for the roles of all projects in the audience. */
const ALL_ROLES = 'urn:zitadel:iam:org:projects:roles'
export const METADATA = 'urn:zitadel:iam:user:metadata'
/** Both ask for the groups of the user: by name, as other servers do, and by ID and name. */
export const GROUPS = 'groups'
export const GROUPS_WITH_IDS = 'urn:zitadel:iam:user:groups'
export const RESOURCE_OWNER = 'urn:zitadel:iam:user:resourceowner'

/** The scopes of OpenID Connect, in the order of the discovery document. */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const

/** The scopes about the user alone, which name no project, organization or role. */
export function signInScope(scope: string): string {
  return scope
    .split(' ')
    .filter((one) => STANDARD_SCOPES.some((known) => known === one))
    .join(' ')
}

/** The scopes that contain no value. */
export const FIXED_SCOPES: ReadonlySet<string> = new Set([
  ...STANDARD_SCOPES,
  ALL_ROLES,
  METADATA,
  RESOURCE_OWNER,
  GROUPS,
  GROUPS_WITH_IDS,
])

/** The name by which applications ask for the audience of our own API. */
const OWN_API: ReadonlySet<string> = new Set(['zitadel', 'signet'])

/** What the scopes of a request ask for. */
export interface Scopes {
  /** All known scopes, in the order of the request. */
  readonly known: readonly string[]
  readonly organizationIds: readonly string[]
  readonly organizationDomains: readonly string[]
  /** Only roles that these organizations gave; empty: of all. */
  readonly rolesOfOrganizations: readonly string[]
  /** Projects that the token is for as well. */
  readonly projectIds: readonly string[]
  /** Whether the token is for our own API. */
  readonly isForApi: boolean
  readonly roleKeys: readonly string[]
  readonly wantsAllRoles: boolean
  readonly providerId: string | undefined
}

function valuesOf(scopes: readonly string[], prefix: string): readonly string[] {
  return scopes
    .filter((scope) => scope.startsWith(prefix) && scope !== prefix)
    .map((scope) => scope.slice(prefix.length))
}

/** The scopes that end with a value. */
export const SCOPE_PREFIXES: readonly string[] = [
  ORGANIZATION,
  ORGANIZATION_DOMAIN,
  ROLES_OF_ORGANIZATION,
  PROJECT_ROLE,
  PROVIDER,
]

function isKnown(scope: string): boolean {
  return (
    FIXED_SCOPES.has(scope) ||
    PROJECT_AUDIENCE.test(scope) ||
    SCOPE_PREFIXES.some((prefix) => scope.startsWith(prefix) && scope !== prefix)
  )
}

/** How many scopes a request can name, and how long they can be together. */
const MOST_SCOPES = 200
export const MOST_SCOPE_CHARACTERS = 8_192

/** What is wrong with the size of a `scope` parameter. */
export function scopeSizeProblem(text: string): string | undefined {
  if (text.length > MOST_SCOPE_CHARACTERS) return `the scopes are longer than ${MOST_SCOPE_CHARACTERS} characters`
  return text.split(' ').length > MOST_SCOPES ? `there are more than ${MOST_SCOPES} scopes` : undefined
}

/** Applications send the same few texts again and again. */
const remembered = new SizedCache<Scopes>({ characters: 1_000_000, longest: 4_096 })

/** Reads the value of a `scope` parameter. */
export function readScopes(text: string): Scopes {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const scopes = parseScopes(text)
  remembered.set(text, scopes)
  return scopes
}

function parseScopes(text: string): Scopes {
  const known = [...new Set(text.split(' '))].filter(isKnown)
  const audiences = known.flatMap((scope) => PROJECT_AUDIENCE.exec(scope)?.[1] ?? [])
  return {
    known,
    organizationIds: [...new Set(valuesOf(known, ORGANIZATION))],
    organizationDomains: [...new Set(valuesOf(known, ORGANIZATION_DOMAIN))],
    rolesOfOrganizations: valuesOf(known, ROLES_OF_ORGANIZATION),
    projectIds: audiences.filter((id) => !OWN_API.has(id)),
    isForApi: audiences.some((id) => OWN_API.has(id)),
    roleKeys: valuesOf(known, PROJECT_ROLE),
    wantsAllRoles: known.includes(ALL_ROLES),
    providerId: valuesOf(known, PROVIDER)[0],
  }
}
