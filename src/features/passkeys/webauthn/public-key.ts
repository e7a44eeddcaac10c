/**
 * Public keys of authenticators (COSE, RFC 9052 §7): checks that the algorithm is supported, has its curve, and can
 * verify. The library would fail only at the first signature.
 */
import { createPublicKey, type webcrypto } from 'node:crypto'
import { BadCredential } from './client-data.ts'

// IANA COSE registries: members of a key, key types.
const KTY = 1
const ALG = 3
const CRV = -1
const X = -2
const Y = -3
const N = -1
const E = -2
const OKP = 1
const EC2 = 2
const RSA = 3

interface Form {
  readonly kty: number
  /** For elliptic curves: the number in COSE, the name in JWK, the bytes of a coordinate. */
  readonly curve?: readonly [crv: number, name: string, bytes: number]
}

// WebAuthn Level 3 §5.8.5: each of these algorithms goes with one curve only.
const FORMS: ReadonlyMap<number, Form> = new Map<number, Form>([
  [-7, { kty: EC2, curve: [1, 'P-256', 32] }],
  [-8, { kty: OKP, curve: [6, 'Ed25519', 32] }],
  [-35, { kty: EC2, curve: [2, 'P-384', 48] }],
  [-36, { kty: EC2, curve: [3, 'P-521', 66] }],
  [-257, { kty: RSA }],
  [-258, { kty: RSA }],
  [-259, { kty: RSA }],
  [-37, { kty: RSA }],
  [-38, { kty: RSA }],
  [-39, { kty: RSA }],
])

/** The algorithms that we ask authenticators for, in order of preference: ES256, EdDSA, ES384, ES512, RS and PS. */
export const ALGORITHMS: readonly number[] = [...FORMS.keys()]

const LEAST_RSA_BITS = 2048
const MOST_RSA_BITS = 8192

/** y coordinates of the points of small order on edwards25519; anyone can sign for such a key. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
])

/** Values beyond the field are another form of a smaller number (RFC 8032 §5.1.3). */
function isCanonical(y: Buffer): boolean {
  return !(y[31] === 0x7f && y.subarray(1, 31).every((byte) => byte === 0xff) && (y[0] ?? 0) >= 0xed)
}

function checkEd25519(x: Buffer): void {
  const y = Buffer.from(x)
  // The highest bit is the sign of the other coordinate.
  y[31] = (y[31] ?? 0) & 0x7f
  if (!isCanonical(y) || SMALL_ORDER.has(y.toString('hex')))
    throw new BadCredential('has a key for which anyone can sign')
}

function bytesIn(key: ReadonlyMap<number, unknown>, member: number, length?: number): Buffer {
  const value = key.get(member)
  const isFit = value instanceof Uint8Array && value.length > 0 && (length === undefined || value.length === length)
  if (!isFit) throw new BadCredential('has a key with a part missing')
  return Buffer.from(value)
}

function jwkOf(key: ReadonlyMap<number, unknown>, { kty, curve }: Form): webcrypto.JsonWebKey {
  const text = (member: number, length?: number) => bytesIn(key, member, length).toString('base64url')
  if (curve === undefined) return { kty: 'RSA', n: text(N), e: text(E) }
  const [crv, name, length] = curve
  if (key.get(CRV) !== crv) throw new BadCredential('has a key of another curve')
  if (kty === EC2) return { kty: 'EC', crv: name, x: text(X, length), y: text(Y, length) }
  checkEd25519(bytesIn(key, X, length))
  return { kty: 'OKP', crv: name, x: text(X, length) }
}

/** Throws unless the key has a requested algorithm and can verify; returns its algorithm. */
export function checkPublicKey(key: ReadonlyMap<number, unknown>): number {
  const algorithm = key.get(ALG)
  const form = typeof algorithm === 'number' ? FORMS.get(algorithm) : undefined
  if (typeof algorithm !== 'number' || form === undefined) throw new BadCredential('has a key that was not asked for')
  if (key.get(KTY) !== form.kty) throw new BadCredential('has a key of another type')
  // Throws for a point that is not on its curve.
  const { asymmetricKeyDetails } = createPublicKey({ key: jwkOf(key, form), format: 'jwk' })
  if (form.kty !== RSA) return algorithm
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  const isFit = modulusLength >= LEAST_RSA_BITS && modulusLength <= MOST_RSA_BITS
  if (!isFit || publicExponent < 3n || publicExponent % 2n === 0n) throw new BadCredential('has a weak key')
  return algorithm
}
