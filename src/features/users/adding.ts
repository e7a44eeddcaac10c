/** Adding a user to an organization, whoever asks for it: the checks on what was typed and on where the user goes. */
import type { Violation } from '../../kernel/refusal.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { organizations } from '../organizations/index.ts'
import type { UserCommand } from './decider.ts'
import { users } from './documents.ts'
import { scopeForName } from './name-scope.ts'
import { idProblem, lineProblem, nameProblem, paragraphProblem } from './names.ts'
import { userRefusals } from './refusals.ts'
import type { User } from './state.ts'

/** A field, and what is wrong with it if anything is. */
type Finding = readonly [field: string, problem: string | undefined]

function violationsOf(findings: readonly Finding[]): readonly Violation[] {
  const violations: Violation[] = []
  for (const [field, description] of findings) {
    if (description !== undefined) violations.push({ field, description })
  }
  return violations
}

/** Throws unless `userName` can be a user name; `field` is its name in the request. */
export function checkUserName(field: string, userName: string): void {
  const violations = violationsOf([[field, nameProblem(userName)]])
  if (violations.length > 0) throw refused(userRefusals, 'user.username_invalid', { violations })
}

/** Throws, naming every field, unless this text can be shown as a machine's name and description. */
export function checkMachineTexts(name: string, description: string, prefix = ''): void {
  const violations = violationsOf([
    [`${prefix}name`, lineProblem(name)],
    [`${prefix}description`, paragraphProblem(description)],
  ])
  if (violations.length > 0) throw refused(userRefusals, 'user.field_invalid', { violations })
}

/** Throws unless the id that a caller chose can be the id of a user. */
export function checkUserId(userId: string): void {
  const violations = violationsOf([['userId', idProblem(userId)]])
  if (violations.length > 0) throw refused(userRefusals, 'user.field_invalid', { violations })
}

/** Guards that the organization is there and active until the work is committed. */
export async function requireActiveOrganization(work: Work, organizationId: string): Promise<void> {
  const organization = await work.get(organizations, organizationId)
  if (organization === undefined) throw refused(userRefusals, 'user.organization_not_found')
  if (organization.state.status !== 'active') throw refused(userRefusals, 'user.organization_inactive')
}

export interface NewUser {
  readonly userId: string
  /** Whether the id was made for this user, and not chosen by a caller. */
  readonly isOwnId?: boolean
  readonly organizationId: string
  readonly command: Extract<UserCommand, { type: 'add_human' | 'add_machine' }>
}

/** Adds a user, as part of a write, to an organization that exists and is active. */
export async function addUserTo(
  store: Store,
  work: Work,
  { userId, isOwnId = false, organizationId, command }: NewUser,
): Promise<Document<User>> {
  // Side by side: a database that is far away is asked once.
  const [, scope] = await Promise.all([
    requireActiveOrganization(work, organizationId),
    scopeForName(store, work, { userId, organizationId, userName: command.userName }),
  ])
  const scoped = { ...command, ...scope }
  if (isOwnId) return work.begin(users, userId, scoped, organizationId)
  return work.decide(users, userId, scoped, organizationId)
}

/** Adds a user to an organization that exists and is active. */
export function addUser(store: Store, origin: Origin, user: NewUser): Promise<Written<Document<User>>> {
  return store.write(origin, (work) => addUserTo(store, work, user))
}
