/** The grants of a user, and whether a caller has the same permissions. */

import type { Call, Grant } from '../../access/call.ts'
import { type Reach, reaches } from '../../access/paths.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { covers } from '../../access/roles.ts'
import { eachAtOnce } from '../../kernel/each-at-once.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import {
  computation,
  type Document,
  type Filter,
  type Finder,
  type Origin,
  type Reader,
  type Work,
} from '../../store/index.ts'
import { activeOrganization, findOrganization } from '../organizations/index.ts'
import { isInstanceOwner, type Membership } from './decider.ts'
import { grantOf, isAtHome, type MembershipField, membershipId, memberships, organizationsOf } from './documents.ts'
import { membershipRefusals } from './refusals.ts'

const PAGE_SIZE = 1000

const grants = computation({ name: 'grants', compute: findGrants })
const allGrants = computation({
  name: 'all grants',
  compute: (finder, userId: string) => findAllGrants(finder, userId),
})
const homeGrants = computation({
  name: 'home grants',
  async compute(finder, instanceId: string, userId: string) {
    const onInstance = (await finder.get(memberships, membershipId(instanceId, userId)))?.state
    if (onInstance !== undefined && isInstanceOwner(onInstance)) return grantOf(onInstance)
    return findAllGrants(finder, userId, isAtHome)
  },
})

/**
 * The grants that decide what a user may do. Of an owner of the instance these are the roles on the instance: who creates
 * organizations becomes an owner of each, and no call may take longer because of thousands of them. Does not check whether
 * the user still exists.
 */
export function grantsOf({ store, instanceId }: App, userId: string): Promise<readonly Grant[]> {
  return store.computed(grants, instanceId, userId)
}

/** Reads the documents each time: for a value that is computed from them. */
export async function findGrants(finder: Finder, instanceId: string, userId: string): Promise<readonly Grant[]> {
  const onInstance = (await finder.get(memberships, membershipId(instanceId, userId)))?.state
  const isOwner = onInstance !== undefined && isInstanceOwner(onInstance)
  return isOwner ? grantOf(onInstance) : findAllGrants(finder, userId)
}

/** All grants of a user, for an application that gets only some of them. */
export function allGrantsOf({ store }: App, userId: string): Promise<readonly Grant[]> {
  return store.computed(allGrants, userId)
}

/**
 * The grants of a user on the instance and in their own organization. Those alone decide who may act on the user: a role
 * that another organization gives takes no power away from the one that the user belongs to.
 */
export function homeGrantsOf({ store, instanceId }: App, userId: string): Promise<readonly Grant[]> {
  return store.computed(homeGrants, instanceId, userId)
}

/**
 * What a membership gives now. Nothing changes in an organization that is deactivated except by a role on the instance,
 * and a role in one that was removed is gone at once. Inside a work, the organizations are guarded until the commit.
 */
export async function currentGrantOf(reader: Reader, state: Membership): Promise<readonly Grant[]> {
  const ids = organizationsOf(state)
  const found = await Promise.all(ids.map((id) => findOrganization(reader, id)))
  if (found.includes(undefined)) return []
  const active = await Promise.all(ids.map((id) => activeOrganization(reader, id)))
  return !active.includes(undefined) ? grantOf(state) : grantOf(state).map((grant) => ({ ...grant, isClosed: true }))
}

async function findAllGrants(
  finder: Finder,
  userId: string,
  counts: (member: Membership) => boolean = () => true,
): Promise<readonly Grant[]> {
  const where: Filter<MembershipField> = { field: 'userId', equals: userId }
  const grants: Grant[] = []
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { documents } = await finder.find(memberships, { where, orderBy: 'id', limit: PAGE_SIZE, offset })
    const counted = documents.filter(({ state }) => counts(state))
    grants.push(...(await Promise.all(counted.map(({ state }) => currentGrantOf(finder, state)))).flat())
    if (documents.length < PAGE_SIZE) return grants
  }
}

/**
 * Whether the caller holds all that a user holds at home: who controls the address or a credential of a user can become
 * them. What counts is the token that was shown. It may hold less than its own user, when an application got it.
 */
export async function isCovered(app: App, { caller }: Pick<Call, 'caller'>, userId: string): Promise<boolean> {
  return covers(caller.grants, await homeGrantsOf(app, userId))
}

/** Throws `user.above_own` unless the caller has all permissions of a user. */
export async function requireCovers(app: App, call: Pick<Call, 'caller'>, userId: string): Promise<void> {
  if (!(await isCovered(app, call, userId))) throw refused(membershipRefusals, 'user.above_own')
}

/**
 * Throws unless the caller holds a permission over a user: where the user belongs, and with a token that covers them.
 * That the caller is the user does not count.
 */
export async function requirePower(
  app: App,
  call: Call,
  permission: string,
  { id, owner }: Pick<Document<unknown>, 'id' | 'owner'>,
): Promise<void> {
  if (!call.may(permission, owner)) throw refused(accessRefusals, 'access.forbidden')
  await requireCovers(app, call, id)
}

/** What people sign in through, or are kept out by: of the instance, or of an organization with a reach. */
export interface Path {
  readonly owner: string
  /** Not given: an owner's. */
  readonly reach?: Reach | undefined
}

/**
 * Whether a user uses a path: its reach covers all that they hold at home. Otherwise they use what the instance has
 * instead. Paths of the instance are for everybody.
 */
export async function mayUsePath(app: App, { owner, reach }: Path, userId: string): Promise<boolean> {
  return owner === app.instanceId || reaches(reach, owner, await homeGrantsOf(app, userId))
}

/** Ends up to `limit` memberships in an organization that was removed; answers how many there were. */
export async function removeMembershipsIn(
  { store }: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const where: Filter<MembershipField> = {
    all: [
      { field: 'scopeId', equals: organizationId },
      { field: 'level', equals: 'organization' },
    ],
  }
  const { value } = await store.write(origin, (work) => endMemberships({ store }, work, where, limit))
  return value
}

/** Ends up to `limit` memberships that meet a condition, none of them on the instance; answers how many there were. */
export async function endMemberships(
  { store }: Pick<App, 'store'>,
  work: Work,
  where: Filter<MembershipField>,
  limit: number,
): Promise<number> {
  const ids = await store.findIds(memberships, where, limit)
  await eachAtOnce(ids, async (id) => {
    const before = await work.get(memberships, id)
    if (before?.state.status === 'member') await work.decide(memberships, id, { type: 'remove', hasOtherOwner: true })
  })
  return ids.length
}
