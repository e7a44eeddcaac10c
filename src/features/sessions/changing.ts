/** Creating, updating and ending sessions: one commit each, for the API and for the pages alike. */
import { newSessionToken } from '../../crypto/tokens.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Store, Work, Written } from '../../store/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import { makeChallenges } from './challenging.ts'
import { type Evidence, type Gathering, gatherChecks } from './checking.ts'
import { type SessionChange, session as sessionRules } from './decider.ts'
import { sessions } from './documents.ts'
import type { GivenChallenges, NewSessionDraft, SessionDraft, SessionUpdate } from './drafts.ts'
import type { EndReason } from './events.ts'
import { noteExpired } from './expiring.ts'
import type { Asker, SessionsNeeds } from './needs.ts'
import { sessionRefusals } from './refusals.ts'
import { checkShown } from './showing.ts'
import { evolveSession, hasExpired, type OpenSession, type Session } from './state.ts'

/** 9999-12-31T23:59:59Z, the last whole second that every format can write. */
const LATEST = 253_402_300_799_000

/** A session as it is now, with the token that is good from now on: shown once, stored nowhere. */
export interface ChangedSession {
  readonly session: Document<OpenSession>
  readonly token: string
  /** Of the last event that was written. */
  readonly sequence: number
  readonly challenges: GivenChallenges
}

function after(at: Instant, milliseconds: number): Instant {
  return instant(Math.min(at + Math.max(1, Math.ceil(milliseconds)), LATEST))
}

/** Gathers all that a request needs and puts it into words for the decision. */
async function prepare(
  needs: SessionsNeeds,
  work: Work,
  draft: SessionDraft,
  gathering: Gathering,
  tokenHash: string,
): Promise<{ readonly change: SessionChange; readonly given: GivenChallenges }> {
  const { asker, sessionId, session } = gathering
  const { at } = asker.origin
  const isAboutSomebody = draft.checks !== undefined || draft.challenges !== undefined || session.user !== undefined
  const { person, checks } = isAboutSomebody
    ? await gatherChecks(needs, work, gathering)
    : { person: undefined, checks: [] as const }
  const checkedUser = checks.some(({ check }) => check === 'user') && person !== undefined
  const user = checkedUser
    ? { user: { id: person.userId, organizationId: person.organizationId, checkedAt: at } }
    : undefined
  const challenging = { asker, sessionId, session: { ...session, ...user }, person, draft: draft.challenges ?? {} }
  const { kept, given } = await makeChallenges(needs, work, challenging)
  const login = person?.login ?? (await usualLogin(needs, session))
  const expiresAt = draft.lifetimeMs === undefined ? undefined : after(at, draft.lifetimeMs)
  if (expiresAt !== undefined) checkLifetime(needs, gathering, expiresAt)
  const change: SessionChange = {
    at,
    ...(person && { person }),
    checks,
    challenges: kept,
    metadata: draft.metadata ?? {},
    ...(expiresAt !== undefined && { expiresAt }),
    usuallyExpiresAt: login === undefined ? session.endsAt : after(at, login.sessionLifetimeMs),
    tokenHash,
  }
  return { change, given }
}

/** Whoever holds no more than the token of a session can make it shorter, but not outlive what was meant for it. */
function checkLifetime({ instanceId }: SessionsNeeds, { asker, session }: Gathering, expiresAt: Instant): void {
  if (session === BLANK || expiresAt <= session.endsAt) return
  if (asker.mayWrite(session.user?.organizationId ?? instanceId)) return
  throw refused(sessionRefusals, 'session.not_prolonged')
}

/** What holds for a new session that is about nobody yet. */
async function usualLogin({ store, instanceId }: SessionsNeeds, session: OpenSession) {
  return session === BLANK ? (await effectiveSettings(store, instanceId, instanceId)).login : undefined
}

/** What the checks of a new session see of it. */
const BLANK = evolveSession(sessionRules.initial, {
  type: 'session.created.v1',
  data: { creatorId: '', expiresAt: instant(0), hasOwnLifetime: false, secret: { tokenHash: '' } },
}) as OpenSession

