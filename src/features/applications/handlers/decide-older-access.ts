/**
 * Applications from before there was a limit to what they do with our API get one at the first start: the organization,
 * which they had, unless somebody controls them who is no owner of it. Decided once, so that nobody gets more by leaving.
 */
import { mayAllow } from '../../../access/api-access.ts'
import type { ProjectScope } from '../../../access/call.ts'
import { holdsIn } from '../../../access/roles.ts'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { ApiAccess } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import { grantOf, grantsOf, memberships, membersIn } from '../../memberships/index.ts'
import { applications } from '../documents.ts'
import { isLiving } from '../state.ts'

const BATCH = 100

/** Whether only owners of the organization can change the applications of a project. */
async function isInHandsOfOwners(app: App, place: ProjectScope): Promise<boolean> {
  const where = membersIn({ level: 'project', id: place.projectId, place })
  for (let offset = 0; ; offset += BATCH) {
    const { documents } = await app.store.find(memberships, { where, orderBy: 'id', limit: BATCH, offset })
    for (const { state } of documents) {
      if (state.status === 'none' || !holdsIn(grantOf(state), 'project.app.write', place)) continue
      if (!mayAllow(await grantsOf(app, state.userId), 'organization', place)) return false
    }
    if (documents.length < BATCH) return true
  }
}

/** Decides for those that have none yet. Safe when several nodes start at once. */
export async function decideOlderAccess(app: App): Promise<void> {
  const known = new Map<string, ApiAccess>()
  for (;;) {
    // Those without one come first.
    const { documents } = await app.store.find(applications, { orderBy: 'apiAccess', limit: BATCH })
    const older = documents.flatMap(({ id, owner, state }) =>
      isLiving(state) && state.api === undefined ? [{ id, place: { projectId: state.projectId, ownerId: owner } }] : [],
    )
    if (older.length === 0) return
    for (const { place } of older) {
      if (known.has(place.projectId)) continue
      known.set(place.projectId, (await isInHandsOfOwners(app, place)) ? 'organization' : 'project')
    }
    await app.store.write({ actor: 'server', at: app.clock() }, (work) =>
      eachAtOnce(older, async ({ id, place }) => {
        const state = (await work.get(applications, id))?.state
        if (state === undefined || !isLiving(state) || state.api !== undefined) return
        const access = known.get(place.projectId) ?? 'project'
        await work.decide(applications, id, { type: 'set_api_access', access, allowedBy: '' })
      }),
    )
  }
}
