/** Adds, changes and removes groups. */

import type { Call } from '../../../access/call.ts'
import { nameProblem } from '../../../kernel/name.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { type Document, isStorableText, type Origin, type Work, type Written } from '../../../store/index.ts'
import { chosenIdProblem, findOrganization } from '../../organizations/index.ts'
import type { Group } from '../decider.ts'
import { groups } from '../documents.ts'
import type { GroupTexts } from '../events.ts'
import { groupRefusals } from '../refusals.ts'
import { changeTexts } from './managed.ts'

type WrittenGroup = Promise<Written<Document<Group>>>

/** The job that removes the members, the roles and the metadata of a removed group. */
export const GROUP_REMOVED = 'group.removed'

export interface NewGroup extends GroupTexts {
  readonly organizationId: string
  /** If undefined, the server chooses one. */
  readonly id?: string | undefined
}

/** Throws unless a group can have these texts. */
export function checkTexts({ name, description }: Partial<GroupTexts>): void {
  const problem = name === undefined ? undefined : nameProblem(name)
  if (problem !== undefined) {
    throw refused(groupRefusals, 'group.name_invalid', { violations: [{ field: 'name', description: problem }] })
  }
  if (description === undefined || isStorableText(description)) return
  const violations = [{ field: 'description', description: 'must not contain characters that cannot be stored' }]
  throw refused(groupRefusals, 'group.description_invalid', { violations })
}

/** Adds a group to an organization, which must exist until the commit, as part of a write. */
export async function addGroupIn(
  app: App,
  work: Work,
  { id: chosen, organizationId, ...texts }: NewGroup,
): Promise<Document<Group>> {
  checkTexts(texts)
  if ((await findOrganization(work, organizationId)) === undefined) {
    throw refused(groupRefusals, 'group.organization_not_found')
  }
  const id = chosen ?? (await work.unusedId(groups, app.newId))
  const description =
    chosen === undefined ? undefined : await chosenIdProblem(app, work, { kind: 'group', id, organizationId })
  if (description !== undefined) {
    throw refused(groupRefusals, 'group.id_invalid', { violations: [{ field: 'id', description }] })
  }
  return work.decide(groups, id, { type: 'add', organizationId, ...texts }, organizationId)
}

/** Adds a group to an organization. */
export function addGroup(app: App, call: Call, group: NewGroup): WrittenGroup {
  return app.store.write(call.origin, (work) => addGroupIn(app, work, group))
}

/** Changes the texts that are given. */
export function changeGroup(app: App, call: Call, id: string, texts: Partial<GroupTexts>): WrittenGroup {
  checkTexts(texts)
  return app.store.write(call.origin, (work) => changeTexts(work, id, texts))
}

/** Removes a group as part of a write. */
export function removeGroupIn(work: Work, id: string): Promise<Document<Group>> {
  work.enqueue({ kind: GROUP_REMOVED, data: { groupId: id } })
  return work.decide(groups, id, { type: 'remove' })
}

/**
 * Removes a group; `check` can refuse it in the same write. From the commit on nobody has anything through it; a job removes
 * what belonged to it.
 */
export function removeGroup(app: App, call: Call, id: string, check?: (work: Work) => Promise<void>): WrittenGroup {
  return app.store.write(call.origin, async (work) => {
    await check?.(work)
    return removeGroupIn(work, id)
  })
}

/** Removes up to `limit` groups of a removed organization; answers how many. */
export async function removeGroupsOf(app: App, organizationId: string, origin: Origin, limit: number): Promise<number> {
  const ids = await app.store.findIds(groups, { field: 'owner', equals: organizationId }, limit)
  if (ids.length === 0) return 0
  await app.store.write(origin, async (work) => {
    for (const id of ids) await removeGroupIn(work, id)
  })
  return ids.length
}
