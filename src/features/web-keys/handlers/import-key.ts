/** Publishes keys of another product, so that tokens that it signed can still be verified. They never sign here. */
import { readPublicMembers } from '../../../crypto/web-key.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { PublicMembers, WebKeyType } from '../../../kernel/web-key-type.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { WebKeys } from '../decider.ts'
import { webKeys } from '../documents.ts'
import { webKeyRefusals } from '../refusals.ts'
import { ensureWebKeys } from './add-key.ts'

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

/** Publishes a key as part of a write; `key` is a JWK, of which only the public members are read. */
export async function importWebKey(
  app: App,
  work: Work,
  { keyId, key }: { readonly keyId: string; readonly key: Readonly<Record<string, unknown>> },
): Promise<Document<WebKeys>> {
  const publicKey = publicMembersOf(key)
  const keyType = typeOf(publicKey, key.alg)
  if (keyType === undefined || keyId === '') throw refused(webKeyRefusals, 'web_key.unusable')
  // Of its own, the instance has keys before it has others.
  await ensureWebKeys(app)
  const command = { type: 'bring', keyId, keyType, publicKey, at: work.origin.at } as const
  return work.decide(webKeys, app.instanceId, command, app.instanceId)
}

/** A key that another product does not publish any more, as part of a write. */
export async function removeImportedKey(app: App, work: Work, keyId: string): Promise<void> {
  const known = (await work.get(webKeys, app.instanceId))?.state.keys ?? []
  // Only what came from there: a key of our own has a secret.
  if (known.some((key) => key.keyId === keyId && key.secret === undefined)) {
    await work.decide(webKeys, app.instanceId, { type: 'remove', keyId })
  }
}
