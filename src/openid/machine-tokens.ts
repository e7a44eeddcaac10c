/**
 * Tokens for machine users: with their secret (client credentials, RFC 6749 §4.4), or with a key (RFC 7523 §2.1). Needs
 * no authorization request, so the engine is not asked.
 */
import { createPublicKey } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { App } from '../access/app.ts'
import { hashSecret } from '../crypto/tokens.ts'
import { audienceOfScopes, readScopes, takeAssertion } from '../features/authorization-requests/index.ts'
import { type NewGrant, openGrantWithToken } from '../features/grants/index.ts'
import { findMachineKey, matchesMachineSecret } from '../features/machines/index.ts'
import { organizationState } from '../features/organizations/index.ts'
import { oidcLifetimes } from '../features/settings/index.ts'
import { findByLoginName, type MachineUser, mayAct, users } from '../features/users/index.ts'
import { instant } from '../kernel/instant.ts'
import type { Document } from '../store/index.ts'
import { OAuthError } from './answers.ts'
import { originOf } from './origin.ts'
import { signAccessToken, signIdToken } from './tokens.ts'

export const CLIENT_CREDENTIALS = 'client_credentials'
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** An assertion is valid for an hour at most, whatever it says. */
const LONGEST_ASSERTION_S = 3600

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * The credentials of a request: in the header, or in the form (RFC 6749 §2.3.1). Throws for a request with both, or with
 * a client ID that is not the one of the header.
 */
export function readCredentials(authorization: string | undefined, form: URLSearchParams): Credentials | undefined {
  const found = credentialsOf(authorization, form)
  const ways = [authorization, form.get('client_secret'), form.get('client_assertion')]
  if (ways.filter((way) => way !== undefined && way !== null).length > 1) {
    throw new OAuthError('invalid_request', 'The client authenticates in more than one way.')
  }
  const named = form.get('client_id')
  if (found !== undefined && named !== null && named !== found.clientId) {
    throw new OAuthError('invalid_request', 'The parameter client_id is not the client that authenticates.')
  }
  return found
}

function credentialsOf(authorization: string | undefined, form: URLSearchParams): Credentials | undefined {
  if (authorization !== undefined) {
    const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? []
    if (encoded === undefined) return undefined
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) return undefined
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', '%20'))
    try {
      return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) }
    } catch {
      return undefined
    }
  }
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')]
  return clientId === null || clientSecret === null ? undefined : { clientId, clientSecret }
}

