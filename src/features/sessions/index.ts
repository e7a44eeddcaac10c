/**
 * Sessions. A session is built up by checks (user, password, passkey, identity provider, codes) and identified by a
 * token that each update renews. `sign-in` evaluates its checks.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { sessionRetention, sessionRetirements, sessions } from './documents.ts'
import { endOtherSessions, endSessionsOfUser } from './handlers/end-session.ts'
import { sessionCounters, sessionMetrics } from './metrics.ts'
import { sessionRefusals } from './refusals.ts'
import { sessionMethodsV1 } from './rpc-v1.ts'
import { sessionMethods } from './rpc-v2.ts'

export const sessionsModule = module({
  name: 'sessions',
  kinds: stays(STAYS.signInAgain, sessions, sessionRetirements),
  refusals: sessionRefusals,
  methods: (app) => [...sessionMethodsV1(app), ...sessionMethods(app)],
  metrics: sessionMetrics,
  counters: sessionCounters,
  retention: (app) => [sessionRetention(app.config.sessionRetentionMs)],
  whenUserRemoved: (app, work, userId) => endSessionsOfUser(app, work, userId),
  whenPasswordChanged: endOtherSessions,
})

export type { ChallengesDraft, ChecksDraft, SessionUpdate } from './drafts.ts'
export type { SessionEvent, UserAgent } from './events.ts'
export { addFactor } from './handlers/add-factor.ts'
export { createSession } from './handlers/create-session.ts'
export { endSession, endSessionIfOpen, endSessionsOfUser } from './handlers/end-session.ts'
export { noteSessionUse } from './handlers/note-use.ts'
export type { ChangedSession } from './handlers/prepare-change.ts'
export { updateSession } from './handlers/update-session.ts'
export {
  countOpenSessions,
  findOpenSession,
  findSessionOfToken,
  openSessionsOf,
  requireTokenOf,
  sessionIdOfToken,
  type UserSession,
  userOfSession,
} from './open-session.ts'
export { sessionRefusals } from './refusals.ts'
export { anonymousCaller } from './session-access.ts'
export type { OpenSession } from './state.ts'
export { type Factors, factorsAfter, proofsOf, type Strength, strengthOf } from './strength.ts'
