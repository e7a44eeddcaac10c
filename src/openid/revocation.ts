/** Token revocation (RFC 7009): of access tokens, opaque or signed, and of refresh tokens. */

import {
  findAccessToken,
  findRefreshToken,
  type GrantSubject,
  revokeAccessToken,
  revokeGrant,
} from '../features/grants/index.ts'
import type { App } from '../module/app.ts'
import { OAuthError } from './answers.ts'
import { originOf } from './origin.ts'

function requireOwn({ clientId, applicationId }: GrantSubject, asking: string): void {
  // The client ID of a machine is its user name, which could be that of an application.
  if (clientId !== asking || applicationId === '') {
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
    requireOwn(state.subject, clientId)
    return revokeAccessToken(app, originOf(app, state.subject.userId), id)
  }
  const refresh = await findRefreshToken(app, token)
  if (refresh === undefined || refresh.isUsed) return
  const { id, state } = refresh.grant
  requireOwn(state.subject, clientId)
  await revokeGrant(app, originOf(app, state.subject.userId), id, 'requested')
}

/** Revokes an access token that a machine got for itself. Nothing tells whether another token exists. */
export async function revokeOwnToken(app: App, token: string, machineId: string): Promise<void> {
  const found = await findAccessToken(app, token, app.clock())
  const subject = found?.grant.state.subject
  // A token from an exchange belongs to the application that asked for it.
  if (found === undefined || subject?.userId !== machineId || subject.applicationId !== '') return
  await revokeAccessToken(app, originOf(app, machineId), found.grant.id)
}
