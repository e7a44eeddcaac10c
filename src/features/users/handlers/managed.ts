/** Users whom a directory manages: it marks them, and others change them only where the organization allows it. */
import type { Document, Reader, Work } from '../../../store/index.ts'
import { allowsManagedChanges } from '../../organizations/index.ts'
import type { UserCommand } from '../decider.ts'
import { users } from '../documents.ts'
import type { User } from '../state.ts'

/** Whether only a directory changes names, address, number and state of a user. */
export async function isManagedElsewhere(reader: Reader, userId: string): Promise<boolean> {
  const user = await reader.get(users, userId)
  const isManaged = user !== undefined && 'managedBy' in user.state && user.state.managedBy !== undefined
  return isManaged && !(await allowsManagedChanges(reader, user.owner))
}

/** Whether a directory manages the user, and this write may not change what it writes. */
export async function isHeldByDirectory(work: Work, userId: string): Promise<boolean> {
  const { directory, arrival } = work.origin
  return directory === undefined && arrival === undefined && (await isManagedElsewhere(work, userId))
}

/** Decides on what a directory may manage: with the evidence whether this write may change it. */
export async function decideUser(
  work: Work,
  userId: string,
  command: Exclude<UserCommand, { type: 'add_human' | 'add_machine' }>,
): Promise<Document<User>> {
  const isHeld = await isHeldByDirectory(work, userId)
  return work.decide(users, userId, isHeld ? command : { ...command, overridesDirectory: true })
}

/** The directory of a write. Only machine users are directories: what a person sends is a change like any other. */
export async function directoryOf(work: Work): Promise<string | undefined> {
  const { directory } = work.origin
  const caller = directory === undefined ? undefined : await work.get(users, directory)
  return caller !== undefined && 'type' in caller.state && caller.state.type === 'machine' ? directory : undefined
}

/** Marks a user as one whom the directory of this write manages. */
export async function manageUser(work: Work, userId: string): Promise<void> {
  const directoryId = await directoryOf(work)
  if (directoryId === undefined) return
  await work.decide(users, userId, { type: 'manage', directoryId, at: work.origin.at })
}

/** Takes the mark away; the user stays as it is. */
export function releaseUser(work: Work, userId: string): Promise<Document<User>> {
  return work.decide(users, userId, { type: 'release' })
}
