/** Who may administer a realm: in Keycloak these are roles of a client of its own. */
import { type Read, remark } from '../read.ts'
import type { RealmPlace } from './place.ts'
import { ADMINISTRATION, type Role } from './roles.ts'

/** Roles of Keycloak that make somebody an administrator here, from the most powerful on. */
const ROLES: readonly (readonly [needed: string, organization: string, instance: string])[] = [
  ['realm-admin', 'ORG_OWNER', 'IAM_OWNER'],
  ['manage-realm', 'ORG_OWNER', 'IAM_OWNER'],
  ['manage-users', 'ORG_USER_MANAGER', 'IAM_USER_MANAGER'],
  ['view-realm', 'ORG_OWNER_VIEWER', 'IAM_OWNER_VIEWER'],
]

/** What a user administers here. A viewer of users alone gets nothing: there is no such role. */
export function* administratorOf(
  user: { readonly id: string; readonly userName: string },
  roles: readonly Role[],
  place: RealmPlace,
): Generator<Read> {
  const held = roles.filter(({ client }) => client === ADMINISTRATION).map(({ name }) => name)
  if (held.length === 0) return
  const found = ROLES.find(([needed]) => held.includes(needed))
  if (found === undefined) {
    yield remark('user', user.userName, `The rights ${held.sort().join(', ')} have no equivalent.`)
    return
  }
  const [, organization, instance] = found
  const isInstance = place.target === 'instance'
  yield {
    kind: 'administrator',
    id: `${place.realmId} ${user.id}`,
    organizationId: isInstance ? '' : place.realmId,
    createdAt: place.exportedAt,
    changedAt: place.exportedAt,
    userId: user.id,
    level: isInstance ? 'instance' : 'organization',
    objectId: isInstance ? '' : place.realmId,
    roles: [isInstance ? instance : organization],
  }
}
