/** Token revocation (RFC 7009) for applications: of access tokens, opaque or signed, and of refresh tokens. */
import type { App } from '../access/app.ts'
import { findAccessToken, findRefreshToken, revokeAccessToken, revokeGrant } from '../features/grants/index.ts'
import { OAuthError } from './answers.ts'
import { originOf } from './origin.ts'

function requireOwn(clientId: string, asking: string): void {
  if (clientId !== asking) {
    throw new OAuthError('invalid_client', 'The token was not issued to this client.', 401)
  }
}

/**
 * Revokes a token that was issued to a client. An access token ends alone; with a refresh token all tokens of its grant
 * end. A token that does not count is none to revoke, which is fine (RFC 7009 §2.2).
 */
export async function revokeToken(app: App, token: string, clientId: string): Promise<void> {
  const access = await findAccessToken(app, token, app.clock())
  if (access !== undefined) {
    const { id, state } = access.grant
    requireOwn(state.subject.clientId, clientId)
    return revokeAccessToken(app, originOf(app, state.subject.userId), id)
  }
  const refresh = await findRefreshToken(app, token)
  if (refresh === undefined || refresh.isUsed) return
  const { id, state } = refresh.grant
  requireOwn(state.subject.clientId, clientId)
  await revokeGrant(app, originOf(app, state.subject.userId), id, 'requested')
}
