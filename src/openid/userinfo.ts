/** Userinfo (OpenID Connect Core §5.3), answered from the same documents as the engine would, without the engine. */

import type { JsonObject } from '@bufbuild/protobuf'
import { findAccessToken, type ValidAccessToken } from '../features/grants/index.ts'
import { identifyByPersonalAccessToken, isPersonalAccessToken, PERSONAL_SCOPE } from '../features/machines/index.ts'
import { type LivingUser, users } from '../features/users/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import type { App } from '../module/app.ts'
import type { Document } from '../store/index.ts'
import { bearerError, jsonAnswer, noBearer } from './answers.ts'
import { claimsOf, requestedClaims } from './claims.ts'
import { DPOP_ALGS, takeProof, verifyProof } from './dpop.ts'
import { claimsOfFunction } from './functions.ts'

/** The tokens of a request: in the header, and in a form (RFC 6750 §2). */
async function readTokens(request: PageRequest): Promise<readonly string[]> {
  const header = request.header('authorization')
  const form = request.method === 'POST' ? await request.readForm().catch(() => undefined) : undefined
  const inHeader = header === undefined ? [] : [/^bearer +([^\s]+)$/i.exec(header)?.[1] ?? '']
  return [...inHeader, ...(form?.getAll('access_token') ?? [])]
}

async function userinfoOfMachine(app: App, token: string): Promise<PageAnswer | undefined> {
  const caller = await identifyByPersonalAccessToken(app, token, app.clock())
  const user = caller && ((await app.store.get(users, caller.userId)) as Document<LivingUser> | undefined)
  if (caller === undefined || user === undefined) return undefined
  const { userId, organizationId } = caller
  const subject = { userId, organizationId, projectId: '', isMachine: true, audience: [] }
  const source = { user, subject, scope: PERSONAL_SCOPE }
  const claims = await claimsOf(app, source, { hasProfile: true, hasRoles: false })
  const added = await claimsOfFunction(app, 'preuserinfo', { source, clientId: '' }, claims)
  return jsonAnswer({ ...added, ...claims })
}

/** The answer for a token that is bound to a key, whose proof is checked first (RFC 9449 §7.1). */
async function answerBound(app: App, request: PageRequest, token: string): Promise<PageAnswer> {
  const shown = { proof: request.header('dpop'), verb: request.method, path: request.path }
  const proof = await verifyProof(app, shown, token)
  if (proof === undefined) return proofError('invalid_dpop_proof', 'The DPoP proof is missing or not valid.')
  const found = await findAccessToken(app, token, app.clock())
  const isBound = found !== undefined && found.token.dpopKey === proof.thumbprint
  if (!isBound || !(await takeProof(app, proof, found.user.id))) {
    return proofError('invalid_token', 'The access token is not valid, or the proof is not one for it.')
  }
  return answerFor(app, found)
}

function proofError(error: string, description: string): PageAnswer {
  const challenge = `DPoP error="${error}", error_description="${description}", algs="${DPOP_ALGS.join(' ')}"`
  return jsonAnswer({ error, error_description: description }, 401, { 'www-authenticate': challenge })
}

/** Answers userinfo. */
export async function answerUserinfo(app: App, request: PageRequest): Promise<PageAnswer> {
  const [, bound] = /^dpop +([^\s]+)$/i.exec(request.header('authorization') ?? '') ?? []
  if (bound !== undefined) return answerBound(app, request, bound)
  const [token, second] = await readTokens(request)
  if (token === undefined) return noBearer()
  if (token === '' || second !== undefined) {
    return bearerError('invalid_request', 'The request contains no access token, or more than one.', 400)
  }
  const invalid = () => bearerError('invalid_token', 'The access token is not valid.')
  if (isPersonalAccessToken(token)) return (await userinfoOfMachine(app, token)) ?? invalid()
  const found = await findAccessToken(app, token, app.clock())
  return found === undefined || found.token.dpopKey !== undefined ? invalid() : answerFor(app, found)
}

async function answerFor(app: App, found: ValidAccessToken): Promise<PageAnswer> {
  const { subject } = found.grant.state
  if (subject.resource !== undefined) return bearerError('invalid_token', 'The access token is for another resource.')
  if (!found.token.scope.split(' ').includes('openid') && !subject.isMachine) {
    return jsonAnswer(
      { error: 'insufficient_scope', error_description: 'The access token has no scope openid.' },
      403,
      {
        'www-authenticate': 'Bearer realm="signet", error="insufficient_scope", scope="openid"',
      },
    )
  }
  return jsonAnswer(await userinfoClaims(app, found, found.token.scope))
}

/** What userinfo says about the user of a grant, for these scopes. */
export async function userinfoClaims(
  app: App,
  { user, grant, project }: Pick<ValidAccessToken, 'user' | 'grant' | 'project'>,
  scope: string,
): Promise<JsonObject> {
  const { subject } = grant.state
  const requested = requestedClaims(subject.claims, 'userinfo')
  const source = { user, subject, project, scope, requested }
  const claims = await claimsOf(app, source, { hasProfile: true, hasRoles: true })
  const { clientId, actor } = subject
  const added = await claimsOfFunction(app, 'preuserinfo', { source, clientId, actor }, claims)
  return { ...added, ...claims }
}
