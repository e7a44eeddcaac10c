/** The methods with which users see and revoke their own refresh tokens. Their IDs are those of the grants. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { oidcLifetimes } from '../settings/index.ts'
import { userForCaller, userToChange } from '../users/index.ts'
import { refreshableGrants, revokeRefreshToken, revokeRefreshTokens } from './handlers/manage-access.ts'

/** How many are listed; requests have no page. */
const MOST_TOKENS = 1000

/** The v1 methods of this module. */
export function refreshTokenMethods(app: App): readonly Method[] {
  return methods(AuthService, {
    async listMyRefreshTokens(_, call) {
      const { id: userId } = await userForCaller(app, call, call.caller.userId)
      const [own, { refreshAbsoluteMs }] = await Promise.all([
        refreshableGrants(app, userId, call.at),
        oidcLifetimes(app),
      ])
      const result = own.slice(0, MOST_TOKENS).map((grant) => {
        const { subject, refresh, refreshSince = refresh.issuedAt } = grant.state
        return {
          id: grant.id,
          details: detailsV1(grant),
          clientId: subject.clientId,
          authTime: timestampFromMs(subject.authenticatedAt),
          idleExpiration: timestampFromMs(refresh.expiresAt),
          expiration: timestampFromMs(Math.max(refreshSince + refreshAbsoluteMs, refresh.expiresAt)),
          scopes: refresh.scope.split(' '),
          audience: [...subject.audience],
        }
      })
      const sequence = Math.max(0, ...own.map((grant) => grant.sequence))
      return { details: listDetailsV1({ total: own.length, sequence }, call.at), result }
    },

    async revokeMyRefreshToken({ id }, call) {
      const user = await userToChange(app, call, call.caller.userId)
      return { details: detailsV1(await revokeRefreshToken(app, call.origin, user.id, id)) }
    },

    async revokeAllMyRefreshTokens(_, call) {
      const { id } = await userToChange(app, call, call.caller.userId)
      await revokeRefreshTokens(app, call.origin, id)
      return {}
    },
  })
}
