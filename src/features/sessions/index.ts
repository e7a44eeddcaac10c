/** The front of this room: all that others may know about sessions. */
export { type ChangedSession, createSession, endSession, endSessionNow, updateSession } from './changing.ts'
export type { SessionCommand } from './decider.ts'
export { sessionRetirements, sessions } from './documents.ts'
export type {
  ChallengesDraft,
  ChecksDraft,
  GivenChallenges,
  NewSessionDraft,
  SessionDraft,
  SessionUpdate,
} from './drafts.ts'
export type { Challenges, SessionEvent, SessionRetirementEvent, UserAgent } from './events.ts'
export { noteExpired } from './expiring.ts'
export { findSession, findSessions, findSessionToEnd, usersOf, type Wanted } from './finding.ts'
export { endSessionsOf } from './forgetting.ts'
export { identifyBySessionToken } from './identify.ts'
export { type Asker, askerOf, type CheckIntent, type IntentToCheck, type SessionsNeeds, stranger } from './needs.ts'
export { livingAt } from './queries.ts'
export { type SessionRefusal, sessionRefusals } from './refusals.ts'
export { leavingSessions } from './retiring.ts'
export { sessionMethods } from './rpc.ts'
export { isTokenOf } from './showing.ts'
export { asksForSecondFactor, type Standing, standingOf } from './standing.ts'
export { type EndedSession, type Factors, hasExpired, type OpenSession, type Session } from './state.ts'
