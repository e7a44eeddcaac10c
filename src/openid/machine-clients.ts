/**
 * Authenticates machine users at the OAuth endpoints: with their secret, or with an assertion that is signed with one of
 * their keys (RFC 7523).
 */
import type { JWTPayload } from 'jose'
import { findApplicationByClientId, isAgentName } from '../features/applications/index.ts'
import {
  findMachineKey,
  findMachineSecret,
  type MachineCredential,
  noteCredentialUse,
} from '../features/machines/index.ts'
import { reportClient } from '../features/sign-ins/index.ts'
import { activePerson, findMachineByName, type MachineUser } from '../features/users/index.ts'
import type { App } from '../module/app.ts'
import { partyNamed } from '../module/token-party.ts'
import type { Document } from '../store/index.ts'
import { OAuthError } from './answers.ts'
import { asClient, claimedSubject, keyIdOf, requireAssertionType, takeVerified, WrongAssertion } from './assertions.ts'

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

/**
 * The machine user, if it is active and a client of its own. One that has the name of an application or a resource is none until
 * it has another name: its tokens would name that one as their client.
 */
async function activeMachine(app: App, userId: string | undefined): Promise<Document<MachineUser> | undefined> {
  const user = userId === undefined ? undefined : (await activePerson(app.store, userId))?.user
  if (user?.state.type !== 'machine' || (await partyNamed(app, user.state.userName)) !== undefined) return undefined
  // What looks like a client that nobody prepared is one, wherever such clients are allowed.
  if (await isAgentName(app, user.state.userName)) return undefined
  return user as Document<MachineUser>
}

/** A machine user, and what it authenticated with. */
export interface ProvenMachine extends Document<MachineUser> {
  readonly credential: MachineCredential
}

/** The machine user of a name and secret. */
export async function machineBySecret(app: App, { clientId, clientSecret }: Credentials): Promise<ProvenMachine> {
  const named = await findMachineByName(app, clientId)
  const machine = await activeMachine(app, named?.id)
  const credential = machine && (await findMachineSecret(app, machine.id, clientSecret))
  if (machine === undefined || credential === undefined) {
    await reportClient(app, { clientId, what: 'client_authentication', value: '', machineOwner: named?.owner })
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return { ...machine, credential }
}

/** The claims that an assertion must have: as the grant itself, or beside another one (RFC 7523 §3). */
const REQUIRED_CLAIMS = { grant: ['exp', 'iat'], client: ['exp'] } as const

/** A machine user, and the claims of the assertion that one of its keys signed. */
interface AssertedMachine {
  readonly machine: ProvenMachine
  readonly claims: JWTPayload
}

async function provenMachine(app: App, assertion: string, use: keyof typeof REQUIRED_CLAIMS): Promise<AssertedMachine> {
  const keyId = keyIdOf(assertion)
  const key = keyId === undefined ? undefined : await findMachineKey(app, keyId)
  if (keyId === undefined || key === undefined || key.expiresAt <= app.clock()) {
    throw new WrongAssertion('the key is unknown or expired')
  }
  const machine = await activeMachine(app, key.userId)
  // Its name is its client ID, as with a secret; older clients use the ID of the user.
  const isName = claimedSubject(assertion) === machine?.state.userName
  const claims = await takeVerified(app, assertion, {
    subject: isName ? machine.state.userName : key.userId,
    userId: key.userId,
    publicKeys: [key.publicKey],
    requiresJti: false,
    requiredClaims: REQUIRED_CLAIMS[use],
  })
  if (machine === undefined) throw new WrongAssertion('the user is not active')
  const credential = { type: 'key', id: keyId } as const
  noteCredentialUse(app, { ...credential, organizationId: machine.owner }, app.clock())
  return { machine: { ...machine, credential }, claims }
}

/** The machine user whose key signed an assertion, and what it says (RFC 7523 §2.1). */
export async function machineByAssertion(app: App, assertion: string): Promise<AssertedMachine> {
  try {
    return await provenMachine(app, assertion, 'grant')
  } catch (error) {
    if (!(error instanceof WrongAssertion)) throw error
    throw new OAuthError('invalid_grant', `The assertion is not valid: ${error.message}.`)
  }
}

/** The machine of a client assertion (RFC 7523 §2.2); undefined when no key of a machine signed it. */
function machineByClientAssertion(app: App, form: URLSearchParams): Promise<ProvenMachine | undefined> {
  requireAssertionType(form)
  return asClient(async () => {
    const assertion = form.get('client_assertion') ?? ''
    const keyId = keyIdOf(assertion)
    if (keyId === undefined || (await findMachineKey(app, keyId)) === undefined) return undefined
    return (await provenMachine(app, assertion, 'client')).machine
  })
}

/**
 * The machine user that a request authenticates as, by secret or by key; undefined when the client is an application or
 * none at all, which the engine finds out. Throws for a machine with a wrong secret or assertion.
 */
export async function authenticateMachine(
  app: App,
  form: URLSearchParams,
  authorization: string | undefined,
): Promise<ProvenMachine | undefined> {
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
