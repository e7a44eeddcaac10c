/** Ends the sync of directories: users and groups stay, their marks go, in small commits. */

import { eachAtOnce } from '../../kernel/each-at-once.ts'
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import type { Origin, Work } from '../../store/index.ts'
import { groups, releaseGroup } from '../groups/index.ts'
import { releaseUser, users } from '../users/index.ts'

/** The job that takes the marks away. */
const ENDED = 'directory.ended'
/** More marks in one commit would delay other requests. */
const AT_ONCE = 100

/** Whose marks are meant. */
export interface Managed {
  readonly organizationId: string
  /** Undefined: those of all directories. */
  readonly directoryId?: string | undefined
}

/** The condition that is met by what a directory manages. */
export function managedBy({ organizationId, directoryId }: Managed) {
  const mark =
    directoryId === undefined
      ? ({ field: 'directory', above: '' } as const)
      : ({ field: 'directory', equals: directoryId } as const)
  return { all: [{ field: 'owner', equals: organizationId } as const, mark] }
}

/** Begins to take the marks away, as part of a write. */
export function endSync(work: Work, managed: Managed): void {
  work.enqueue({ kind: ENDED, data: managed })
}

async function releaseSome(app: App, managed: Managed, origin: Origin): Promise<number> {
  const where = managedBy(managed)
  const userIds = await app.store.findIds(users, where, AT_ONCE)
  const groupIds = userIds.length > 0 ? [] : await app.store.findIds(groups, where, AT_ONCE)
  if (userIds.length + groupIds.length === 0) return 0
  await app.store.write(origin, async (work) => {
    // Who is removed meanwhile has no mark any more.
    await eachAtOnce(userIds, async (id) => (await work.get(users, id)) && releaseUser(work, id))
    await eachAtOnce(groupIds, async (id) => (await work.get(groups, id)) && releaseGroup(work, id))
  })
  return userIds.length + groupIds.length
}

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function directoryJobs(app: App): JobGroup {
  return {
    handlers: {
      async [ENDED]({ data, signal }) {
        for (let released = 1; released > 0; ) {
          signal.throwIfAborted()
          released = await releaseSome(app, data as Managed, { actor: 'server', at: app.clock() })
        }
      },
    },
  }
}
