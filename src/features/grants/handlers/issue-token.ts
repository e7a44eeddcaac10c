/**
 * Issues the tokens of a grant, and notices what is used a second time. One write checks that the grant still counts, uses
 * up what was shown and stores what is given for it: of several requests at once one gets everything, the others nothing.
 */

import { hashSecret } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { noteUse } from '../../applications/index.ts'
import type { IssuedToken } from '../decider.ts'
import { grants } from '../documents.ts'
import { grantRefusals } from '../refusals.ts'
import { validGrant } from '../validity.ts'

/** What counts once: the code of a grant, or its refresh token with this secret. */
export type UsedOnce = 'code' | { readonly refreshSecret: Uint8Array }

/** What one request uses up and gets. */
export interface TokensOfRequest {
  readonly uses?: UsedOnce | undefined
  /** The one before it is no longer valid. */
  readonly access?: IssuedToken | undefined
  readonly refresh?: IssuedToken | undefined
}

/** Whether tokens depend on the session: they do not where a refresh token, which outlives it, was used after its end. */
async function isOffline(app: App, work: Work, grantId: string, tokens: TokensOfRequest): Promise<boolean> {
  const grant = await work.get(grants, grantId)
  const { at } = work.origin
  if ((await validGrant(app, grant, at, { reader: work })) !== undefined) return false
  const isByRefresh = tokens.uses !== 'code' && (tokens.refresh ?? tokens.access)?.grantType.endsWith('refresh_token')
  const valid = isByRefresh && (await validGrant(app, grant, at, { survivesLogout: true, reader: work }))
  if (!valid) throw refused(grantRefusals, 'grant.revoked')
  return true
}

/** A client that registered itself stays while it is used. */
async function noteUseOf(app: App, work: Work, grantId: string): Promise<void> {
  const grant = await work.get(grants, grantId)
  if (grant?.state.status === 'open') await noteUse(app, work, grant.state.subject.clientId)
}

/**
 * Issues tokens of a grant as part of a write. Throws `grant.code_used` or `grant.refresh_token_used` for all but the first
 * who uses a code or refresh token, and `grant.revoked` when the grant does not count.
 */
export async function issueTokens(app: App, work: Work, grantId: string, tokens: TokensOfRequest): Promise<void> {
  const { uses, access, refresh } = tokens
  const hasNoSession = await isOffline(app, work, grantId, tokens)
  await noteUseOf(app, work, grantId)
  if (uses === 'code') await work.decide(grants, grantId, { type: 'redeem_code' })
  else if (uses !== undefined) {
    const hash = hashSecret(uses.refreshSecret)
    await work.decide(grants, grantId, { type: 'use_refresh_token', hash, at: work.origin.at })
  }
  if (refresh !== undefined) await work.decide(grants, grantId, { type: 'issue_refresh_token', token: refresh })
  if (access !== undefined) {
    const token = hasNoSession ? { ...access, isOffline: true } : access
    await work.decide(grants, grantId, { type: 'issue_access_token', token })
  }
}

/**
 * Notices that something was shown which had been used before. The grant is revoked, unless it was a refresh token that
 * was used a moment ago; `shownAt` is when the request came.
 */
export async function noticeReuse(
  app: App,
  origin: Origin,
  grantId: string,
  used: UsedOnce,
  shownAt: Instant,
): Promise<void> {
  const of = used === 'code' ? used : { refreshHash: hashSecret(used.refreshSecret) }
  await app.store.write(origin, async (work) => {
    const grant = await work.get(grants, grantId)
    if (grant?.state.status === 'open') await work.decide(grants, grantId, { type: 'reuse', of, at: shownAt })
  })
}

/** Revokes the access token of a grant; its refresh token stays valid. */
export async function revokeAccessToken(app: App, origin: Origin, grantId: string): Promise<void> {
  await app.store.write(origin, async (work) => {
    const grant = await work.get(grants, grantId)
    if (grant?.state.status === 'open') await work.decide(grants, grantId, { type: 'revoke_access_token' })
  })
}

/** Revokes a grant with all its tokens; does nothing when it was revoked. */
export async function revokeGrant(app: App, origin: Origin, grantId: string, reason: 'requested'): Promise<void> {
  await app.store.write(origin, async (work) => {
    const grant = await work.get(grants, grantId)
    if (grant?.state.status !== 'open') return
    await work.decide(grants, grantId, { type: 'revoke', reason, at: work.origin.at })
  })
}
