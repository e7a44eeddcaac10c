/** Finds the group of a call, and checks the permission of the method on its organization. */

import type { Call } from '../../access/call.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import type { LivingGroup } from './decider.ts'
import { findGroup } from './documents.ts'
import { groupRefusals } from './refusals.ts'

/** The group, if the caller holds the permission of the method on it; undefined when there is none. */
export async function groupIfAny(app: App, call: Call, id: string): Promise<Document<LivingGroup> | undefined> {
  const document = await findGroup(app.store, id)
  // The caller holds the permission somewhere, and there is nothing to hold it on.
  if (document === undefined) call.visibleOwners()
  else call.authorize(document.owner)
  return document
}

/** As above; throws `group.not_found`. Who may not see all groups is not told which of them exist elsewhere. */
export async function groupForCaller(app: App, call: Call, id: string): Promise<Document<LivingGroup>> {
  const document = await groupIfAny(app, call, id)
  if (document !== undefined) return document
  throw call.visibleOwners() === 'all'
    ? refused(groupRefusals, 'group.not_found')
    : refused(accessRefusals, 'access.not_found')
}

/** For a method that adds users to the group or removes some: throws `group.missing`. */
export async function groupToFill(app: App, call: Call, id: string): Promise<Document<LivingGroup>> {
  const document = await groupIfAny(app, call, id)
  if (document === undefined) throw refused(groupRefusals, 'group.missing')
  return document
}
