/** Gathers the data to create or update a session: checks, challenges and the lifetime. */

import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { effectiveSettings } from '../../settings/index.ts'
import { type SessionChange, session as sessionRules } from '../decider.ts'
import type { GivenChallenges, SessionDraft } from '../drafts.ts'
import { sessionRefusals } from '../refusals.ts'
import { evolveSession, type OpenSession } from '../state.ts'
import { type Gathering, gatherChecks } from './gather-checks.ts'
import { makeChallenges } from './make-challenges.ts'

/** 9999-12-31T23:59:59Z, the last whole second that every format can express. */
const LATEST = 253_402_300_799_000

/** A session after a change, with its new token, which is shown once and not stored. */
export interface ChangedSession {
  readonly session: Document<OpenSession>
  readonly token: string
  readonly challenges: GivenChallenges
}

/** A new session before its checks. */
export const BLANK_SESSION = evolveSession(sessionRules.initial, {
  type: 'session.created.v1',
  data: { creatorId: '', expiresAt: instant(0), hasOwnLifetime: false, secret: { tokenHash: '' } },
}) as OpenSession

/** Gathers all data of a request for the decision. */
export async function prepareChange(
  app: App,
  work: Work,
  draft: SessionDraft,
  gathering: Gathering,
  tokenHash: string,
): Promise<{ readonly change: SessionChange; readonly given: GivenChallenges }> {
  const { caller, sessionId, isNew, session } = gathering
  const { at } = caller.origin
  const hasUser = draft.checks !== undefined || draft.challenges !== undefined || session.user !== undefined
  const { person, checks } = hasUser
    ? await gatherChecks(app, work, gathering)
    : { person: undefined, checks: [] as const }
  const checkedUser = checks.some(({ check }) => check === 'user') && person !== undefined
  const user = checkedUser
    ? { user: { id: person.userId, organizationId: person.organizationId, checkedAt: at } }
    : undefined
  const { kept, given } = await makeChallenges(app, work, {
    caller,
    sessionId,
    session: { ...session, ...user },
    person,
    draft: draft.challenges ?? {},
  })
  // For a new session without a user.
  const login = person?.login ?? (isNew ? (await effectiveSettings(app, app.instanceId)).login : undefined)
  const expiresAt = draft.lifetimeMs === undefined ? undefined : after(at, draft.lifetimeMs)
  if (expiresAt !== undefined) checkLifetime(app, gathering, expiresAt)
  const change: SessionChange = {
    at,
    ...(person && { person }),
    checks,
    challenges: kept,
    metadata: draft.metadata ?? {},
    ...(expiresAt !== undefined && { expiresAt }),
    defaultExpiresAt: login === undefined ? session.endsAt : after(at, login.sessionLifetimeMs),
    tokenHash,
  }
  return { change, given }
}

function after(at: Instant, milliseconds: number): Instant {
  return instant(Math.min(at + Math.max(1, Math.ceil(milliseconds)), LATEST))
}

/** The holder of nothing but the token can make a session shorter, but never longer than it was meant to live. */
function checkLifetime(app: App, { caller, isNew, session }: Gathering, expiresAt: Instant): void {
  if (isNew || expiresAt <= session.endsAt) return
  if (caller.mayWrite(session.user?.organizationId ?? app.instanceId)) return
  throw refused(sessionRefusals, 'session.not_prolonged')
}
