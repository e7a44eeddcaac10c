/**
 * How web keys are carried. Keys of another product are published, so that tokens that it signed can still be verified: they
 * never sign here. Keys of an export continue as they were.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readPublicMembers } from '../../crypto/web-key.ts'
import { refused } from '../../kernel/refusal.ts'
import { algorithmOf, type PublicMembers, type WebKeyType } from '../../kernel/web-key-type.ts'
import { type Arriving, type BodyOf, type Draft, declare, nothingElse, privateKeysOf } from '../../module/carried.ts'
import type { WebKey, WebKeys } from './decider.ts'
import { privateKeyPlace, webKeys } from './documents.ts'
import { ensureWebKeys } from './handlers/add-key.ts'
import { webKeyRefusals } from './refusals.ts'

/** The members of a public key by its type (RFC 7518, section 6; RFC 8037, section 2). */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['kty', 'n', 'e'],
  EC: ['kty', 'crv', 'x', 'y'],
  OKP: ['kty', 'crv', 'x'],
}

const HASHES = { RS256: 'sha256', RS384: 'sha384', RS512: 'sha512' } as const
const RSA_BITS: readonly number[] = [2048, 3072, 4096]
const CURVES: readonly string[] = ['P-256', 'P-384', 'P-521']

function publicMembersOf(key: Readonly<Record<string, unknown>>): PublicMembers {
  const names = PUBLIC_MEMBERS[String(key.kty)] ?? []
  return Object.fromEntries(names.map((name) => [name, String(key[name])]))
}

function typeOf(members: PublicMembers, alg: unknown): WebKeyType | undefined {
  const { kty, crv = '' } = members
  try {
    const key = readPublicMembers(members)
    if (kty === 'EC' && CURVES.includes(crv)) return { type: 'ecdsa', curve: crv } as WebKeyType
    if (kty === 'OKP' && crv === 'Ed25519') return { type: 'ed25519' }
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    const hash = HASHES[(alg ?? 'RS256') as keyof typeof HASHES]
    if (kty === 'RSA' && hash !== undefined && RSA_BITS.includes(bits)) return { type: 'rsa', bits, hash } as WebKeyType
  } catch {
    // Not a key.
  }
  return undefined
}

type Jwk = Readonly<Record<string, unknown>>

/** What is known of a public key by its JWK, of which only the public members are read. */
function readKey(keyId: string, key: Jwk) {
  const publicKey = publicMembersOf(key)
  const keyType = typeOf(publicKey, key.alg)
  if (keyType === undefined || keyId === '') throw refused(webKeyRefusals, 'web_key.unusable')
  return { type: 'bring', keyId, keyType, publicKey } as const
}

/** Whether a private key in PEM belongs to public members. */
function isPairOf(members: PublicMembers, pem: string): boolean {
  try {
    const publicKey = createPublicKey(createPrivateKey(pem))
    return publicKey.equals(readPublicMembers(members))
  } catch {
    // The error of OpenSSL could contain the key.
    return false
  }
}

type Arrived = Pick<Arriving<unknown>, 'app' | 'work'>

/** Publishes a key that verifies. One that retires is removed like a key that rotation has replaced. */
async function publish({ app, work }: Arrived, keyId: string, key: Jwk, retires = false): Promise<void> {
  const read = readKey(keyId, key)
  // Of its own, the instance has keys before it has others.
  await ensureWebKeys(app)
  const { at } = work.origin
  const restored = { status: 'inactive', changedAt: at, isRetired: true } as const
  await work.decide(webKeys, app.instanceId, { ...read, at, ...(retires && { restored }) }, app.instanceId)
}

type CarriedKey = Omit<WebKey, 'keyType' | 'publicKey' | 'secret'> & { readonly key: Jwk }

/** A key continues as it was; what cannot sign any more verifies what it signed. */
async function restore({ app, work }: Arrived, carried: CarriedKey, privateKey: string | undefined): Promise<void> {
  const { keyId, key, addedAt: at, status, ...rest } = carried
  const read = readKey(keyId, key)
  if (privateKey !== undefined && !isPairOf(read.publicKey, privateKey)) {
    throw refused(webKeyRefusals, 'web_key.unusable')
  }
  const sealed = privateKey && (await app.vault.seal(work, privateKeyPlace(app, keyId), privateKey))
  const signs = sealed ? { status, secret: { privateKey: sealed } } : ({ status: 'inactive' } as const)
  await work.decide(webKeys, app.instanceId, { ...read, at, restored: { ...rest, ...signs } }, app.instanceId)
}

const isKeys = (_: WebKeys): _ is WebKeys => true

/** The keys of an export, all in one. Private keys are PKCS #8 in PEM, by the key's ID. */
export const carriedWebKeys = declare(webKeys, {
  as: 'web-keys',
  after: ['web-key'],
  secrets: { privateKeys: 'optional' },
  lives: isKeys,
  describe({ keys, isRotationRequested: _, ...rest }, opened) {
    nothingElse(rest)
    const described = keys.map(({ keyType, publicKey, secret: _, ...key }) => {
      return { key: { ...publicKey, alg: algorithmOf(keyType) } as Jwk, ...key }
    })
    return { keys: described, privateKeys: privateKeysOf(keys, opened) }
  },
  idOf: ({ instanceId }) => instanceId,
  has: ({ keys: known }, { keys }) => keys.every((key) => known.some(({ keyId }) => keyId === key.keyId)),
  async put({ app, work, draft, restores, leave, part }) {
    const { keys, privateKeys = {}, ...rest } = draft
    nothingElse(rest)
    const known = (await work.get(webKeys, app.instanceId))?.state.keys ?? []
    for (const key of keys.filter((one) => !known.some(({ keyId }) => keyId === one.keyId))) {
      const { keyId, status } = key
      // In an instance of its own, keys keep signing; elsewhere they verify.
      if (restores && known.length === 0) await restore({ app, work }, key, privateKeys[keyId])
      else {
        await part(`The web key ${keyId}`, () => publish({ app, work }, keyId, key.key))
        if (status === 'active') leave(`The web key ${keyId} verifies old tokens here and does not sign new ones.`)
      }
    }
  },
  remove: 'with its holder',
})

export interface WebKeyDraft extends Draft<'web-key'> {
  readonly state: 'initial' | 'active' | 'inactive'
  /** Whether it is removed when no token of the longest lifetime can be valid any more. */
  readonly retires?: boolean
  /** As JWK; without `d` it only verifies. The ID is the `kid`. */
  readonly key: Jwk
}

export const carriedWebKey = declare(webKeys, {
  as: 'web-key',
  after: ['token-key'],
  lives: isKeys,
  describe: 'of other products',
  async put({ app, work, id, draft, leave }: Arriving<BodyOf<WebKeyDraft>>, before) {
    const { key, state, retires, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    await publish({ app, work }, id, key, retires)
    if (state === 'active')
      leave('It verifies old tokens here and does not sign new ones: those have a key of this server.')
  },
  idOf: ({ instanceId }) => instanceId,
  has: ({ keys }, { id }) => keys.some(({ keyId }) => keyId === id),
  async remove({ app, work, id }) {
    const known = (await work.get(webKeys, app.instanceId))?.state.keys ?? []
    // Only what came from there: a key of our own has a secret.
    if (!known.some(({ keyId, secret }) => keyId === id && secret === undefined)) return
    await work.decide(webKeys, app.instanceId, { type: 'remove', keyId: id })
  },
  othersChange: true,
})