/** Creates a session; nothing is kept of it when one of its checks fails. */
export async function createSession(
  needs: SessionsNeeds,
  asker: Asker,
  draft: NewSessionDraft,
): Promise<ChangedSession> {
  const { store, newId, instanceId } = needs
  const sessionId = newId()
  const { text: token, hash } = newSessionToken(sessionId)
  const evidence: Evidence = {}
  if (draft.checks?.user === undefined) asker.authorizeCreation(instanceId)
  const { value, sequence } = await store.write(asker.origin, async (work) => {
    const gathering: Gathering = {
      asker,
      authorize: asker.authorizeCreation,
      sessionId,
      session: BLANK,
      draft: draft.checks ?? {},
      evidence,
    }
    const { change, given } = await prepare(needs, work, draft, gathering, hash)
    const { creatorId } = asker
    const { userAgent } = draft
    const command = { type: 'create', creatorId, ...(userAgent && { userAgent }), ...change } as const
    const owner = change.person?.organizationId ?? instanceId
    return { session: await work.begin(sessions, sessionId, command, owner), given }
  })
  return { session: value.session as Document<OpenSession>, token, sequence, challenges: value.given }
}

/** Updates a session and gives it a new token; the one before is no longer good. */
export async function updateSession(
  needs: SessionsNeeds,
  asker: Asker,
  update: SessionUpdate,
): Promise<ChangedSession> {
  const { store, instanceId } = needs
  const { sessionId } = update
  const evidence: Evidence = {}
  let expired: OpenSession | undefined
  const build = async (work: Work) => {
    const before = await work.get(sessions, sessionId)
    const shownHash = checkShown(before, update, asker.session, instanceId, asker.mayWrite)
    const { text: token, hash } = newSessionToken(sessionId)
    const shown = shownHash === undefined ? {} : { shownHash }
    expired = before?.state.status === 'open' && hasExpired(before.state, asker.origin.at) ? before.state : undefined
    if (before?.state.status !== 'open' || expired !== undefined) {
      // Nothing of it is looked at; the decision says why.
      const nothing = { checks: [], challenges: {}, metadata: {}, usuallyExpiresAt: asker.origin.at, tokenHash: hash }
      const command = { type: 'update', ...shown, at: asker.origin.at, ...nothing } as const
      return { session: await work.decide(sessions, sessionId, command), given: {}, token }
    }
    const gathering: Gathering = {
      asker,
      authorize: () => {},
      sessionId,
      session: before.state,
      draft: update.checks ?? {},
      evidence,
    }
    const { change, given } = await prepare(needs, work, update, gathering, hash)
    const session = await work.decide(sessions, sessionId, { type: 'update', ...shown, ...change })
    return { session, given, token }
  }
  try {
    const { value, sequence } = await store.write(asker.origin, build)
    const { session, given, token } = value
    return { session: session as Document<OpenSession>, token, sequence, challenges: given }
  } catch (error) {
    if (evidence.failed !== undefined) await rememberFailure(store, asker, sessionId, evidence.failed)
    if (expired !== undefined) await noteExpired(store, sessionId, expired, asker.origin.at)
    throw error
  }
}

async function rememberFailure(
  store: Store,
  { origin }: Asker,
  sessionId: string,
  check: NonNullable<Evidence['failed']>,
): Promise<void> {
  await store.write(origin, (work) => work.decide(sessions, sessionId, { type: 'fail_check', check, at: origin.at }))
}

/** Ends a session as part of a write; one that has ended stays as it is. */
export function endSession(work: Work, sessionId: string, reason: EndReason = 'ended'): Promise<Document<Session>> {
  return work.decide(sessions, sessionId, { type: 'end', reason, at: work.origin.at })
}

/** The same as a write of its own, for whoever has seen to it that it may be done. */
export function endSessionNow(store: Store, { origin }: Asker, sessionId: string): Promise<Written<Document<Session>>> {
  return store.write(origin, (work) => endSession(work, sessionId))
}
