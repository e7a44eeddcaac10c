/**
 * Publishes keys of another product, so that tokens that it signed can still be verified: they never sign here. Keys of an
 * export continue as they were.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readPublicMembers } from '../../../crypto/web-key.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { PublicMembers, WebKeyType } from '../../../kernel/web-key-type.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { WebKeys } from '../decider.ts'
import { privateKeyPlace, webKeys } from '../documents.ts'
import type { RestoredKey } from '../events.ts'
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

/**
 * Publishes a key as part of a write; `key` is a JWK, of which only the public members are read. One that retires is removed
 * like a key that rotation has replaced.
 */
export async function importWebKey(
  app: App,
  work: Work,
  given: { readonly keyId: string; readonly key: Readonly<Record<string, unknown>>; readonly retires?: boolean },
): Promise<Document<WebKeys>> {
  const { keyId, key, retires = false } = given
  const publicKey = publicMembersOf(key)
  const keyType = typeOf(publicKey, key.alg)
  if (keyType === undefined || keyId === '') throw refused(webKeyRefusals, 'web_key.unusable')
  // Of its own, the instance has keys before it has others.
  await ensureWebKeys(app)
  const { at } = work.origin
  const restored = { status: 'inactive', changedAt: at, isRetired: true } as const
  const command = { type: 'bring', keyId, keyType, publicKey, at, ...(retires && { restored }) } as const
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

/** A key of an export, with its private part in PEM if it can sign. */
export interface RestoredWebKey extends Omit<RestoredKey, 'secret'> {
  readonly keyId: string
  readonly key: Readonly<Record<string, unknown>>
  readonly addedAt: Instant
  readonly privateKey?: string
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

/** Restores the keys of an export in an instance that has none yet, all in one write. */
export async function restoreWebKeys(app: App, work: Work, keys: readonly RestoredWebKey[]): Promise<void> {
  for (const { keyId, key, addedAt, privateKey, ...rest } of keys) {
    const publicKey = publicMembersOf(key)
    const keyType = typeOf(publicKey, key.alg)
    const isPair = privateKey === undefined || isPairOf(publicKey, privateKey)
    if (keyType === undefined || keyId === '' || !isPair) throw refused(webKeyRefusals, 'web_key.unusable')
    const sealed = privateKey && (await app.vault.seal(work, privateKeyPlace(app, keyId), privateKey))
    // What cannot sign any more verifies what it signed.
    const status = sealed === undefined ? 'inactive' : rest.status
    const restored = { ...rest, status, ...(sealed !== undefined && { secret: { privateKey: sealed } }) }
    const command = { type: 'bring', keyId, keyType, publicKey, at: addedAt, restored } as const
    await work.decide(webKeys, app.instanceId, command, app.instanceId)
  }
}
