/**
 * What a request to the token endpoint uses up and gets. It is collected while the engine makes its answer, tokens are
 * signed then, and stored at the end in one write: so of several requests with one code or refresh token, one gets
 * everything and the others nothing, however long the answer takes to make.
 */

import { redeemApproval, redeemDevice } from '../../features/authorization-requests/index.ts'
import { type IssuedToken, issueTokens, type UsedOnce } from '../../features/grants/index.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { originOf } from '../origin.ts'

export interface TokenRequest {
  readonly startedAt: Instant
  /** The code or refresh token that was found, used before or not. */
  shows?: { readonly grantId: string; readonly once: UsedOnce }
  uses?: UsedOnce
  deviceId?: string
  approvalId?: string
  grantId?: string
  userId?: string | undefined
  access?: IssuedToken
  refresh?: IssuedToken
  /** The text of the access token, for `at_hash` in the ID token beside it. */
  accessText?: string
}

/** Stores what a request got; throws when it cannot have it any more. */
export async function storeTokens(app: App, request: TokenRequest): Promise<void> {
  const { grantId, userId, uses, deviceId, approvalId, access, refresh } = request
  if (grantId === undefined) return
  await app.store.write(originOf(app, userId), async (work) => {
    if (deviceId !== undefined) await redeemDevice(work, deviceId)
    if (approvalId !== undefined) await redeemApproval(work, approvalId)
    await issueTokens(app, work, grantId, { uses, access, refresh })
  })
}
