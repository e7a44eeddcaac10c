/** Who may administer a realm: in Keycloak these are roles of a client of its own. */
import { type Read, remark } from '../read.ts'
import type { RealmPlace } from './place.ts'
import { ADMINISTRATION, type Role } from './roles.ts'

interface Rights {
  /** The rights that contain everything that the role may do here. */
  readonly needed: readonly string[]
  /** Rights that are contained in these, or in what the role may do. */
  readonly implied: readonly string[]
  readonly role: string
}

const OWNER = 'realm-admin'

/** Roles of an organization, each with the rights that it takes: no right of Keycloak is rounded up. */
const ROLES: readonly Rights[] = [
  {
    needed: ['manage-users'],
    implied: ['view-users', 'query-users', 'query-groups'],
    role: 'ORG_USER_MANAGER',
  },
  {
    needed: ['manage-realm', 'manage-identity-providers', 'view-users'],
    implied: ['view-realm', 'view-identity-providers', 'query-realms', 'query-users'],
    role: 'ORG_SETTINGS_MANAGER',
  },
  {
    needed: ['view-realm', 'view-users', 'view-clients', 'view-identity-providers'],
    implied: ['query-realms', 'query-users', 'query-groups', 'query-clients'],
    role: 'ORG_OWNER_VIEWER',
  },
]

/** What a user administers here: the organization of the realm, or as the owner of everything, the instance. */
export function* administratorOf(
  user: { readonly id: string; readonly userName: string },
  roles: readonly Role[],
  place: RealmPlace,
): Generator<Read> {
  const held = roles.filter(({ client }) => client === ADMINISTRATION).map(({ name }) => name)
  if (held.length === 0) return
  const isOwner = held.includes(OWNER)
  const isInstance = isOwner && place.target === 'instance'
  const found = isOwner ? [] : ROLES.filter(({ needed }) => needed.every((right) => held.includes(right)))
  const covered = new Set(found.flatMap(({ needed, implied }) => [...needed, ...implied]))
  const left = isOwner ? [] : held.filter((right) => !covered.has(right))
  if (left.length > 0)
    yield remark(
      'user',
      user.userName,
      `The rights ${left.sort().join(', ')} have no equivalent: the user has less here.`,
    )
  if (!isOwner && found.length === 0) return
  yield {
    kind: 'administrator',
    id: `${place.realmId} ${user.id}`,
    organizationId: isInstance ? '' : place.realmId,
    createdAt: place.exportedAt,
    changedAt: place.exportedAt,
    userId: user.id,
    level: isInstance ? 'instance' : 'organization',
    objectId: isInstance ? '' : place.realmId,
    roles: isOwner ? [isInstance ? 'IAM_OWNER' : 'ORG_OWNER'] : found.map(({ role }) => role),
  }
}
