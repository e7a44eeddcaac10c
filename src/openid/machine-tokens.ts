/**
 * Tokens for machine users: by client credentials (RFC 6749 §4.4), with a secret or a key, or by an assertion (RFC 7523 §2.1).
 * Needs no authorization request, so the engine is not asked.
 */

import {
  audienceOfScopes,
  readScopes,
  requireResource,
  scopeSizeProblem,
  scopesWithin,
  targetOf,
} from '../features/authorization-requests/index.ts'
import { idTokenIdOf, type NewGrant, openGrantWithToken } from '../features/grants/index.ts'
import { oidcLifetimes } from '../features/settings/index.ts'
import type { MachineUser } from '../features/users/index.ts'
import type { App } from '../module/app.ts'
import type { Document } from '../store/index.ts'
import { OAuthError } from './answers.ts'
import { type ProofRequest, takeProof, verifyProof } from './dpop.ts'
import { authenticateMachine, machineByAssertion, machineBySecret, readCredentials } from './machine-clients.ts'
import { originOf } from './origin.ts'
import { signAccessToken, signIdToken } from './tokens.ts'

export const CLIENT_CREDENTIALS = 'client_credentials'
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The scope of a request that names none, which is optional (RFC 6749 §4.4.2), unless it names a resource. */
const DEFAULT_SCOPE = 'openid'

/** The scopes that a machine may have: none of another organization. */
function scopesOf(app: App, machine: Document<MachineUser>, scope: string): Promise<string> {
  const problem = scopeSizeProblem(scope)
  if (problem !== undefined) throw new OAuthError('invalid_scope', `The scope is not valid: ${problem}.`)
  return scopesWithin(app, scope, machine.owner)
}

/** What the token of a machine is for: a resource, or the projects that its scopes name. */
async function targetFor(app: App, machine: Document<MachineUser>, asked: string | null, uri: string | null) {
  if (uri === null) {
    const scope = await scopesOf(app, machine, asked ?? DEFAULT_SCOPE)
    const { id, owner: organizationId } = machine
    const use = { user: { id, organizationId }, clientOrganizationId: organizationId }
    const audience = await audienceOfScopes(app, readScopes(scope), use)
    return { scope, audience, named: audience }
  }
  const resource = await requireResource(app, uri, machine.owner)
  if (asked !== null) await scopesOf(app, machine, asked)
  return targetOf(resource, asked ?? '', [])
}

/** The machine of a request, and the scope that it asks for. */
async function askingMachine(app: App, form: URLSearchParams, authorization: string | undefined, isKey: boolean) {
  const asked = form.get('scope')
  if (isKey) {
    const { machine, claims } = await machineByAssertion(app, form.get('assertion') ?? '')
    // Some clients put it into the assertion instead of the form.
    const signed = typeof claims.scope === 'string' && claims.scope !== '' ? claims.scope : null
    return { machine, asked: asked ?? signed }
  }
  const machine = await authenticateMachine(app, form, authorization)
  if (machine !== undefined) return { machine, asked }
  if (form.has('client_assertion')) {
    throw new OAuthError('invalid_client', 'The assertion is not valid: no key of a machine user signed it.', 401)
  }
  const credentials = readCredentials(authorization, form)
  if (credentials === undefined) {
    const why = 'The request contains neither a client ID and secret nor a client_assertion.'
    throw new OAuthError('invalid_client', why, 401)
  }
  return { machine: await machineBySecret(app, credentials), asked }
}

/** The answer of the token endpoint. */
export type TokenAnswer = Readonly<Record<string, string | number>>

/** The key that a token is bound to, if the request has a proof; throws for a proof that is wrong or was used. */
export async function dpopKeyOf(app: App, request: ProofRequest, holder: string): Promise<string | undefined> {
  if (request.proof === undefined) return undefined
  const proof = await verifyProof(app, request)
  if (proof === undefined || !(await takeProof(app, proof, holder))) {
    throw new OAuthError('invalid_dpop_proof', 'The DPoP proof is not valid, or was used before.')
  }
  return proof.thumbprint
}

/** Issues a token to a machine user; with a proof, it is bound to the key of that (RFC 9449 §5). */
export async function issueMachineToken(
  app: App,
  form: URLSearchParams,
  authorization: string | undefined,
  proofRequest: ProofRequest,
): Promise<TokenAnswer> {
  const isKey = form.get('grant_type') === JWT_BEARER
  const { machine, asked } = await askingMachine(app, form, authorization, isKey)
  const target = await targetFor(app, machine, asked, form.get('resource'))
  const at = app.clock()
  const subject: NewGrant = {
    userId: machine.id,
    organizationId: machine.owner,
    isMachine: true,
    clientId: machine.state.userName,
    applicationId: '',
    projectId: '',
    sessionId: '',
    ...target,
    authenticatedAt: at,
    amr: [machine.credential.type === 'key' ? 'user' : 'pwd'],
    acr: '',
    credential: machine.credential,
  }
  const dpopKey = await dpopKeyOf(app, proofRequest, machine.id)
  const grantType = isKey ? JWT_BEARER : CLIENT_CREDENTIALS
  return answerFor(app, machine, subject, { grantType, ...(dpopKey !== undefined && { dpopKey }) })
}

async function answerFor(
  app: App,
  machine: Document<MachineUser>,
  subject: NewGrant,
  { grantType, dpopKey }: { readonly grantType: string; readonly dpopKey?: string },
): Promise<TokenAnswer> {
  const bound = dpopKey === undefined ? {} : { dpopKey }
  const { accessTokenMs } = await oidcLifetimes(app)
  const origin = originOf(app, machine.id)
  const token = await openGrantWithToken(app, origin, subject, { grantType, lifetimeMs: accessTokenMs, ...bound })
  const isJwt = machine.state.accessTokenType === 'jwt' || subject.resource !== undefined
  const format = { isJwt, hasRoles: true, clockSkewMs: 0 }
  const text = isJwt ? await signAccessToken(app, { ...token, scope: subject.scope, dpopKey }, format) : token.text
  const answer = {
    access_token: text,
    token_type: dpopKey === undefined ? 'Bearer' : 'DPoP',
    expires_in: Math.floor(accessTokenMs / 1000),
    // Scopes that a machine cannot have are left out, which the answer must say (RFC 6749 §5.1).
    scope: subject.scope,
  }
  if (grantType !== JWT_BEARER || !subject.scope.split(' ').includes('openid')) return answer
  const idToken = await signIdToken(
    app,
    {
      subject,
      user: machine,
      scope: subject.scope,
      accessToken: text,
      id: idTokenIdOf(app, token.grantId),
      requested: [],
      issuedAt: origin.at,
      lifetimeMs: accessTokenMs,
    },
    { idTokenUserinfoAssertion: false, idTokenRoleAssertion: false, clockSkewMs: 0 },
  )
  return { ...answer, id_token: idToken }
}
