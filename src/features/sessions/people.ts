/** The person that a request is about: found by id or login name, and guarded until the commit. */
import type { Work } from '../../store/index.ts'
import { organizationState } from '../organizations/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import { findByLoginName, isLiving, users } from '../users/index.ts'
import type { ChecksDraft } from './drafts.ts'
import type { SessionsNeeds } from './needs.ts'
import type { Person } from './objections.ts'

/** A user as they are now; undefined when there is none. A removal before the commit makes the work run again. */
export async function readPerson(
  { store, instanceId }: Pick<SessionsNeeds, 'store' | 'instanceId'>,
  work: Work,
  userId: string,
): Promise<Person | undefined> {
  const user = await work.get(users, userId)
  if (user === undefined || !isLiving(user.state)) return undefined
  const { owner: organizationId, state } = user
  // Not guarded: sessions that exist are refused when they are used, whatever happens to an organization meanwhile.
  const [organization, { login }] = await Promise.all([
    organizationState(store, organizationId),
    effectiveSettings(store, organizationId, instanceId),
  ])
  const isUsable = state.status === 'active' || state.status === 'initial'
  return { userId, organizationId, isUsable, isOrganizationActive: organization === 'active', login }
}

/** The person whom a user check names. */
export async function findPerson(
  needs: Pick<SessionsNeeds, 'store' | 'instanceId'>,
  work: Work,
  user: NonNullable<ChecksDraft['user']>,
): Promise<Person | undefined> {
  const userId = 'userId' in user ? user.userId : (await findByLoginName(needs.store, user.loginName))?.id
  return userId === undefined ? undefined : readPerson(needs, work, userId)
}
