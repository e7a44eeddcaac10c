/**
 * The instance keeps an owner who can sign in, also when two owners go at the same moment. Whoever lets one go names
 * another as a witness and guards that one's membership, user and organization: if the witness goes first, the write
 * is done again and finds no witness.
 */
import { refused } from '../../kernel/refusal.ts'
import type { Store, Work } from '../../store/index.ts'
import { organizations } from '../organizations/index.ts'
import { users } from '../users/index.ts'
import { isInstanceOwner, type Member, type Membership } from './decider.ts'
import { membershipId, memberships, ownersOf } from './documents.ts'
import { membershipRefusals } from './refusals.ts'

const AT_ONCE = 100

function isMember(state: Membership | undefined): state is Member {
  return state?.status === 'member'
}

/** Whether this owner stays and can sign in; guarded until the commit. */
async function isGoodWitness(work: Work, membershipId: string): Promise<boolean> {
  const state = (await work.get(memberships, membershipId))?.state
  if (!isMember(state) || !isInstanceOwner(state)) return false
  const user = await work.get(users, state.userId)
  if (user?.state.status !== 'active' && user?.state.status !== 'initial') return false
  return (await work.get(organizations, user.owner))?.state.status === 'active'
}

/** Whether the instance has an owner among those that `counts` lets count. */
export async function hasOwner(
  store: Store,
  work: Work,
  instanceId: string,
  counts: (member: Member) => boolean,
): Promise<boolean> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const where = ownersOf(instanceId)
    const { documents } = await store.find(memberships, { where, orderBy: 'addedAt', limit: AT_ONCE, offset })
    for (const { id, state } of documents) {
      if (isMember(state) && counts(state) && (await isGoodWitness(work, id))) return true
    }
    if (documents.length < AT_ONCE) return false
  }
}

/** Before an organization is closed: throws when the last owner of the instance is among its users. */
export function keepAnOwner(store: Store, instanceId: string) {
  return async (work: Work, organizationId: string): Promise<void> => {
    const outside = (member: Member) => member.userOrganizationId !== organizationId
    if (await hasOwner(store, work, instanceId, outside)) return
    throw refused(membershipRefusals, 'membership.last_owner')
  }
}

/** Before a user is locked out: throws when they are the last owner of the instance. */
export function keepAnOwnerBeside(store: Store, instanceId: string) {
  return async (work: Work, userId: string): Promise<void> => {
    const own = (await work.get(memberships, membershipId(instanceId, userId)))?.state
    if (!isMember(own) || !isInstanceOwner(own)) return
    if (await hasOwner(store, work, instanceId, (member) => member.userId !== userId)) return
    throw refused(membershipRefusals, 'membership.last_owner')
  }
}
