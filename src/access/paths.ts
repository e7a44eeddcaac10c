/**
 * Paths: what people sign in through, or are kept out by, such as a provider or a lockout policy. Who controls a path
 * controls those who use it, so it carries its reach: the roles of whoever changed it last. It is of no effect for users
 * who hold more than that.
 */
import { ORGANIZATION_OWNER } from '../kernel/role.ts'
import type { Grant } from './call.ts'
import { covers } from './roles.ts'

/** The roles, in the organization that a path belongs to, of whoever changed it last. */
export type Reach = readonly string[]

/** The highest reach that a path of an organization has. Paths from before they carried a reach have this one, too. */
export const OWNERS_REACH: Reach = Object.freeze([ORGANIZATION_OWNER])

/** An organization of which nothing else is known, to compare what can be done in it. */
const ANY_ORGANIZATION = ''

function grantsOf(reach: Reach, organizationId: string): readonly Grant[] {
  return [{ scope: { organizationId }, roles: reach }]
}

/** How far somebody with these grants reaches in an organization; never further than its owner. */
export function reachIn(organizationId: string, grants: readonly Grant[]): Reach {
  if (covers(grants, grantsOf(OWNERS_REACH, organizationId))) return OWNERS_REACH
  const roles = grants.flatMap(({ scope, roles: held, isClosed }) => {
    const isThere = typeof scope === 'object' && 'organizationId' in scope && scope.organizationId === organizationId
    return isThere && isClosed !== true ? held : []
  })
  return [...new Set(roles)].sort()
}

/** Whether a path of an organization with this reach is for somebody with these grants. */
export function reaches(reach: Reach = OWNERS_REACH, organizationId: string, grants: readonly Grant[]): boolean {
  return covers(grantsOf(reach, organizationId), grants)
}

/**
 * The reach of a path that somebody saved; undefined when it stays as it is. Who saves it unchanged only raises it, and who
 * saves a part of it does not: they have not seen the rest. `by` is undefined for the server itself, which chooses nothing.
 */
export function reachAfter(
  before: Reach = OWNERS_REACH,
  by: Reach | undefined,
  { isChanged, isWhole = true }: { readonly isChanged: boolean; readonly isWhole?: boolean },
): Reach | undefined {
  if (by === undefined || by.join() === before.join()) return undefined
  const isHigher = reaches(by, ANY_ORGANIZATION, grantsOf(before, ANY_ORGANIZATION))
  return (isHigher ? isWhole : isChanged) ? by : undefined
}
