/**
 * An authenticator and its browser in software: it answers options as a real one would, and can be told to answer
 * anything else (`twists`), so that every check has something to refuse.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, type webcrypto } from 'node:crypto'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { type Cbor, encodeCbor } from './cbor.ts'

export type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'RS256' | 'PS256'

const COSE: Readonly<Record<Algorithm, number>> = {
  ES256: -7,
  ES384: -35,
  ES512: -36,
  EdDSA: -8,
  RS256: -257,
  PS256: -37,
}
const CURVES: Readonly<Record<string, readonly [crv: number, hash: string]>> = {
  'P-256': [1, 'sha256'],
  'P-384': [2, 'sha384'],
  'P-521': [3, 'sha512'],
}
const CURVE_OF: Readonly<Partial<Record<Algorithm, string>>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** The flags of authenticator data (WebAuthn Level 3 §6.1). */
export const FLAGS = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 } as const

export interface AuthenticatorOptions {
  readonly alg?: Algorithm
  /** Bytes of the credential id. */
  readonly idLength?: number
  /** Whether the credential can be backed up, and is. */
  readonly isSynced?: boolean
  /** Counts up with every signature; otherwise the count is always 0. */
  readonly counts?: boolean
  /** Whether it verifies its user, by fingerprint or PIN. */
  readonly verifiesUser?: boolean
  readonly aaguid?: Uint8Array
  readonly transports?: readonly string[]
}

/** What can be falsified in both ceremonies. Values that are not set are right. */
export interface Twists {
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: JsonValue
  readonly topOrigin?: JsonValue
  /** More members of the client data. */
  readonly clientData?: JsonObject
  /** The signed client data, in place of all of the above. */
  rewriteClientData?(text: string): Uint8Array
  readonly rpId?: string
  /** Flags to set and to take away. */
  readonly setFlags?: number
  readonly clearFlags?: number
  readonly signCount?: number
  /** Extension data as bytes. The flags tell whether they are announced. */
  readonly extensions?: Uint8Array
  /** The authenticator data before they are signed. */
  rewriteData?(data: Buffer): Buffer
  /** The credential as it is sent, after everything else. */
  rewrite?(credential: Record<string, JsonValue>): JsonObject
}

export interface CreateTwists extends Twists {
  /** The origin of the page. */
  readonly origin: string
  readonly format?: string
  readonly statement?: Cbor
  /** Self-attests with the number of this algorithm. */
  readonly selfAttests?: number | true
  readonly credentialId?: Uint8Array
  /** The COSE key in place of its own. */
  readonly coseKey?: Cbor
  /** The attestation object in place of the right one. */
  rewriteObject?(object: Buffer): Buffer
}

export interface GetTwists extends Twists {
  readonly origin: string
  /** base64url; `undefined` leaves it out. */
  readonly userHandle?: string | undefined
  rewriteSignature?(signature: Buffer): Buffer
  /** Signs with the key of another authenticator. */
  readonly signer?: Authenticator
}

export interface Authenticator {
  /** base64url. */
  readonly credentialId: string
  readonly coseKey: ReadonlyMap<number, Cbor>
  /** The user it was registered for, base64url. */
  readonly userHandle: string | undefined
  readonly signCount: number
  /** Answers creation options, `{ publicKey: … }`. */
  create(options: JsonObject, twists: CreateTwists): JsonObject
  /** Answers request options. */
  get(options: JsonObject, twists: GetTwists): JsonObject
  signWith(bytes: Uint8Array): Buffer
}

function newKeys(alg: Algorithm) {
  const curve = CURVE_OF[alg]
  if (curve !== undefined) return generateKeyPairSync('ec', { namedCurve: curve })
  return alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function coseOf(alg: Algorithm, key: KeyObject): Map<number, Cbor> {
  const jwk = key.export({ format: 'jwk' }) as webcrypto.JsonWebKey
  const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
  switch (jwk.kty) {
    case 'EC': {
      const [crv] = CURVES[jwk.crv ?? ''] ?? [0]
      return new Map<number, Cbor>([
        [1, 2],
        [3, COSE[alg]],
        [-1, crv],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)],
      ])
    }
    case 'OKP':
      return new Map<number, Cbor>([
        [1, 1],
        [3, COSE[alg]],
        [-1, 6],
        [-2, bytes(jwk.x)],
      ])
    default:
      return new Map<number, Cbor>([
        [1, 3],
        [3, COSE[alg]],
        [-1, bytes(jwk.n)],
        [-2, bytes(jwk.e)],
      ])
  }
}

