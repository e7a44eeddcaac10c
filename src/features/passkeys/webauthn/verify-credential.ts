/**
 * Verifies credentials with the WebAuthn library, which only this file imports, and adds checks that the library lacks.
 * The library is large, so it is loaded at the first use. Any of its errors refuses the credential. We request no
 * attestation and have no trusted roots, so an attestation statement with certificates proves nothing and is ignored.
 * The library would follow URLs in such certificates. A self-signed statement must be valid.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import type * as Library from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'
import { refused } from '../../../kernel/refusal.ts'
import { passkeyRefusals } from '../refusals.ts'
import { itemEnd } from './cbor.ts'
import { BadCredential, bytesOf, type ClientData, readClientData } from './client-data.ts'
import { ALGORITHMS, checkPublicKey } from './public-key.ts'

/** The values that a credential must match. */
export interface Expected {
  /** base64url. */
  readonly challenge: string
  readonly rpId: string
  readonly requiresUserVerification: boolean
  isExpectedOrigin(origin: string): boolean
  /** Whether one of our pages can be in a frame of this origin, which is not always known. */
  isExpectedFrame(topOrigin: string | undefined): boolean
}

/** A new credential, as its authenticator described it. */
export interface NewCredential {
  /** base64url. */
  readonly credentialId: string
  /** COSE_Key in base64url. */
  readonly publicKey: string
  readonly signCount: number
  readonly aaguid: string
  readonly transports: readonly string[]
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
}

/** The stored data of a credential that signs. */
export interface KnownCredential {
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
  /** Undefined: not known yet. */
  readonly isBackupEligible?: boolean
}

export interface SignedAssertion {
  readonly signCount: number
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly userVerified: boolean
}

/** WebAuthn Level 3 §7.1: longer ones are refused. */
const LONGEST_CREDENTIAL_ID = 1023
const FORMATS = ['none', 'packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'compound']
/** WebAuthn Level 3 §5.8.4, and older names that browsers used. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable']

// The offsets in authenticator data (WebAuthn Level 3 §6.1).
const FLAGS_OFFSET = 32
const HEADER_LENGTH = 37
const ATTESTED_HEADER_LENGTH = 18
const HAS_ATTESTED = 0x40
const HAS_EXTENSIONS = 0x80

// Members and types of a COSE key (RFC 9053 §7).
const KEY_TYPE = 1
const ELLIPTIC = 2

let loaded: Promise<{ readonly library: typeof Library; readonly helpers: typeof Helpers }> | undefined

function load() {
  loaded ??= Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]).then(
    ([library, helpers]) => ({ library, helpers }),
  )
  return loaded
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadCredential('is no object')
  return value as Readonly<Record<string, unknown>>
}

/** The ID of a credential in base64url, and the response of its authenticator. */
function readCredential(credential: JsonObject) {
  const { id, rawId, type, response } = credential
  const bytes = bytesOf(id)
  if (rawId !== undefined && !bytesOf(rawId).equals(bytes)) throw new BadCredential('has two ids')
  if (type !== 'public-key') throw new BadCredential('is of another type')
  if (bytes.length > LONGEST_CREDENTIAL_ID) throw new BadCredential('has an id that is too long')
  return { id: bytes.toString('base64url'), response: objectIn(response) }
}

/** Throws unless the client data match this challenge and an allowed page. */
function checkClientData(data: ClientData, type: string, expected: Expected): void {
  if (data.type !== type) throw new BadCredential('is for something else')
  if (data.challenge !== expected.challenge) throw new BadCredential('answers another challenge')
  if (!expected.isExpectedOrigin(data.origin)) throw new BadCredential('comes from another origin')
  if (data.isCrossOrigin ? !expected.isExpectedFrame(data.topOrigin) : data.topOrigin !== undefined) {
    throw new BadCredential('comes from a page inside another one')
  }
}

/** Throws unless authenticator data are complete and have the right length. */
function checkAuthenticatorData(bytes: Buffer, isRegistration: boolean): void {
  if (bytes.length < HEADER_LENGTH) throw new BadCredential('has too little data')
  const flags = bytes[FLAGS_OFFSET] ?? 0
  if (((flags & HAS_ATTESTED) !== 0) !== isRegistration) throw new BadCredential('has a key, or none')
  let end = HEADER_LENGTH
  if (isRegistration) {
    if (bytes.length < end + ATTESTED_HEADER_LENGTH) throw new BadCredential('has too little data')
    end += ATTESTED_HEADER_LENGTH + bytes.readUInt16BE(end + ATTESTED_HEADER_LENGTH - 2)
    end = itemEnd(bytes, end)
  }
  if ((flags & HAS_EXTENSIONS) !== 0) end = itemEnd(bytes, end)
  if (end !== bytes.length) throw new BadCredential('has too much data')
}

/** The attestation object for verification: with its self-signed statement, or without any. */
function readAttestation(helpers: typeof Helpers, bytes: Buffer) {
  if (itemEnd(bytes) !== bytes.length) throw new BadCredential('has too much data')
  const object = helpers.isoCBOR.decodeFirst<unknown>(new Uint8Array(bytes))
  if (!(object instanceof Map)) throw new BadCredential('has no attestation')
  const [format, statement, data] = ['fmt', 'attStmt', 'authData'].map((name): unknown => object.get(name))
  if (!FORMATS.includes(String(format)) || !(data instanceof Uint8Array)) throw new BadCredential('has no attestation')
  if (!(statement instanceof Map)) {
    // Only a compound statement is a list of others (§8.9).
    if (format !== 'compound' || !Array.isArray(statement)) throw new BadCredential('has no statement')
  }
  const isOwn = format === 'none' || (format === 'packed' && statement instanceof Map && !statement.has('x5c'))
  const none = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', data],
  ])
  return {
    data: Buffer.from(data),
    verifiable: isOwn ? bytes : Buffer.from(helpers.isoCBOR.encode(none)),
    statedAlgorithm: isOwn && statement instanceof Map ? (statement.get('alg') as unknown) : undefined,
  }
}

