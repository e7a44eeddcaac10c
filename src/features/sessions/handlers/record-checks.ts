/** Passes on what became of the checks of a session, for the record of sign-ins. */

import { Refused } from '../../../kernel/refusal.ts'
import type { App, Whereabouts } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import type { SessionCaller } from '../session-access.ts'
import type { OpenSession, Session } from '../state.ts'
import type { Evidence } from './gather-checks.ts'

/** In the commit that stores the checks; the events of the session stay the last ones in it. */
export async function recordChecks(
  app: App,
  work: Work,
  { id, state: after }: Document<Session>,
  before: OpenSession | undefined,
): Promise<void> {
  await app.lifecycle.whenSessionChecked(app, work, { id, isNew: before === undefined, before, after })
  work.putLast(sessions, id)
}

/** After checks were refused. What else went wrong is not recorded. */
export async function recordRefusal(
  app: App,
  { origin }: SessionCaller,
  error: unknown,
  {
    evidence: { tried, refusal = error },
    ...known
  }: {
    readonly evidence: Evidence
    readonly sessionId?: string
    readonly requestId?: string | undefined
    readonly from?: Whereabouts | undefined
  },
): Promise<void> {
  if (tried === undefined || !(refusal instanceof Refused)) return
  const { check, person, organizationId } = tried
  const whose = { userId: person?.userId, organizationId: person?.organizationId ?? organizationId }
  await app.lifecycle.whenSignInRefused(app, { origin, check, code: refusal.code, ...whose, ...known })
}
