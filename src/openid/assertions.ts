/**
 * Assertions with which machines and applications prove who they are (RFC 7523): one set of rules for both. An assertion
 * counts for an hour at most, and once, if it has an ID (`jti`). Existing clients send none; an application can require it.
 */
import { createPublicKey } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { hashSecret } from '../crypto/tokens.ts'
import {
  type ApplicationConfig,
  type AssertionAlgorithm,
  activeApplicationOfClient,
  agentKindOf,
  findAgent,
  isHighAssurance,
  keysFor,
  verificationKeysOf,
} from '../features/applications/index.ts'
import { takeAssertion } from '../features/authorization-requests/index.ts'
import { type Instant, instant } from '../kernel/instant.ts'
import type { App } from '../module/app.ts'
import { OAuthError, tooManyRequests } from './answers.ts'
import { originOf } from './origin.ts'
import { ROUTES } from './routes.ts'

const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The algorithms that clients and machines sign with. */
export const CLIENT_ALGS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const

/** The algorithms of an application: all, or the one that it names; Ed25519 has two names (RFC 9864). */
function algorithmsOf(algorithm: AssertionAlgorithm | undefined): readonly string[] {
  if (algorithm === undefined) return CLIENT_ALGS
  return algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm]
}

const LONGEST_S = 3600
/** How far `nbf` may be in the future, where the FAPI 2.0 Security Profile applies (section 5.3.2.1). */
const STRICT_TOLERANCE_S = 10
/** How far the clocks of clients may be off. Some date an assertion back by seconds, and let it end an hour from now. */
const LEEWAY_S = 60

/** Whom an assertion may be addressed to: the server, or one of the endpoints that accept it. */
const AUDIENCES = [
  '',
  ROUTES.token,
  ROUTES.introspection,
  ROUTES.revocation,
  ROUTES.device_authorization,
  ROUTES.pushed_authorization_request,
  ROUTES.backchannel_authentication,
]

/** Why an assertion does not count, for the client. */
export class WrongAssertion extends Error {}

/** The ID of the key that an assertion names; throws for a text that is no signed JSON Web Token. */
export function keyIdOf(assertion: string): string | undefined {
  let kid: unknown
  try {
    kid = decodeProtectedHeader(assertion).kid
  } catch {
    throw new WrongAssertion('it is not a signed JSON Web Token')
  }
  if (kid !== undefined && typeof kid !== 'string') throw new WrongAssertion('its kid is not a text')
  return kid
}

/** Whom an assertion claims to come from; nothing is verified. */
export function claimedSubject(assertion: string): string {
  let sub: unknown
  try {
    sub = decodeJwt(assertion).sub
  } catch {
    throw new WrongAssertion('it is not a signed JSON Web Token')
  }
  if (typeof sub !== 'string' || sub === '') throw new WrongAssertion('its sub is missing or not a text')
  return sub
}

/** When an assertion ends, in seconds: an hour after it was issued, whatever it says. */
export function endOf({ exp = 0, iat }: JWTPayload, now: number): number {
  if (iat === undefined && exp > now + LONGEST_S + LEEWAY_S) {
    throw new WrongAssertion('without iat, its exp must be at most an hour from now')
  }
  if (iat !== undefined && iat > now + LEEWAY_S) throw new WrongAssertion('its iat is in the future')
  const end = iat === undefined ? exp : Math.min(exp, iat + LONGEST_S)
  if (end <= now) throw new WrongAssertion('it was issued more than an hour ago')
  return end
}

/** The ID of an assertion; undefined for one that does without, and ends within an hour. */
function idOf({ jti, exp = 0, iat }: JWTPayload, requiresJti: boolean): string | undefined {
  if (jti !== undefined) {
    if (typeof jti !== 'string' || jti === '') throw new WrongAssertion('its jti is not a text')
    return jti
  }
  if (requiresJti) throw new WrongAssertion('its jti is missing')
  if (iat === undefined || exp - iat > LONGEST_S + LEEWAY_S) {
    throw new WrongAssertion('without jti, its exp must be at most an hour after its iat')
  }
  return undefined
}

interface Expected {
  /** Who must have issued it, about themselves. */
  readonly subject: string
  /** The machine that it is; undefined: an application. */
  readonly userId?: string
  /** The keys that it may be signed with: SPKI in PEM. */
  readonly publicKeys: readonly string[]
  /** All that clients sign with, unless it is said. */
  readonly algorithms?: readonly string[]
  readonly requiresJti: boolean
  /** Its claims that must be there. */
  readonly requiredClaims: readonly string[]
  /** Whether the FAPI 2.0 Security Profile applies: the audience is the server as one text, and nothing else. */
  readonly isStrict?: boolean
  /** Throws why it must not be used up yet. */
  beforeUse?(): void
}

async function verify(app: App, assertion: string, expected: Expected, at: Instant): Promise<JWTPayload> {
  const { algorithms = CLIENT_ALGS } = expected
  if (!algorithms.includes(decodeProtectedHeader(assertion).alg ?? '')) {
    throw new WrongAssertion(`its alg must be ${algorithms.join(' or ')}`)
  }
  let failure = new WrongAssertion('the key is unknown or expired')
  for (const publicKey of expected.publicKeys) {
    try {
      const { payload } = await jwtVerify(assertion, createPublicKey(publicKey), {
        algorithms: [...algorithms],
        issuer: expected.subject,
        subject: expected.subject,
        audience: AUDIENCES.map((path) => `${app.externalUrl}${path}`),
        requiredClaims: [...expected.requiredClaims],
        currentDate: new Date(at),
        ...(expected.isStrict && { clockTolerance: STRICT_TOLERANCE_S }),
      })
      if (expected.isStrict && payload.aud !== app.externalUrl) {
        throw new WrongAssertion('its aud must be the issuer, as one text')
      }
      return payload
    } catch (error) {
      // RFC 6749 §5.2 allows no quotation marks.
      failure = new WrongAssertion(String((error as Error).message).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ''))
    }
  }
  throw failure
}

