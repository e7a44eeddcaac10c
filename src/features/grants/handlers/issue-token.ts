/**
 * Redeems codes, issues tokens and uses up refresh tokens. Each is one write that checks inside that the grant still
 * counts: a token is never issued after the session, the user or the application ended.
 */
import type { App } from '../../../access/app.ts'
import { hashSecret } from '../../../crypto/tokens.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Origin, Work } from '../../../store/index.ts'
import type { IssuedToken } from '../decider.ts'
import { grants } from '../documents.ts'
import { grantRefusals } from '../refusals.ts'
import { validGrant } from '../validity.ts'

async function requireValid(app: App, work: Work, grantId: string, survivesLogout: boolean): Promise<void> {
  const grant = await work.get(grants, grantId)
  const valid = await validGrant(app, grant, work.origin.at, { survivesLogout, reader: work })
  if (valid === undefined) throw refused(grantRefusals, 'grant.revoked')
}

/** Marks the code of a grant as redeemed; throws `grant.code_used` for all but the first. */
export async function redeemCode(app: App, origin: Origin, grantId: string): Promise<void> {
  await app.store.write(origin, async (work) => {
    await requireValid(app, work, grantId, false)
    await work.decide(grants, grantId, { type: 'redeem_code' })
  })
}

/**
 * Stores an access token; the one before it is no longer valid. A token that is refreshed after the session ended does
 * not depend on the session.
 */
export async function issueAccessToken(app: App, origin: Origin, grantId: string, token: IssuedToken): Promise<void> {
  await app.store.write(origin, async (work) => {
    const grant = await work.get(grants, grantId)
    const isSignedIn = (await validGrant(app, grant, work.origin.at, { reader: work })) !== undefined
    const isOffline = !isSignedIn && token.grantType.endsWith('refresh_token')
    if (!isSignedIn) await requireValid(app, work, grantId, isOffline)
    await work.decide(grants, grantId, {
      type: 'issue_access_token',
      token: isOffline ? { ...token, isOffline } : token,
    })
  })
}

/** Stores a refresh token. */
export async function issueRefreshToken(app: App, origin: Origin, grantId: string, token: IssuedToken): Promise<void> {
  await app.store.write(origin, async (work) => {
    await requireValid(app, work, grantId, true)
    await work.decide(grants, grantId, { type: 'issue_refresh_token', token })
  })
}

/** Uses up a refresh token; throws `grant.refresh_token_used` for all but the first. */
export async function takeRefreshToken(app: App, origin: Origin, grantId: string, secret: Uint8Array): Promise<void> {
  await app.store.write(origin, async (work) => {
    await requireValid(app, work, grantId, true)
    await work.decide(grants, grantId, { type: 'use_refresh_token', hash: hashSecret(secret) })
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
export async function revokeGrant(
  app: App,
  origin: Origin,
  grantId: string,
  reason: 'requested' | 'code_reused' | 'refresh_token_reused',
): Promise<void> {
  await app.store.write(origin, async (work) => {
    const grant = await work.get(grants, grantId)
    if (grant?.state.status !== 'open') return
    await work.decide(grants, grantId, { type: 'revoke', reason, at: work.origin.at })
  })
}
