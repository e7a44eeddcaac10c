/**
 * The keys with which clients that nobody prepared sign their assertions (`private_key_jwt`): in their metadata, or at an
 * address that these name. Public keys only: nobody shares a secret with us.
 */
import { createPublicKey, type webcrypto } from 'node:crypto'
import { assertionKeyOf } from '../../../crypto/assertion-key.ts'
import type { App } from '../../../module/app.ts'
import type { ClientKey, ClientKeys } from '../events.ts'
import { FetchedJson, type FetchProblem } from './fetched-json.ts'

const MOST_KEYS = 10
const LONGEST_URI = 500
const LONGEST_KEY_ID = 200

type Json = Readonly<Record<string, unknown>>

/** Members that only a secret or a private key has (RFC 7518 §6). */
function isSecret(key: Json): boolean {
  return key.kty === 'oct' || ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].some((name) => key[name] !== undefined)
}

/** A large exponent would make each check slow. */
function hasUsualExponent({ e }: Json): boolean {
  return e === undefined || (typeof e === 'string' && e.length <= 6)
}

/** A key as it is kept; undefined: it is none that can be used here. */
function readKey(given: Json): ClientKey | undefined {
  const { kid, alg, use } = given
  if (use !== undefined && use !== 'sig') return undefined
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > LONGEST_KEY_ID)) return undefined
  if (!hasUsualExponent(given)) return undefined
  const { kty, n, e, crv, x, y } = given as Readonly<Record<string, string>>
  try {
    const key = createPublicKey({ key: { kty, n, e, crv, x, y } as webcrypto.JsonWebKey, format: 'jwk' })
    const found = assertionKeyOf(key)
    const algorithms = found?.algorithms.filter((one) => alg === undefined || alg === one) ?? []
    if (found === undefined || algorithms.length === 0) return undefined
    return { ...(kid !== undefined && { kid }), algorithms, publicKey: found.publicKey }
  } catch {
    return undefined
  }
}

/** Reads a JSON Web Key Set. Keys of other types are passed over: clients have them for others. */
function readKeySet(given: unknown): readonly ClientKey[] | string {
  const keys = typeof given === 'object' && given !== null && 'keys' in given ? given.keys : undefined
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) return `the key set must have at most ${MOST_KEYS} keys`
  if (!keys.every((key): key is Json => typeof key === 'object' && key !== null)) return 'a key is none'
  if (keys.some(isSecret)) return 'the key set contains a secret or a private key'
  const read = keys.flatMap((key) => readKey(key) ?? [])
  return read.length > 0 ? read : 'the key set has no key that can be used'
}

function isKeyAddress(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > LONGEST_URI || /[#@\\\s]/.test(uri)) return false
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && url.href === uri && /\.[a-z][a-z0-9-]*$/.test(url.hostname)
}

/** The keys that metadata name, in one of two ways; a text says what is wrong. */
export function readKeys({ jwks, jwks_uri: uri }: Json): ClientKeys | string {
  if ((jwks === undefined) === (uri === undefined)) return 'private_key_jwt needs either jwks or jwks_uri'
  if (uri !== undefined) return isKeyAddress(uri) ? { uri } : 'jwks_uri must be an https address'
  const list = readKeySet(jwks)
  return typeof list === 'string' ? list : { list }
}

/** What a client is told that it registered. */
export function keysAsRegistered(keys: ClientKeys) {
  if ('uri' in keys) return { jwks_uri: keys.uri }
  const published = keys.list.map(({ kid, publicKey }) => ({
    ...createPublicKey(publicKey).export({ format: 'jwk' }),
    ...(kid !== undefined && { kid }),
  }))
  return { jwks: { keys: published } }
}

const keySets = new FetchedJson<readonly ClientKey[]>({
  name: 'the key set',
  mostBytes: 20_480,
  characters: 2_000_000,
  read: readKeySet,
})

/** How a signature names its key. */
interface Signature {
  readonly keyId: string | undefined
  readonly algorithm: string
}

/**
 * The keys of a client that may have made a signature, as SPKI in PEM; a text says why there are none. A key set is fetched
 * again for a key that is not in it, as new keys appear without notice.
 */
export async function keysFor(
  app: App,
  keys: ClientKeys,
  { keyId, algorithm }: Signature,
  mayFetch: () => boolean,
): Promise<readonly string[] | FetchProblem> {
  const fitting = (list: readonly ClientKey[]) =>
    list.filter(({ kid, algorithms }) => (keyId === undefined || kid === keyId) && algorithms.includes(algorithm))
  const found =
    'list' in keys ? keys.list : await keySets.at(app, keys.uri, mayFetch, (list) => fitting(list).length > 0)
  return typeof found === 'string' ? found : fitting(found).map(({ publicKey }) => publicKey)
}
