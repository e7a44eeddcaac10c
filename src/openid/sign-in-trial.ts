/**
 * The end of a sign-in that an administrator tries out: shows what the application would learn about the user, and closes
 * the grant. Whoever has the code and its PKCE verifier may see it, as at the token endpoint; no token leaves the server.
 */
import { createHash } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import { findApplication } from '../features/applications/index.ts'
import { findCode, grants, idTokenIdOf, issueTokens, validGrant } from '../features/grants/index.ts'
import { oidcLifetimes } from '../features/settings/index.ts'
import type { App } from '../module/app.ts'
import { OAuthError, rejectRepeated } from './answers.ts'
import { requestedClaims } from './claims.ts'
import { originOf } from './origin.ts'
import { idTokenClaims } from './tokens.ts'
import { userinfoClaims } from './userinfo.ts'

export interface TrialResult {
  readonly id_token: JsonObject
  readonly userinfo: JsonObject
}

function isProof(verifier: string, challenge: string | undefined): boolean {
  return challenge === createHash('sha256').update(verifier).digest('base64url')
}

/** Uses the code of a trial up, and answers the claims. */
export async function finishTrial(app: App, form: URLSearchParams): Promise<TrialResult> {
  rejectRepeated(form)
  const found = await findCode(app, form.get('code') ?? '')
  const now = app.clock()
  const isValid =
    found?.grant.state.subject.isTrial === true &&
    !found.isUsed &&
    now < found.issued.expiresAt &&
    isProof(form.get('code_verifier') ?? '', found.issued.codeChallenge)
  const valid = isValid ? await validGrant(app, found.grant, now) : undefined
  const { subject } = found?.grant.state ?? {}
  const application = subject && (await findApplication(app, subject.applicationId))
  if (valid === undefined || subject === undefined || application?.state.config.type !== 'oidc') {
    throw new OAuthError('invalid_grant', 'The code is not one of a trial, was used, or has expired.')
  }
  const { grant, user } = valid
  await app.store.write(originOf(app, subject.userId), async (work) => {
    await issueTokens(app, work, grant.id, { uses: 'code' })
    await work.decide(grants, grant.id, { type: 'revoke', reason: 'requested', at: work.origin.at })
  })
  const { scope } = subject
  const { idTokenMs: lifetimeMs } = await oidcLifetimes(app)
  const requested = requestedClaims(subject.claims, 'id_token')
  const id = idTokenIdOf(app, grant.id, grant.state)
  const parts = { subject, user, scope, accessToken: undefined, id, requested, issuedAt: now, lifetimeMs }
  return {
    id_token: await idTokenClaims(app, parts, application.state.config),
    userinfo: await userinfoClaims(app, valid, scope),
  }
}
