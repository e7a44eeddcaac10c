/** Groups that a directory manages: it marks them, and others change name and members only where the organization allows it. */
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mayChangeManaged } from '../../organizations/index.ts'
import { directoryOf } from '../../users/index.ts'
import type { Group } from '../decider.ts'
import { findGroup, groups } from '../documents.ts'
import type { GroupTexts } from '../events.ts'
import { groupRefusals } from '../refusals.ts'

async function isHeldByDirectory(work: Work, groupId: string): Promise<boolean> {
  const found = await findGroup(work, groupId)
  return found?.state.managedBy !== undefined && !(await mayChangeManaged(work, found.owner))
}

/** Throws when the members of a group are those that a directory wants, and this write may not change them. */
export async function requireOwnMembers(work: Work, groupId: string): Promise<void> {
  if (await isHeldByDirectory(work, groupId)) throw refused(groupRefusals, 'group.managed')
}

/** Changes the texts of a group, with the evidence whether this write may change what a directory manages. */
export async function changeTexts(work: Work, id: string, texts: Partial<GroupTexts>): Promise<Document<Group>> {
  const isHeld = await isHeldByDirectory(work, id)
  return work.decide(groups, id, { type: 'change', texts, ...(!isHeld && { overridesDirectory: true }) })
}

/** Marks a group as one that the directory of this write manages. */
export async function manageGroup(work: Work, id: string): Promise<void> {
  const directoryId = await directoryOf(work)
  if (directoryId !== undefined) await work.decide(groups, id, { type: 'manage', directoryId, at: work.origin.at })
}

/** Takes the mark away; the group stays as it is. */
export function releaseGroup(work: Work, id: string): Promise<Document<Group>> {
  return work.decide(groups, id, { type: 'release' })
}