function signBytes(alg: Algorithm, key: KeyObject, bytes: Uint8Array): Buffer {
  if (alg === 'EdDSA') return sign(null, bytes, key)
  if (alg === 'PS256') return sign('sha256', bytes, { key, padding: 6, saltLength: 32 })
  const [, hash] = CURVES[CURVE_OF[alg] ?? ''] ?? [0, 'sha256']
  return sign(hash, bytes, key)
}

function sha256(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest()
}
function uint(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** The member `publicKey` of options. */
function publicKeyIn(options: JsonObject): JsonObject {
  return options.publicKey as JsonObject
}

function clientDataOf(type: string, options: JsonObject, twists: Twists & { readonly origin: string }): Buffer {
  const data = {
    type: twists.type ?? type,
    challenge: twists.challenge ?? publicKeyIn(options).challenge,
    origin: twists.origin,
    crossOrigin: twists.crossOrigin === undefined ? false : twists.crossOrigin,
    ...(twists.topOrigin !== undefined && { topOrigin: twists.topOrigin }),
    ...twists.clientData,
  }
  const text = JSON.stringify(data)
  return Buffer.from(twists.rewriteClientData?.(text) ?? text)
}

/** A new authenticator with a key pair of its own: one credential. */
export function newAuthenticator(made: AuthenticatorOptions = {}): Authenticator {
  const { alg = 'ES256', idLength = 32, isSynced = false, counts = false, verifiesUser = true } = made
  const { aaguid = Buffer.alloc(16), transports = ['internal'] } = made
  const { publicKey, privateKey } = newKeys(alg)
  const credentialId = randomBytes(idLength)
  const coseKey = coseOf(alg, publicKey)
  let signCount = 0
  let userHandle: string | undefined
  const ownFlags = FLAGS.UP | (verifiesUser ? FLAGS.UV : 0) | (isSynced ? FLAGS.BE | FLAGS.BS : 0)

  const dataOf = (rpId: string, more: number, rest: readonly Uint8Array[], twists: Twists): Buffer => {
    if (counts) signCount++
    const flags = (ownFlags | more | (twists.setFlags ?? 0)) & ~(twists.clearFlags ?? 0) & 0xff
    const hash = sha256(twists.rpId ?? rpId)
    const count = uint(twists.signCount ?? signCount, 4)
    const data = Buffer.concat([hash, Buffer.from([flags]), count, ...rest, twists.extensions ?? Buffer.alloc(0)])
    return twists.rewriteData?.(data) ?? data
  }

  const credentialOf = (id: Uint8Array, response: JsonObject, twists: Twists): JsonObject => {
    const text = Buffer.from(id).toString('base64url')
    const credential = {
      id: text,
      rawId: text,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
    return twists.rewrite?.(credential) ?? credential
  }

  const self: Authenticator = {
    credentialId: credentialId.toString('base64url'),
    coseKey,
    get userHandle() {
      return userHandle
    },
    get signCount() {
      return signCount
    },
    signWith: (bytes) => signBytes(alg, privateKey, bytes),

    create(options, twists) {
      const { rp, user } = publicKeyIn(options)
      const id = twists.credentialId ?? credentialId
      const attested = [aaguid, uint(id.length, 2), id, encodeCbor(twists.coseKey ?? coseKey)]
      const clientData = clientDataOf('webauthn.create', options, twists)
      const authData = dataOf(String((rp as JsonObject).id), FLAGS.AT, attested, twists)
      const stated = twists.selfAttests === true ? COSE[alg] : twists.selfAttests
      const own = new Map<string, Cbor>([
        ['alg', stated ?? 0],
        ['sig', self.signWith(Buffer.concat([authData, sha256(clientData)]))],
      ])
      const object = encodeCbor(
        new Map<string, Cbor>([
          ['fmt', twists.format ?? (stated === undefined ? 'none' : 'packed')],
          ['attStmt', twists.statement ?? (stated === undefined ? new Map() : own)],
          ['authData', authData],
        ]),
      )
      userHandle = String((user as JsonObject).id)
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: (twists.rewriteObject?.(object) ?? object).toString('base64url'),
        transports: [...transports],
      }
      return credentialOf(id, response, twists)
    },

    get(options, twists) {
      const clientData = clientDataOf('webauthn.get', options, twists)
      const authData = dataOf(String(publicKeyIn(options).rpId), 0, [], twists)
      const signature = (twists.signer ?? self).signWith(Buffer.concat([authData, sha256(clientData)]))
      const handle = 'userHandle' in twists ? twists.userHandle : userHandle
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: (twists.rewriteSignature?.(signature) ?? signature).toString('base64url'),
        ...(handle !== undefined && { userHandle: handle }),
      }
      return credentialOf(credentialId, response, twists)
    },
  }
  return self
}
