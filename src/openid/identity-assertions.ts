/**
 * Identity assertion grants of other authorization servers (draft-ietf-oauth-identity-assertion-authz-grant §5): an application
 * shows one and gets a token for a resource, for the user whom it is about, without asking them. The instance names the
 * issuers, and the applications that can show their assertions; whether it still does is part of validity.
 */
import { createPublicKey } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { hashSecret } from '../crypto/tokens.ts'
import {
  type ActiveApplication,
  activeApplicationOfClient,
  keysFor,
  matchesApplicationSecret,
} from '../features/applications/index.ts'
import {
  defaultResourceFor,
  requireResource,
  takeAssertion,
  targetOf,
} from '../features/authorization-requests/index.ts'
import { openGrantWithToken } from '../features/grants/index.ts'
import { isForOwnDoor } from '../features/resources/index.ts'
import { assertionIssuer, oidcLifetimes } from '../features/settings/index.ts'
import { assertedUser } from '../features/sign-in-intents/index.ts'
import { reportClient } from '../features/sign-ins/index.ts'
import { activePerson } from '../features/users/index.ts'
import { instant } from '../kernel/instant.ts'
import { resourceKey } from '../kernel/resource-key.ts'
import type { App } from '../module/app.ts'
import { OAuthError } from './answers.ts'
import { applicationByAssertion, CLIENT_ALGS, endOf, keyIdOf, WrongAssertion } from './assertions.ts'
import { readCredentials } from './machine-clients.ts'
import { originOf } from './origin.ts'
import { signAccessToken } from './tokens.ts'

/** The type in the header of such an assertion. */
export const ASSERTION_TYP = 'oauth-id-jag+jwt'
/** No session here stands behind such a token, so the issuer is asked again after this time. */
const LONGEST_MS = 3_600_000
/** As long as OpenID Connect Core §2 allows, in characters that can be stored. */
const SUBJECT = /^[^\p{C}]{1,255}$/u
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Whether the assertion of a form says that it is one. Nothing is verified. */
export function isIdentityAssertion(form: URLSearchParams): boolean {
  try {
    const { typ = '' } = decodeProtectedHeader(form.get('assertion') ?? '')
    return typ.toLowerCase().replace(/^application\//, '') === ASSERTION_TYP
  } catch {
    return false
  }
}

/** What a request shows beside its form. */
interface Shown {
  readonly authorization: string | undefined
  /** Counts what strangers cause; false: there was too much from the same source. */
  mayStart(): boolean
}

/** The application that shows the assertion. It must authenticate: an assertion that got lost is of no use to others. */
async function showingClient(app: App, form: URLSearchParams, { authorization, mayStart }: Shown) {
  const credentials = readCredentials(authorization, form)
  const clientId = form.has('client_assertion')
    ? await applicationByAssertion(app, form, { mayStart, requireNonce: () => {} })
    : (credentials?.clientId ?? '')
  const found = await activeApplicationOfClient(app, clientId)
  const isProven =
    form.has('client_assertion') ||
    (found !== undefined &&
      credentials !== undefined &&
      (await matchesApplicationSecret(app, found.application, credentials.clientSecret)))
  const { config, agent } = found?.application.state ?? {}
  if (config?.type === 'oidc' && agent === undefined && found !== undefined && isProven) {
    // Its proofs must have a nonce of the server, which this grant does not ask for.
    if (config.requireDpop)
      throw new OAuthError(
        'unauthorized_client',
        'The client must use DPoP with nonces, which this grant does not have.',
      )
    return found
  }
  if (clientId !== '') await reportClient(app, { clientId, what: 'client_authentication', value: '' })
  throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
}

/** Who an assertion claims to come from; nothing is verified. */
function claimedIssuer(text: string): string {
  try {
    return String(decodeJwt(text).iss ?? '')
  } catch {
    throw new WrongAssertion('it is not a signed JSON Web Token')
  }
}

type Issuer = NonNullable<Awaited<ReturnType<typeof assertionIssuer>>>

/** The claims of an assertion that one of the keys of its issuer signed, for us and for this client. */
async function verified(app: App, text: string, issuer: Issuer, clientId: string, mayFetch: () => boolean) {
  const { alg: algorithm = '' } = decodeProtectedHeader(text)
  const keys = await keysFor(app, { uri: issuer.jwksUri }, { keyId: keyIdOf(text), algorithm }, mayFetch)
  if (typeof keys === 'string') throw new WrongAssertion(keys)
  let failure = new WrongAssertion('the key is unknown')
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(text, createPublicKey(key), {
        algorithms: [...CLIENT_ALGS],
        typ: ASSERTION_TYP,
        issuer: issuer.issuer,
        audience: app.externalUrl,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id'],
        currentDate: new Date(app.clock()),
      })
      return checked(payload, clientId)
    } catch (error) {
      failure =
        error instanceof WrongAssertion ? error : new WrongAssertion('it is not signed as it must be, or not for us')
    }
  }
  throw failure
}

