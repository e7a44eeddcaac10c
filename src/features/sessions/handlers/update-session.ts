/** Updates a session, for the API and for the hosted pages. */

import { newSessionToken } from '../../../crypto/tokens.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import type { SessionUpdate } from '../drafts.ts'
import type { UserAgent } from '../events.ts'
import { requireSessionChange, type SessionCaller } from '../session-access.ts'
import { hasExpired, type OpenSession } from '../state.ts'
import { recordExpiry } from './end-session.ts'
import type { Evidence, Gathering } from './gather-checks.ts'
import { type ChangedSession, prepareChange } from './prepare-change.ts'
import { recordChecks, recordRefusal } from './record-checks.ts'

/** Updates a session and renews its token. The previous one is no longer valid. */
export async function updateSession(app: App, caller: SessionCaller, update: SessionUpdate): Promise<ChangedSession> {
  const { sessionId } = update
  const { origin } = caller
  const evidence: Evidence = {}
  let expired: OpenSession | undefined
  let from: UserAgent | undefined
  const build = async (work: Work) => {
    const before = await work.get(sessions, sessionId)
    const changer = { bearer: caller.session, mayWithout: caller.mayWrite, covers: caller.covers }
    from = before?.state.status === 'open' ? before.state.userAgent : undefined
    const shownHash = await requireSessionChange(app, before, update, changer)
    const { text: token, hash } = newSessionToken(sessionId)
    const shown = shownHash === undefined ? {} : { shownHash }
    expired = before?.state.status === 'open' && hasExpired(before.state, origin.at) ? before.state : undefined
    if (before?.state.status !== 'open' || expired !== undefined) {
      // The decision will refuse it with the reason, so nothing is gathered.
      const nothing = { checks: [], challenges: {}, metadata: {}, defaultExpiresAt: origin.at, tokenHash: hash }
      const command = { type: 'update', ...shown, at: origin.at, ...nothing } as const
      return { session: await work.decide(sessions, sessionId, command), given: {}, token }
    }
    const gathering: Gathering = {
      caller,
      authorize: () => {},
      sessionId,
      isNew: false,
      session: before.state,
      draft: update.checks ?? {},
      evidence,
    }
    const { change, given } = await prepareChange(app, work, update, gathering, hash)
    const session = await work.decide(sessions, sessionId, { type: 'update', ...shown, ...change })
    await recordChecks(app, work, session, before.state)
    return { session, given, token }
  }
  try {
    const { value } = await app.store.write(origin, build)
    const { session, given, token } = value
    return { session: session as Document<OpenSession>, token, challenges: given }
  } catch (error) {
    await recordRefusal(app, caller, error, { evidence, sessionId, requestId: update.requestId, from })
    if (evidence.failed !== undefined) await recordFailure(app, caller, sessionId, evidence.failed)
    if (expired !== undefined) await recordExpiry(app, sessionId, expired, origin.at)
    throw error
  }
}

async function recordFailure(
  app: App,
  { origin }: SessionCaller,
  sessionId: string,
  check: NonNullable<Evidence['failed']>,
): Promise<void> {
  const command = { type: 'fail_check', check, at: origin.at } as const
  await app.store.write(origin, (work) => work.decide(sessions, sessionId, command))
}
