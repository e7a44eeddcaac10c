/** Notes that a session is still used, at most once a day, so that its owner can tell it from one that is forgotten. */
import type { Instant } from '../../../kernel/instant.ts'
import { type App, perApp } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import type { OpenSession } from '../state.ts'

const DAY_MS = 86_400_000
const MOST_AT_ONCE = 100

const notedBy = perApp(() => new Set<string>())

/** Does not let the request wait. Uses beyond what can be written at once are noted with a later one. */
export function noteSessionUse(app: App, { id, changedAt }: Document<OpenSession>, at: Instant): void {
  const noted = notedBy(app)
  if (at - changedAt < DAY_MS || noted.has(id) || noted.size >= MOST_AT_ONCE) return
  noted.add(id)
  app.store
    .write({ actor: 'server', at }, async (work) => {
      const known = await work.get(sessions, id)
      // Another node may have been faster.
      if (known !== undefined && at - known.changedAt >= DAY_MS) await work.decide(sessions, id, { type: 'use', at })
    })
    .catch((error: unknown) => app.log.warn({ err: error }, 'the use of a session was not noted'))
    .finally(() => noted.delete(id))
}
