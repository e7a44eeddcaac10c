/** The SessionService of the contract: reads the message, lets the room do it, shapes the answer. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { listDetailsV2 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { createSession, endSessionNow, updateSession } from './changing.ts'
import { sessions } from './documents.ts'
import { findSession, findSessions, findSessionToEnd, userOf, usersOf } from './finding.ts'
import { challengesMessage, readDraft, readUserAgent, sessionDetails, sessionMessage } from './messages.ts'
import { askerOf, type SessionsNeeds } from './needs.ts'
import { asksForOwnAgent, IS_OPEN, sessionFilter, visibleTo } from './queries.ts'

/** The methods of this room. */
export function sessionMethods(needs: SessionsNeeds): readonly Method[] {
  const { store, instanceId } = needs

  /** The user agent of the session whose token the caller shows. */
  const ownAgent = async ({ caller }: Call): Promise<string | undefined> => {
    const session = caller.session && (await store.get(sessions, caller.session.id))
    return session?.state.status === 'open' ? session.state.userAgent?.fingerprintId : undefined
  }

  return methods(SessionService, {
    async createSession(request, call) {
      const draft = { ...readDraft(request), ...readUserAgent(request.userAgent) }
      const { session, token, sequence, challenges } = await createSession(needs, askerOf(call), draft)
      return {
        details: sessionDetails(session, instanceId, sequence),
        sessionId: session.id,
        sessionToken: token,
        ...challengesMessage(request.challenges, challenges),
      }
    },

    async setSession(request, call) {
      const { sessionId, sessionToken } = request
      const shown = sessionToken === undefined ? {} : { token: sessionToken }
      const update = { sessionId, ...shown, ...readDraft(request) }
      const { session, token, sequence, challenges } = await updateSession(needs, askerOf(call), update)
      return {
        details: sessionDetails(session, instanceId, sequence),
        sessionToken: token,
        ...challengesMessage(request.challenges, challenges),
      }
    },

    async getSession({ sessionId, sessionToken: token }, call) {
      const session = await findSession(store, call, { sessionId, token }, instanceId)
      return { session: sessionMessage(session, await userOf(store, session)) }
    },

    async listSessions({ query, queries }, call) {
      const { offset, limit, descending } = pageOf(query, 'query')
      const fingerprintId = queries.some(asksForOwnAgent) ? await ownAgent(call) : undefined
      const asking = { callerId: call.caller.userId, fingerprintId }
      const filters = queries.map((one) => sessionFilter(one, asking))
      const where = { all: [IS_OPEN, ...(await visibleTo(store, call.caller)), ...filters] }
      const page = await findSessions(store, { where, orderBy: 'createdAt', descending, offset, limit })
      const people = await usersOf(store, page.documents)
      return {
        details: listDetailsV2(page, call.at),
        sessions: page.documents.map((one) => sessionMessage(one, people.get(one.state.user?.id ?? ''))),
      }
    },

    async deleteSession({ sessionId, sessionToken }, call) {
      const wanted = { sessionId, token: sessionToken || undefined }
      const session = await findSessionToEnd(store, call.caller, wanted, instanceId)
      if (session === undefined) {
        return { details: { changeDate: timestampFromMs(call.at), resourceOwner: instanceId } }
      }
      if (session.state.status === 'ended') return { details: sessionDetails(session, instanceId) }
      const { value, sequence } = await endSessionNow(store, askerOf(call), sessionId)
      return { details: sessionDetails(value, instanceId, sequence) }
    },
  })
}