type Bytes = Parameters<typeof Helpers.decodeCredentialPublicKey>[0]

function keyIn(helpers: typeof Helpers, bytes: Bytes): ReadonlyMap<number, unknown> {
  return helpers.decodeCredentialPublicKey(bytes) as unknown as ReadonlyMap<number, unknown>
}

async function verifyRegistration(
  { library, helpers }: Awaited<ReturnType<typeof load>>,
  credential: JsonObject,
  expected: Expected,
): Promise<NewCredential> {
  const { id, response } = readCredential(credential)
  const clientData = bytesOf(response.clientDataJSON)
  const { origin, ...read } = readClientData(clientData)
  checkClientData({ origin, ...read }, 'webauthn.create', expected)
  const { data, verifiable, statedAlgorithm } = readAttestation(helpers, bytesOf(response.attestationObject))
  checkAuthenticatorData(data, true)

  const { verified, registrationInfo } = await library.verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: verifiable.toString('base64url'),
      },
      clientExtensionResults: {},
    },
    expectedChallenge: expected.challenge,
    expectedOrigin: origin,
    expectedRPID: expected.rpId,
    requireUserVerification: expected.requiresUserVerification,
    supportedAlgorithmIDs: [...ALGORITHMS],
  })
  if (!verified) throw new BadCredential('has a wrong statement')
  const { credential: made, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
  if (made.id !== id) throw new BadCredential('has two ids')
  const algorithm = checkPublicKey(keyIn(helpers, made.publicKey))
  // §8.2: a self-signed statement uses the algorithm of the key.
  if (statedAlgorithm !== undefined && statedAlgorithm !== algorithm) throw new BadCredential('has a wrong statement')

  const { transports } = response
  return {
    credentialId: id,
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    signCount: made.counter,
    aaguid,
    transports: Array.isArray(transports) ? TRANSPORTS.filter((one) => transports.includes(one)) : [],
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

/** Throws when data follow an elliptic curve signature, which is a DER sequence (§6.5.5). */
function checkSignatureEnd(key: ReadonlyMap<number, unknown>, signature: Buffer): void {
  if (key.get(KEY_TYPE) !== ELLIPTIC) return
  const [, length = 0, longer = 0] = signature
  const end = length < 0x80 ? 2 + length : length === 0x81 ? 3 + longer : 0
  if (end !== signature.length) throw new BadCredential('has data after the signature')
}

async function verifySignature(
  { library, helpers }: Awaited<ReturnType<typeof load>>,
  credential: JsonObject,
  known: KnownCredential,
  expected: Expected,
): Promise<SignedAssertion> {
  const { id, response } = readCredential(credential)
  if (id !== known.credentialId) throw new BadCredential('is another one')
  const clientData = bytesOf(response.clientDataJSON)
  const { origin, ...read } = readClientData(clientData)
  checkClientData({ origin, ...read }, 'webauthn.get', expected)
  const data = bytesOf(response.authenticatorData)
  checkAuthenticatorData(data, false)
  const signature = bytesOf(response.signature)
  const publicKey = new Uint8Array(Buffer.from(known.publicKey, 'base64url'))
  checkSignatureEnd(keyIn(helpers, publicKey), signature)

  const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
      clientExtensionResults: {},
    },
    expectedChallenge: expected.challenge,
    expectedOrigin: origin,
    expectedRPID: expected.rpId,
    ...(read.topOrigin !== undefined && { expectedTopOrigin: read.topOrigin }),
    credential: { id, publicKey, counter: known.signCount },
    requireUserVerification: expected.requiresUserVerification,
  })
  if (!verified) throw new BadCredential('has a wrong signature')
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
  const isBackupEligible = credentialDeviceType === 'multiDevice'
  // WebAuthn Level 3 §7.2: whether a credential can be backed up never changes.
  if (isBackupEligible !== (known.isBackupEligible ?? isBackupEligible)) throw new BadCredential('has changed')
  return { signCount: newCounter, isBackupEligible, isBackedUp: credentialBackedUp, userVerified }
}

/** Verifies a new credential (WebAuthn Level 3 §7.1). Throws `passkey.attestation_invalid` when it is invalid. */
export async function verifyNewCredential(credential: JsonObject, expected: Expected): Promise<NewCredential> {
  const tools = await load()
  try {
    return await verifyRegistration(tools, credential, expected)
  } catch {
    throw refused(passkeyRefusals, 'passkey.attestation_invalid')
  }
}

/** Throws `passkey.attestation_invalid` unless a credential with this ID and public key, both base64url, can sign here. */
export async function checkImportedCredential(credentialId: string, publicKey: string): Promise<void> {
  const { helpers } = await load()
  try {
    const id = bytesOf(credentialId)
    if (id.length === 0 || id.length > LONGEST_CREDENTIAL_ID) throw new BadCredential('has an id that is too long')
    checkPublicKey(keyIn(helpers, new Uint8Array(bytesOf(publicKey))))
  } catch {
    throw refused(passkeyRefusals, 'passkey.attestation_invalid')
  }
}

/** Verifies the signature of a known credential (§7.2). Throws `passkey.assertion_invalid` when it is invalid. */
export async function verifySignedAssertion(
  credential: JsonObject,
  known: KnownCredential,
  expected: Expected,
): Promise<SignedAssertion> {
  const tools = await load()
  try {
    return await verifySignature(tools, credential, known, expected)
  } catch {
    throw refused(passkeyRefusals, 'passkey.assertion_invalid')
  }
}
