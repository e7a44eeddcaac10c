/**
 * Authenticates machine users at the OAuth endpoints: with their secret, or with an assertion that is signed with one of
 * their keys (RFC 7523).
 */
import { createPublicKey } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { App } from '../access/app.ts'
import { hashSecret } from '../crypto/tokens.ts'
import { findApplicationByClientId } from '../features/applications/index.ts'
import { takeAssertion } from '../features/authorization-requests/index.ts'
import { findMachineKey, matchesMachineSecret } from '../features/machines/index.ts'
import { activePerson, findByLoginName, type MachineUser } from '../features/users/index.ts'
import { instant } from '../kernel/instant.ts'
import type { Document } from '../store/index.ts'
import { OAuthError } from './answers.ts'
import { originOf } from './origin.ts'
import { ROUTES } from './routes.ts'

const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion is valid for an hour at most, whatever it says. */
const LONGEST_ASSERTION_S = 3600

/** Whom an assertion may be addressed to: the server, or one of the endpoints that accept it. */
const AUDIENCES = ['', ROUTES.token, ROUTES.revocation]

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

async function activeMachine(app: App, userId: string | undefined): Promise<Document<MachineUser> | undefined> {
  const user = userId === undefined ? undefined : (await activePerson(app.store, userId))?.user
  return user?.state.type === 'machine' ? (user as Document<MachineUser>) : undefined
}

/** The machine user of a name and secret. */
export async function machineBySecret(
  app: App,
  { clientId, clientSecret }: Credentials,
): Promise<Document<MachineUser>> {
  const machine = await activeMachine(app, (await findByLoginName(app, clientId))?.id)
  if (machine === undefined || !(await matchesMachineSecret(app, machine.id, clientSecret))) {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return machine
}

function invalidAssertion(reason: string): OAuthError {
  return new OAuthError('invalid_grant', `The assertion is not valid: ${reason}.`)
}

/** The ID of the key that an assertion names; throws for a text that is no signed JSON Web Token. */
function keyIdOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).kid
  } catch {
    throw invalidAssertion('it is not a signed JSON Web Token')
  }
}

/** The machine user whose key signed an assertion. */
export async function machineByAssertion(app: App, assertion: string): Promise<Document<MachineUser>> {
  const keyId = keyIdOf(assertion)
  const key = keyId === undefined ? undefined : await findMachineKey(app, keyId)
  const at = app.clock()
  if (key === undefined || key.expiresAt <= at) throw invalidAssertion('the key is unknown or expired')
  const { payload } = await jwtVerify(assertion, createPublicKey(key.publicKey), {
    algorithms: ['RS256'],
    issuer: key.userId,
    subject: key.userId,
    audience: AUDIENCES.map((path) => `${app.externalUrl}${path}`),
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
  const machine = await activeMachine(app, key.userId)
  if (machine === undefined) throw invalidAssertion('the user is not active')
  return machine
}

/** The machine of a client assertion (RFC 7523 §2.2); undefined when no key of a machine signed it. */
async function machineByClientAssertion(app: App, form: URLSearchParams): Promise<Document<MachineUser> | undefined> {
  const assertion = form.get('client_assertion') ?? ''
  try {
    const keyId = keyIdOf(assertion)
    if (keyId === undefined || (await findMachineKey(app, keyId)) === undefined) return undefined
    if (form.get('client_assertion_type') !== CLIENT_ASSERTION) return undefined
    return await machineByAssertion(app, assertion)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw new OAuthError('invalid_client', error.message, 401)
  }
}

/**
 * The machine user that a request authenticates as, by secret or by key; undefined when the client is an application or
 * none at all, which the engine finds out. Throws for a machine with a wrong secret or assertion.
 */
export async function authenticateMachine(
  app: App,
  form: URLSearchParams,
  authorization: string | undefined,
): Promise<Document<MachineUser> | undefined> {
  const credentials = readCredentials(authorization, form)
  if (form.has('client_assertion')) {
    const machine = await machineByClientAssertion(app, form)
    const named = form.get('client_id')
    if (machine !== undefined && named !== null && named !== machine.id && named !== machine.state.userName) {
      throw new OAuthError('invalid_request', 'The parameter client_id is not the client that authenticates.')
    }
    return machine
  }
  if (credentials === undefined || (await findApplicationByClientId(app, credentials.clientId))) return undefined
  return machineBySecret(app, credentials)
}
