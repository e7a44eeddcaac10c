/** Gathers what the creation or update of a session needs: checks, challenges and the lifetime. */
import type { App } from '../../../access/app.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Work } from '../../../store/index.ts'
import { effectiveSettings } from '../../settings/index.ts'
import { type SessionChange, session as sessionRules } from '../decider.ts'
import type { GivenChallenges, SessionDraft } from '../drafts.ts'
import { sessionRefusals } from '../refusals.ts'
import { evolveSession, type OpenSession } from '../state.ts'
import { type Gathering, gatherChecks } from './gather-checks.ts'
import { makeChallenges } from './make-challenges.ts'

/** 9999-12-31T23:59:59Z, the last whole second that every format can write. */
const LATEST = 253_402_300_799_000

/** A session after a change, with the token that is valid from now on: shown once, stored nowhere. */
export interface ChangedSession {
  readonly session: Document<OpenSession>
  readonly token: string
  readonly challenges: GivenChallenges
}

/** What the checks of a new session see of it. */
export const BLANK_SESSION = evolveSession(sessionRules.initial, {
  type: 'session.created.v1',
  data: { creatorId: '', expiresAt: instant(0), hasOwnLifetime: false, secret: { tokenHash: '' } },
}) as OpenSession

/** Gathers all that a request needs, as the decision takes it. */
export async function prepareChange(
  app: App,
  work: Work,
  draft: SessionDraft,
  gathering: Gathering,
  tokenHash: string,
): Promise<{ readonly change: SessionChange; readonly given: GivenChallenges }> {
  const { caller, sessionId, session } = gathering
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
  const login = person?.login ?? (await instanceLogin(app, session))
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
function checkLifetime(app: App, { caller, session }: Gathering, expiresAt: Instant): void {
  if (session === BLANK_SESSION || expiresAt <= session.endsAt) return
  if (caller.mayWrite(session.user?.organizationId ?? app.instanceId)) return
  throw refused(sessionRefusals, 'session.not_prolonged')
}

/** The login settings for a new session without a user. */
async function instanceLogin(app: App, session: OpenSession) {
  return session === BLANK_SESSION ? (await effectiveSettings(app, app.instanceId)).login : undefined
}
