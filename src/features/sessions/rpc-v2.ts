/** Implements the SessionService: reads the message, calls the handler, builds the response. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV2 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { users } from '../users/index.ts'
import { sessions } from './documents.ts'
import { createSession } from './handlers/create-session.ts'
import { endSession } from './handlers/end-session.ts'
import { updateSession } from './handlers/update-session.ts'
import { challengesMessage, readDraft, readUserAgent, sessionDetails, sessionMessage } from './messages.ts'
import { currentSessions } from './open-session.ts'
import { asksForOwnAgent, findSessions, openSessions, sessionFilter, usersOf, visibleTo } from './queries.ts'
import { findSession, findSessionToEnd, sessionCallerOf } from './session-access.ts'

/** The user agent of the session whose token authenticated the call. */
async function ownAgent({ store }: App, { caller }: Call): Promise<string | undefined> {
  const session = caller.session && (await store.get(sessions, caller.session.id))
  return session?.state.status === 'open' ? session.state.userAgent?.fingerprintId : undefined
}

export function sessionMethods(app: App): readonly Method[] {
  return methods(SessionService, {
    async createSession(request, call) {
      const draft = { ...readDraft(request), ...readUserAgent(request.userAgent) }
      const { session, token, challenges } = await createSession(app, sessionCallerOf(app, call), draft)
      return {
        details: sessionDetails(app, session),
        sessionId: session.id,
        sessionToken: token,
        ...challengesMessage(request.challenges, challenges),
      }
    },

    async setSession(request, call) {
      const { sessionId, sessionToken } = request
      const shown = sessionToken === undefined ? {} : { token: sessionToken }
      const update = { sessionId, ...shown, ...readDraft(request) }
      const { session, token, challenges } = await updateSession(app, sessionCallerOf(app, call), update)
      return {
        details: sessionDetails(app, session),
        sessionToken: token,
        ...challengesMessage(request.challenges, challenges),
      }
    },

    async getSession({ sessionId, sessionToken: token }, call) {
      const session = await findSession(app, call, { sessionId, token })
      const { user } = session.state
      return { session: sessionMessage(session, user && (await app.store.get(users, user.id))) }
    },

    async listSessions({ query, queries }, call) {
      const { offset, limit, descending } = pageOf(query, 'query')
      const fingerprintId = queries.some(asksForOwnAgent) ? await ownAgent(app, call) : undefined
      const queryCaller = { callerId: call.caller.userId, fingerprintId }
      const filters = queries.map((one) => sessionFilter(one, queryCaller))
      const where = openSessions([...visibleTo(call.caller), ...filters])
      const page = await findSessions(app, { where, orderBy: 'createdAt', descending, offset, limit })
      const current = await currentSessions(app.store, page.documents)
      const people = await usersOf(app, current)
      return {
        details: listDetailsV2(page, call.at),
        sessions: current.map((one) => sessionMessage(one, people.get(one.state.user?.id ?? ''))),
      }
    },

    async deleteSession({ sessionId, sessionToken }, call) {
      const named = { sessionId, token: sessionToken || undefined }
      const session = await findSessionToEnd(app, call, named)
      if (session === undefined) {
        return { details: { changeDate: timestampFromMs(call.at), resourceOwner: app.instanceId } }
      }
      if (session.state.status === 'ended') return { details: sessionDetails(app, session) }
      const { value } = await endSession(app, call.origin, sessionId)
      return { details: sessionDetails(app, value) }
    },
  })
}