/** The claims of an assertion that is valid and was not used before; throws why it is not. */
export async function takeVerified(app: App, assertion: string, expected: Expected): Promise<JWTPayload> {
  const at = app.clock()
  const payload = await verify(app, assertion, expected, at)
  const end = endOf(payload, at / 1000)
  const id = idOf(payload, expected.requiresJti)
  expected.beforeUse?.()
  if (id === undefined) return payload
  const { subject } = expected
  const isFresh = takeAssertion(
    app,
    originOf(app, expected.userId),
    hashSecret(`${subject}\n${id}`),
    instant(Math.ceil(end * 1000)),
  )
  if (!(await isFresh)) throw new WrongAssertion('it was used before')
  return payload
}

/** Runs a check; what is wrong with an assertion becomes the answer for a client that could not be authenticated. */
export async function asClient<Value>(check: () => Promise<Value>): Promise<Value> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof WrongAssertion)) throw error
    throw new OAuthError('invalid_client', `The assertion is not valid: ${error.message}.`, 401)
  }
}

/** Throws unless the form says that it contains an assertion of this kind, once. */
export function requireAssertionType(form: URLSearchParams): void {
  const types = form.getAll('client_assertion_type')
  if (types.length !== 1 || form.getAll('client_assertion').length !== 1) {
    throw new OAuthError('invalid_request', 'The request needs one client_assertion and its client_assertion_type.')
  }
  if (types[0] !== CLIENT_ASSERTION) {
    throw new OAuthError('invalid_request', `The parameter client_assertion_type must be ${CLIENT_ASSERTION}.`)
  }
}

/**
 * Checks the assertion of a client that nobody prepared. Strangers have as many keys and assertions as they like, so all of
 * them are counted, and each must have an ID.
 */
async function takeAgentAssertion(
  app: App,
  assertion: string,
  clientId: string,
  mayStart: () => boolean,
): Promise<void> {
  if (!mayStart()) throw tooManyRequests()
  const agent = await findAgent(app, clientId, mayStart)
  if (typeof agent === 'string') throw new OAuthError('invalid_client', `The client cannot be used: ${agent}.`, 401)
  if (agent?.keys === undefined) throw new WrongAssertion(NO_KEY_CLIENT)
  const { alg: algorithm = '' } = decodeProtectedHeader(assertion)
  const publicKeys = await keysFor(app, agent.keys, { keyId: keyIdOf(assertion), algorithm }, mayStart)
  if (typeof publicKeys === 'string') throw new WrongAssertion(publicKeys)
  const how = { requiresJti: true, requiredClaims: ['exp'] }
  await takeVerified(app, assertion, { subject: clientId, publicKeys, ...how })
}

const NO_KEY_CLIENT = 'the client is unknown, or does not authenticate with a key'

/**
 * What counts for the assertion of an application. One whose DPoP proof needs a nonce first is told so before its assertion
 * is used up: clients send it again, with a new proof.
 */
function rulesFor(config: ApplicationConfig, requireNonce: () => void): Pick<Expected, 'algorithms' | 'isStrict'> {
  if (config.type !== 'oidc') return {}
  return {
    algorithms: algorithmsOf(config.clientAssertionAlgorithm),
    isStrict: isHighAssurance(config),
    ...(config.requireDpop && { beforeUse: requireNonce }),
  }
}

/** What a request has besides its form. */
interface Around {
  /** Counts what strangers cause; false: there was too much from the same source. */
  mayStart(): boolean
  /** Throws when the request has a DPoP proof without a valid nonce. */
  requireNonce(): void
}

/** The client ID of the application that a client assertion proves (RFC 7523 §2.2). */
export async function applicationByAssertion(
  app: App,
  form: URLSearchParams,
  { mayStart, requireNonce }: Around,
): Promise<string> {
  requireAssertionType(form)
  return asClient(async () => {
    const assertion = form.get('client_assertion') ?? ''
    const keyId = keyIdOf(assertion)
    const clientId = claimedSubject(assertion)
    if (form.has('client_id') && form.get('client_id') !== clientId) {
      throw new OAuthError('invalid_request', 'The parameter client_id is not the client that authenticates.')
    }
    if (agentKindOf(clientId) !== undefined) {
      await takeAgentAssertion(app, assertion, clientId, mayStart)
      return clientId
    }
    const found = await activeApplicationOfClient(app, clientId)
    const config = found?.application.state.config
    if (
      found === undefined ||
      config === undefined ||
      config.type === 'saml' ||
      config.authMethod !== 'private_key_jwt'
    ) {
      throw new WrongAssertion(NO_KEY_CLIENT)
    }
    const publicKeys = await verificationKeysOf(app, found.application.id, keyId)
    const requiresJti = config.requireAssertionJti === true
    const expected = { subject: clientId, publicKeys, requiresJti, requiredClaims: ['exp'] }
    await takeVerified(app, assertion, { ...expected, ...rulesFor(config, requireNonce) })
    return clientId
  })
}
