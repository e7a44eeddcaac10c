/** Adds users to organizations, and changes usernames. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { activeOrganization, chosenIdProblem, findOrganization } from '../../organizations/index.ts'
import type { UserCommand } from '../decider.ts'
import { users } from '../documents.ts'
import { problem, refuseProblems } from '../field-problems.ts'
import { isNameFree, scopeForName } from '../name-scope.ts'
import { userRefusals } from '../refusals.ts'
import type { User } from '../state.ts'
import { decideUser } from './managed.ts'

/** Throws unless the organization exists and is active; guards that until the commit. */
export async function requireActiveOrganization(work: Work, organizationId: string): Promise<void> {
  if ((await activeOrganization(work, organizationId)) !== undefined) return
  const isThere = (await findOrganization(work, organizationId)) !== undefined
  throw refused(userRefusals, isThere ? 'user.organization_inactive' : 'user.organization_not_found')
}

/** Throws, and names the field, unless a caller can choose this ID for a user of the organization. */
export async function requireChosenId(
  app: App,
  work: Work,
  { userId, organizationId, field }: { userId: string | undefined; organizationId: string; field: string },
): Promise<void> {
  if (userId === undefined) return
  const description = await chosenIdProblem(app, work, { kind: 'user', id: userId, organizationId })
  refuseProblems(problem('user.field_invalid', field, description))
}

type AddMachine = Extract<UserCommand, { type: 'add_machine' }>

interface NewMachineUser {
  /** Chosen by the caller; otherwise generated in the write. */
  readonly userId?: string | undefined
  readonly organizationId: string
  /** Without a name, the ID is the name. */
  readonly command: Omit<AddMachine, 'userName'> & { readonly userName?: string | undefined }
}

/** An ID that is free as a name, too. */
async function unusedIdAndName(app: App, work: Work, organizationId: string): Promise<string> {
  for (;;) {
    const userId = await work.unusedId(users, app.newId)
    if (await isNameFree(app, organizationId, userId)) return userId
  }
}

/** Adds a machine user to an active organization as part of a write. */
export async function addMachineTo(app: App, work: Work, machine: NewMachineUser): Promise<Document<User>> {
  const { organizationId, command } = machine
  const draw = () =>
    command.userName === undefined ? unusedIdAndName(app, work, organizationId) : work.unusedId(users, app.newId)
  const userId = machine.userId ?? (await draw())
  const { userName = userId } = command
  // In parallel, so that a remote database costs one round trip.
  const [, scope] = await Promise.all([
    requireActiveOrganization(work, organizationId),
    scopeForName(app, work, { userId, organizationId, userName }),
    requireChosenId(app, work, { userId: machine.userId, organizationId, field: 'userId' }),
  ])
  return work.decide(users, userId, { ...command, userName, ...scope }, organizationId)
}

/** Changes the username of a user as part of a write; refused when the user already has it. */
export async function changeUserName(
  app: App,
  work: Work,
  { id: userId, owner: organizationId }: Document<User>,
  userName: string,
): Promise<Document<User>> {
  const scope = await scopeForName(app, work, { userId, organizationId, userName })
  return decideUser(work, userId, { type: 'change_username', userName, at: work.origin.at, ...scope })
}

/** For requests that describe the desired state: the current name is no change. */
export async function renameUser(
  app: App,
  work: Work,
  user: Document<User>,
  userName: string,
): Promise<Document<User>> {
  const isSame = 'userName' in user.state && user.state.userName === userName
  return isSame ? user : changeUserName(app, work, user, userName)
}
