/**
 * Whether a user may act now: the user is active, and so is their organization. Everything that lets somebody sign in,
 * get a token or use one asks here. What is closed above a user closes the user.
 */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Reader } from '../../store/index.ts'
import { activeOrganization, type LivingOrganization } from '../organizations/index.ts'
import { users } from './documents.ts'
import { userRefusals } from './refusals.ts'
import { type HumanUser, isLiving, type LivingUser, type MachineUser, mayAct } from './state.ts'

/** A user who may act now, with their organization. */
export interface ActivePerson {
  readonly user: Document<LivingUser>
  readonly organization: Document<LivingOrganization>
}

/** A user, and what keeps them from acting. */
interface StoppedPerson {
  readonly user: Document<LivingUser>
  readonly stoppedBy: 'user' | 'organization'
}

/** A user who exists, and whether they may act now. */
export type Person = ActivePerson | StoppedPerson

/**
 * The user with this ID, and what keeps them from acting, if something does; undefined when there is no such user. For
 * those who must tell the reasons apart; others ask `activePerson`. Inside a work, both documents are guarded until the
 * commit. A caller who knows the organization of the user names it, so that both are read at once.
 */
export async function findUserStanding(
  reader: Reader,
  userId: string,
  organizationId?: string,
): Promise<Person | undefined> {
  const [found, known] = await Promise.all([
    reader.get(users, userId),
    organizationId === undefined ? undefined : activeOrganization(reader, organizationId),
  ])
  if (found === undefined || !isLiving(found.state)) return undefined
  const user = found as Document<LivingUser>
  if (!mayAct(user.state)) return { user, stoppedBy: 'user' }
  const organization = known?.id === user.owner ? known : await activeOrganization(reader, user.owner)
  return organization === undefined ? { user, stoppedBy: 'organization' } : { user, organization }
}

/** The user with this ID, if they may act now; undefined when they may not, or when there is no such user. */
export async function activePerson(
  reader: Reader,
  userId: string,
  organizationId?: string,
): Promise<ActivePerson | undefined> {
  const person = await findUserStanding(reader, userId, organizationId)
  return person !== undefined && 'organization' in person ? person : undefined
}

async function requireActive(reader: Reader, userId: string, type: LivingUser['type']): Promise<Document<LivingUser>> {
  const person = await findUserStanding(reader, userId)
  if (person === undefined) throw refused(userRefusals, 'user.not_found')
  if (person.user.state.type !== type) throw refused(userRefusals, `user.not_${type}`)
  if ('organization' in person) return person.user
  throw refused(userRefusals, person.stoppedBy === 'user' ? 'user.not_active' : 'user.organization_inactive')
}

/** The human user with this ID; throws unless they may act now. Inside a work that is guarded until the commit. */
export async function readActiveHuman(reader: Reader, userId: string): Promise<Document<HumanUser>> {
  return (await requireActive(reader, userId, 'human')) as Document<HumanUser>
}

/** The machine user with this ID; throws unless it may act now. Inside a work that is guarded until the commit. */
export async function readActiveMachine(reader: Reader, userId: string): Promise<Document<MachineUser>> {
  return (await requireActive(reader, userId, 'machine')) as Document<MachineUser>
}