async function requireMachine(
  app: App,
  user: Awaited<ReturnType<typeof findByLoginName>>,
): Promise<Document<MachineUser>> {
  const state = user?.state
  const isUsable = state?.status !== undefined && mayAct(state) && state.type === 'machine'
  if (user === undefined || !isUsable || (await organizationState(app, user.owner)) !== 'active') {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return user as Document<MachineUser>
}

/** The machine user of a name and secret. */
async function machineBySecret(app: App, { clientId, clientSecret }: Credentials): Promise<Document<MachineUser>> {
  const machine = await requireMachine(app, await findByLoginName(app, clientId))
  if (!(await matchesMachineSecret(app, machine.id, clientSecret))) {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return machine
}

function invalidAssertion(reason: string): OAuthError {
  return new OAuthError('invalid_grant', `The assertion is not valid: ${reason}.`)
}

/** The machine user whose key signed an assertion. */
async function machineByAssertion(app: App, assertion: string): Promise<Document<MachineUser>> {
  let keyId: string | undefined
  try {
    keyId = decodeProtectedHeader(assertion).kid
  } catch {
    throw invalidAssertion('it is not a signed JSON Web Token')
  }
  const key = keyId === undefined ? undefined : await findMachineKey(app, keyId)
  const at = app.clock()
  if (keyId === undefined || key === undefined || key.expiresAt <= at)
    throw invalidAssertion('the key is unknown or expired')
  const { payload } = await jwtVerify(assertion, createPublicKey(key.publicKey), {
    algorithms: ['RS256'],
    issuer: key.userId,
    subject: key.userId,
    audience: [app.externalUrl, `${app.externalUrl}/oauth/v2/token`],
    requiredClaims: ['exp', 'iat'],
    maxTokenAge: LONGEST_ASSERTION_S,
    currentDate: new Date(at),
  }).catch((error: Error) => {
    // RFC 6749 §5.2 allows no quotation marks.
    throw invalidAssertion(error.message.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ''))
  })
  const { jti, exp = 0 } = payload
  // Only an assertion with an ID can be told from another one; clients of the API send none.
  const isFresh =
    jti === undefined ||
    (await takeAssertion(app, originOf(app, key.userId), hashSecret(`${key.userId}\n${jti}`), instant(exp * 1000)))
  if (!isFresh) throw invalidAssertion('it was used before')
  const user = await app.store.get(users, key.userId)
  return requireMachine(app, user as Awaited<ReturnType<typeof findByLoginName>>).catch(() => {
    throw invalidAssertion('the user is not active')
  })
}

/** The scopes that a machine may have: none of another organization. */
function scopesOf(machine: Document<MachineUser>, scope: string | null): string {
  if (scope === null) throw new OAuthError('invalid_request', 'The parameter scope is missing.')
  const { known, organizationIds } = readScopes(scope)
  const foreign = organizationIds.filter((id) => id !== machine.owner)
  return known.filter((one) => !foreign.some((id) => one.endsWith(`:org:id:${id}`))).join(' ')
}

/** The answer of the token endpoint. */
export type TokenAnswer = Readonly<Record<string, string | number>>

/** Issues a token to a machine user. */
export async function issueMachineToken(
  app: App,
  form: URLSearchParams,
  authorization: string | undefined,
): Promise<TokenAnswer> {
  const isKey = form.get('grant_type') === JWT_BEARER
  const credentials = isKey ? undefined : readCredentials(authorization, form)
  if (!isKey && credentials === undefined) {
    throw new OAuthError('invalid_client', 'The request contains no client ID and secret.', 401)
  }
  const machine =
    credentials === undefined
      ? await machineByAssertion(app, form.get('assertion') ?? '')
      : await machineBySecret(app, credentials)
  const scope = scopesOf(machine, form.get('scope'))
  const at = app.clock()
  const subject: NewGrant = {
    userId: machine.id,
    organizationId: machine.owner,
    isMachine: true,
    clientId: machine.state.userName,
    applicationId: '',
    projectId: '',
    sessionId: '',
    scope,
    audience: await audienceOfScopes(app, readScopes(scope)),
    authenticatedAt: at,
    amr: [isKey ? 'user' : 'pwd'],
    acr: '',
  }
  return answerFor(app, machine, subject, isKey ? JWT_BEARER : CLIENT_CREDENTIALS)
}

async function answerFor(
  app: App,
  machine: Document<MachineUser>,
  subject: NewGrant,
  grantType: string,
): Promise<TokenAnswer> {
  const { accessTokenMs } = await oidcLifetimes(app)
  const origin = originOf(app, machine.id)
  const token = await openGrantWithToken(app, origin, subject, { grantType, lifetimeMs: accessTokenMs })
  const isJwt = machine.state.accessTokenType === 'jwt'
  const format = { isJwt, hasRoles: true, clockSkewMs: 0 }
  const text = isJwt ? await signAccessToken(app, { ...token, subject, scope: subject.scope }, format) : token.text
  const answer = { access_token: text, token_type: 'Bearer', expires_in: Math.floor(accessTokenMs / 1000) }
  if (grantType !== JWT_BEARER || !subject.scope.split(' ').includes('openid')) return answer
  const idToken = await signIdToken(
    app,
    {
      subject,
      user: machine,
      scope: subject.scope,
      accessToken: text,
      requested: [],
      issuedAt: origin.at,
      lifetimeMs: accessTokenMs,
    },
    { idTokenUserinfoAssertion: false, idTokenRoleAssertion: false, clockSkewMs: 0 },
  )
  return { ...answer, id_token: idToken }
}