function checked(payload: JWTPayload, clientId: string): JWTPayload & { sub: string; jti: string } {
  const { sub, jti, aud, client_id: named } = payload
  if ([aud].flat().length !== 1) throw new WrongAssertion('it is for others, too')
  if (named !== clientId) throw new WrongAssertion('it is for another client')
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new WrongAssertion('its sub is missing or too long')
  if (typeof jti !== 'string' || jti === '') throw new WrongAssertion('its jti is not a text')
  return { ...payload, sub, jti }
}

function texts(claim: unknown): readonly string[] {
  return [claim].flat().filter((one): one is string => typeof one === 'string')
}

/** What the token is for: what the assertion names, and less if the request says so. */
async function targetFor(app: App, form: URLSearchParams, claims: JWTPayload, { project }: ActiveApplication) {
  const named = texts(claims.resource)
  const asked = form.get('resource')
  const isOther = asked !== null && named.length > 0 && !named.some((one) => resourceKey(one) === resourceKey(asked))
  const uri = asked ?? (named.length > 0 ? named[0] : await defaultResourceFor(app, project.id, ''))
  if (isOther || uri === undefined || (asked === null && named.length > 1)) {
    throw new OAuthError('invalid_target', 'The assertion and the request must name one resource.')
  }
  const resource = await requireResource(app, uri, project.owner)
  // Our own API asks users itself.
  if (isForOwnDoor(app, resource)) throw new OAuthError('invalid_target', 'The resource is not available.')
  const most = texts(claims.scope).join(' ').split(' ').filter(Boolean)
  const wanted = form.get('scope')?.split(' ').filter(Boolean) ?? most
  if (!wanted.every((scope) => most.includes(scope))) {
    throw new OAuthError('invalid_scope', 'The scope is wider than that of the assertion.')
  }
  const target = targetOf(resource, wanted.join(' '), [])
  return wanted.length === 0 ? { ...target, scope: '' } : target
}

/** The user whom an assertion is about; it counts once. */
async function takeUser(app: App, { providerId, issuer }: Issuer, claims: ReturnType<typeof checked>) {
  const origin = originOf(app)
  const end = endOf(claims, app.clock() / 1000)
  const id = hashSecret(`${issuer}\n${claims.jti}`)
  if (!(await takeAssertion(app, origin, id, instant(Math.ceil(end * 1000))))) {
    throw new WrongAssertion('it was used before')
  }
  const userId = await assertedUser(app, origin, providerId, { subject: claims.sub, claims })
  const user = userId === undefined ? undefined : (await activePerson(app.store, userId))?.user
  if (user?.state.type !== 'human') throw new WrongAssertion('nobody here has this account')
  return user
}

/** When the user signed in, as the issuer says: never later than the assertion. */
function signedInAt({ auth_time: at, iat = 0 }: JWTPayload) {
  return instant((typeof at === 'number' && at > 0 && at <= iat ? Math.floor(at) : iat) * 1000)
}

async function exchangeAssertion(app: App, form: URLSearchParams, shown: Shown, dpopKey: DpopKeyOf) {
  const found = await showingClient(app, form, shown)
  const { id: applicationId, state } = found.application
  const { clientId, projectId } = state
  const text = form.get('assertion') ?? ''
  const issuer = await assertionIssuer(app, claimedIssuer(text), clientId)
  if (issuer === undefined) throw new WrongAssertion('its issuer is not trusted')
  const claims = await verified(app, text, issuer, clientId, shown.mayStart)
  const target = await targetFor(app, form, claims, found)
  const bound = await dpopKey(applicationId)
  const user = await takeUser(app, issuer, claims)
  const subject = {
    userId: user.id,
    organizationId: user.owner,
    isMachine: false,
    clientId,
    applicationId,
    projectId,
    sessionId: '',
    ...target,
    authenticatedAt: signedInAt(claims),
    amr: [],
    acr: '',
    assertedBy: { issuer: issuer.issuer, providerId: issuer.providerId, externalId: claims.sub },
  }
  const lifetimeMs = Math.min((await oidcLifetimes(app)).accessTokenMs, LONGEST_MS)
  const first = { grantType: JWT_BEARER, lifetimeMs, ...(bound !== undefined && { dpopKey: bound }) }
  const token = await openGrantWithToken(app, originOf(app, user.id), subject, first)
  const format = { isJwt: true, hasRoles: true, clockSkewMs: 0 }
  return {
    access_token: await signAccessToken(app, { ...token, scope: subject.scope, dpopKey: bound }, format),
    token_type: bound === undefined ? 'Bearer' : 'DPoP',
    expires_in: Math.floor(lifetimeMs / 1000),
    scope: subject.scope,
  }
}

/** The key that the token is bound to, if the request proves one. */
type DpopKeyOf = (holder: string) => Promise<string | undefined>

/** The answer of the token endpoint to such an assertion. */
export async function answerAssertion(app: App, form: URLSearchParams, shown: Shown, dpopKey: DpopKeyOf) {
  try {
    return await exchangeAssertion(app, form, shown, dpopKey)
  } catch (error) {
    if (!(error instanceof WrongAssertion)) throw error
    throw new OAuthError('invalid_grant', `The assertion is not valid: ${error.message}.`)
  }
}
