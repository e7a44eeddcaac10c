/** The v1 method that lists the sessions of the caller. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { SessionState } from '../../../contract/gen/signet/user/v1/session_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import { shownName, userOfCaller } from '../users/index.ts'
import { openSessionsOf } from './open-session.ts'

/** How many sessions are listed; requests have no page. */
const MOST_SESSIONS = 1000

/** ListMyUserSessions. */
export function sessionMethodsV1(app: App): readonly Method[] {
  return methods(AuthService, {
    async listMyUserSessions(_, call) {
      const user = await userOfCaller(app, call)
      const { userName } = user.state
      const open = await openSessionsOf(app, user.id, call.at, MOST_SESSIONS)
      const result = open.map((session) => ({
        sessionId: session.id,
        agentId: session.state.userAgent?.fingerprintId ?? '',
        authState: SessionState.ACTIVE,
        userId: user.id,
        userName,
        loginName: userName,
        displayName: shownName(user.state),
        details: detailsV1(session),
      }))
      return { result }
    },
  })
}
