/**
 * Credentials with exactly one error: at least one for every "verify" step of WebAuthn Level 3 §7.1 and §7.2, by their
 * error.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { type CreateTwists, FLAGS, type GetTwists, newAuthenticator } from './authenticator.ts'
import { type Cbor, encodeCbor } from './cbor.ts'
import { ORIGIN } from './parts/passkeys.ts'

type Credential = Record<string, JsonValue>

/** Changes a member of the response. */
function response(members: JsonObject) {
  return {
    rewrite: (credential: Credential): JsonObject => ({
      ...credential,
      response: { ...(credential.response as JsonObject), ...members },
    }),
  }
}
function member(members: JsonObject) {
  return { rewrite: (credential: Credential) => ({ ...credential, ...members }) }
}
function without(...names: readonly string[]) {
  return {
    rewrite: (credential: Credential): JsonObject => {
      const inner = { ...(credential.response as Credential) }
      for (const name of names) delete inner[name]
      const outer: Credential = { ...credential, response: inner }
      for (const name of names) delete outer[name]
      return outer
    },
  }
}
function appended(bytes: Uint8Array, more: readonly number[]): Buffer {
  return Buffer.concat([bytes, Buffer.from(more)])
}

/** Errors in both ceremonies: the page, the challenge, and the authenticator data. */
const BOTH: Readonly<Record<string, Omit<Partial<CreateTwists & GetTwists>, 'rewriteObject' | 'rewriteSignature'>>> = {
  'a challenge that nobody made': { challenge: randomBytes(32).toString('base64url') },
  'an empty challenge': { challenge: '' },
  'a challenge in another spelling': {
    rewriteClientData: (text) =>
      Buffer.from(text.replace(/"challenge":"([^"]+)"/, (_, value) => `"challenge":"${value}="`)),
  },
  'an origin without TLS': { origin: 'http://id.example.com' },
  'the origin of a sub-domain': { origin: 'https://evil.id.example.com' },
  'the origin of a parent domain': { origin: 'https://example.com' },
  'the origin on another port': { origin: 'https://id.example.com:8443' },
  'the origin with a slash': { origin: 'https://id.example.com/' },
  'the origin in upper case': { origin: 'https://ID.example.com' },
  'an origin that looks alike': { origin: 'https://іd.example.com' },
  'an origin that begins alike': { origin: 'https://id.example.com.evil.example' },
  'an opaque origin': { origin: 'null' },
  'an origin that is no text': { clientData: { origin: 7 } },
  'a page inside of another one': { crossOrigin: true },
  'a page inside of a stranger': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'a page around it that is not said to be there': { topOrigin: ORIGIN },
  'a frame that is neither there nor not': { crossOrigin: 'false' },
  'another relying party': { rpId: 'example.com' },
  'an absent user': { clearFlags: FLAGS.UP },
  'a user who was not verified': { clearFlags: FLAGS.UV },
  'a backup of what cannot be backed up': { setFlags: FLAGS.BS, clearFlags: FLAGS.BE },
  'extension data that were not announced': { extensions: encodeCbor(new Map([['credProtect', 2]])) },
  'extension data that are announced and missing': { setFlags: FLAGS.ED },
  'extension data that lie about their length': { setFlags: FLAGS.ED, extensions: Buffer.from('a16161', 'hex') },
  'extension data with a key twice': { setFlags: FLAGS.ED, extensions: Buffer.from('a2616101616102', 'hex') },
  'extension data nested without end': {
    setFlags: FLAGS.ED,
    extensions: Buffer.concat([Buffer.alloc(5000, 0x81), Buffer.from([0])]),
  },
  'authenticator data with bytes left over': { rewriteData: (data) => appended(data, [0]) },
  'authenticator data that end early': { rewriteData: (data) => data.subarray(0, 36) },
  'client data with a byte order mark': { rewriteClientData: (text) => Buffer.from(`\u{feff}${text}`) },
  'client data with a member twice': {
    rewriteClientData: (text) => Buffer.from(text.replace('{', '{"origin":"https://evil.example",')),
  },
  'client data with a member twice in disguise': {
    rewriteClientData: (text) => Buffer.from(text.replace('{', '{"\\u006frigin":"https://evil.example",')),
  },
  'client data that are not UTF-8': {
    rewriteClientData: (text) => appended(Buffer.from(text.slice(0, -1)), [0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  },
  'client data that are not JSON': { rewriteClientData: (text) => Buffer.from(text.slice(0, -1)) },
  'client data that are no object': { rewriteClientData: (text) => Buffer.from(`[${text}]`) },
  'client data that are null': { rewriteClientData: () => Buffer.from('null') },
  'client data that are not base64url': response({ clientDataJSON: 'a+b/' }),
  'client data that are no text': response({ clientDataJSON: 7 }),
  'no client data': without('clientDataJSON'),
  'another type of credential': member({ type: 'password' }),
  'no type of credential': without('type'),
  'two ids': member({ rawId: randomBytes(32).toString('base64url') }),
  'an id that is no text': member({ id: 7 }),
  'an id that is empty': member({ id: '' }),
  'an id that is not base64url': member({ id: '***', rawId: '***' }),
  'no id': without('id', 'rawId'),
  'a response that is a list': member({ response: [] }),
  'no response': member({ response: null }),
}

function p256(x: Uint8Array, y: Uint8Array, alg = -7, crv = 1): Cbor {
return new Map<number, Cbor>([[1, 2], [3, alg], [-1, crv], [-2, x], [-3, y]])
} // biome-ignore format: a COSE key
function jwkBytes(text: string | undefined) {
  return Buffer.from(text ?? '', 'base64url')
}
function ec(namedCurve: string) {
  const { x, y } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
  return [jwkBytes(x), jwkBytes(y)] as const
}
function rsa(modulusLength: number, publicExponent = 65_537, alg = -257): Cbor {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  const { n, e } = publicKey.export({ format: 'jwk' })
  return new Map<number, Cbor>([[1, 3], [3, alg], [-1, jwkBytes(n)], [-2, jwkBytes(e)]]) // biome-ignore format: a COSE key
}
function ed25519(x: Uint8Array, crv = 6): Cbor {
return new Map<number, Cbor>([[1, 1], [3, -8], [-1, crv], [-2, x]])
} // biome-ignore format: a COSE key
const [x, y] = ec('P-256')
const [x384, y384] = ec('P-384')
const offCurve = Buffer.from(y).fill(7, 0, 8)
function ordinary(data: Uint8Array, parts: Readonly<Record<string, Cbor>>): Buffer {
  return encodeCbor(
    new Map<string, Cbor>(Object.entries({ fmt: 'none', attStmt: new Map(), authData: data, ...parts })),
  )
}
function authDataOf(object: Buffer): Buffer {
  return object.subarray(object.indexOf('authData') + 10)
}

/** Registrations that must be refused. */
export const REGISTRATIONS: Readonly<Record<string, Partial<CreateTwists>>> = {
  ...BOTH,
  'client data of a sign-in': { type: 'webauthn.get' },
  'a payment': { type: 'payment.get' },
  'no key': { clearFlags: FLAGS.AT },
  'an id in the data that is not the id': {
    credentialId: randomBytes(32),
    rewrite: (one) => ({ ...one, id: 'AAAA', rawId: 'AAAA' }),
  },
  'an id of 1024 bytes': { credentialId: randomBytes(1024) },
  'an id that is longer than the data': {
    rewriteData: (data) => {
      data.writeUInt16BE(60_000, 53)
      return data
    },
  },
  'an algorithm that was not asked for (ES256K)': { coseKey: p256(x, y, -47, 8) },
  'an algorithm that was not asked for (RS1)': { coseKey: rsa(2048, 65_537, -65_535) },
  'an algorithm that was not asked for (Ed448)': {
    coseKey: new Map<number, Cbor>([[1, 1], [3, -53], [-1, 7], [-2, randomBytes(57)]]), // biome-ignore format: a COSE key
  },
  'an ES256 key called RS256': { coseKey: p256(x, y, -257) },
  'an ES256 key on the curve of ES384': { coseKey: p256(x384, y384, -7, 2) },
  'an ES384 key on the curve of ES256': { coseKey: p256(x, y, -35, 1) },
  'a curve with the coordinates of another': { coseKey: p256(x384, y384, -7, 1) },
  'a point that is not on the curve': { coseKey: p256(x, offCurve) },
  'a point at nowhere': { coseKey: p256(Buffer.alloc(32), Buffer.alloc(32)) },
  'a key without its y': { coseKey: new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, x]]) }, // biome-ignore format: a COSE key
  'a key whose y is a sign': { coseKey: new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, x], [-3, true]]) }, // biome-ignore format: a COSE key
  'a key without an algorithm': { coseKey: new Map<number, Cbor>([[1, 2], [-1, 1], [-2, x], [-3, y]]) }, // biome-ignore format: a COSE key
  'a key with a member twice': {
    coseKey: {
      raw: Buffer.concat([
        Buffer.from('a601020326200121', 'hex'),
        encodeCbor(x),
        Buffer.from([0x22]),
        encodeCbor(y),
        Buffer.from([0x03, 0x26]),
      ]),
    },
  },
  'a key of indefinite length': {
    coseKey: {
      raw: Buffer.concat([
        Buffer.from('bf01020326200121', 'hex'),
        encodeCbor(x),
        Buffer.from([0x22]),
        encodeCbor(y),
        Buffer.from([0xff]),
      ]),
    },
  },
  'a key that is a text': { coseKey: 'key' },
  'an Ed25519 key of order one': { coseKey: ed25519(Buffer.from(`01${'00'.repeat(31)}`, 'hex')) },
  'an Ed25519 key of order eight': {
    coseKey: ed25519(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
  },
  'an Ed25519 key of order eight with a sign': {
    coseKey: ed25519(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', 'hex')),
  },
  'an Ed25519 key beyond the field': { coseKey: ed25519(Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex')) },
  'an Ed25519 key of 31 bytes': { coseKey: ed25519(randomBytes(31)) },
  'an Ed25519 key on another curve': { coseKey: ed25519(randomBytes(32), 4) },
  'an RSA key of 1024 bits': { coseKey: rsa(1024) },
  'an RSA key with the exponent one': {
    coseKey: new Map<number, Cbor>([[1, 3], [3, -257], [-1, randomBytes(256).fill(1, 255)], [-2, Buffer.from([1])]]), // biome-ignore format: a COSE key
  },
  'no attestation with a statement': { statement: new Map([['sig', randomBytes(64)]]) },
  'an unknown format': { format: 'fancy' },
  'a format that is a number': { rewriteObject: (object) => ordinary(authDataOf(object), { fmt: 7 }) },
  'a statement that is a list': { rewriteObject: (object) => ordinary(authDataOf(object), { attStmt: [] }) },
  'data that are a text': { rewriteObject: () => ordinary(Buffer.alloc(0), { authData: 'data' }) },
  'a self-signed statement of somebody else': {
    format: 'packed',
    statement: new Map<string, Cbor>([['alg', -7], ['sig', newAuthenticator().signWith(randomBytes(32))]]), // biome-ignore format: a statement
  },
  'a self-signed statement without a signature': { format: 'packed', statement: new Map([['alg', -7]]) },
  'a self-signed statement with another algorithm': { selfAttests: -35 },
  'a self-signed statement with a made-up algorithm': { selfAttests: -4711 },
  'an attestation with bytes left over': { rewriteObject: (object) => appended(object, [0]) },
  'an attestation that ends early': { rewriteObject: (object) => object.subarray(0, -1) },
  'an attestation with a member twice': {
    rewriteObject: (object) =>
      Buffer.concat([Buffer.from([0xa4]), encodeCbor('fmt'), encodeCbor('none'), object.subarray(1)]),
  },
  'an attestation that is a number': { rewriteObject: () => Buffer.from([7]) },
  'an attestation that is nested without end': { rewriteObject: () => Buffer.alloc(200_000, 0x81) },
  'an attestation that claims to be endless': { rewriteObject: () => Buffer.from('bb7fffffffffffffff', 'hex') },
  'an attestation that is not base64url': response({ attestationObject: 'o2NmbXQ!' }),
  'no attestation at all': without('attestationObject'),
}

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

/** Assertions that must be refused, of a key whose counter is five. */
export const ASSERTIONS: Readonly<Record<string, Partial<GetTwists>>> = {
  ...BOTH,
  'client data of a registration': { type: 'webauthn.create' },
  'a count that stands still': { signCount: 5 },
  'a count that goes back': { signCount: 4 },
  'a count that begins again': { signCount: 0 },
  'a key where none belongs': { setFlags: FLAGS.AT },
  'a credential that can suddenly be backed up': { setFlags: FLAGS.BE },
  'a signature of somebody else': { signer: newAuthenticator() },
  'a signature with one bit changed': { rewriteSignature: (signature) => flip(signature, signature.length - 1) },
  'a signature with bytes left over': { rewriteSignature: (signature) => appended(signature, [0]) },
  'a signature in another form': { rewriteSignature: () => randomBytes(64) },
  'a signature of zeros': { rewriteSignature: () => Buffer.from('3006020100020100', 'hex') },
  'an empty signature': response({ signature: '' }),
  'a signature that is not base64url': response({ signature: 'MEU+' }),
  'no signature': without('signature'),
  'data that are no text': response({ authenticatorData: {} }),
  'no data': without('authenticatorData'),
  'the handle of another user': { userHandle: Buffer.from('somebody-else').toString('base64url') },
  'a handle that is no text': response({ userHandle: 7 }),
  'the id of an unknown credential': member({ id: 'AAAA', rawId: 'AAAA' }),
}
