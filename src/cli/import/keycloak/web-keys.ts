/** The keys with which a realm signed tokens, so that APIs keep accepting tokens from before the move. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { type Read, remark, undated } from '../read.ts'
import { KEY } from './component-members.ts'
import type { RealmPlace } from './place.ts'

const PROVIDERS = 'org.keycloak.keys.KeyProvider'

/** The ID that Keycloak gives a key: the hash of its public part. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
}

/** A private key in base64 or PEM: RSA as PKCS #1, others as PKCS #8. */
function publicPart(text: string): KeyObject {
  if (text.includes('-----BEGIN')) return createPublicKey(createPrivateKey(text))
  const der = Buffer.from(text, 'base64')
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPublicKey(createPrivateKey({ key: der, format: 'der', type }))
    } catch {
      // The other form is tried.
    }
  }
  throw new TypeError('neither PKCS #8 nor PKCS #1')
}

/** The key of a certificate in base64. */
export function keyOfCertificate(base64: string): KeyObject {
  return new X509Certificate(Buffer.from(base64.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')).publicKey
}

function findKey(config: Members): KeyObject | undefined {
  for (const name of ['privateKey', 'ecdsaPrivateKey', 'eddsaPrivateKey']) {
    const [text = ''] = config.texts(name)
    if (text !== '' && !/^\*+$/.test(text)) return publicPart(text)
  }
  const [certificate = ''] = config.texts('certificate')
  return certificate === '' ? undefined : keyOfCertificate(certificate)
}

const ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }

function algorithmOf(config: Members, jwk: { readonly kty?: string; readonly crv?: string }): string | undefined {
  if (jwk.kty === 'RSA') return config.texts('algorithm')[0] ?? 'RS256'
  if (jwk.kty === 'EC') return ALGORITHMS[jwk.crv ?? '']
  return jwk.crv === 'Ed25519' ? 'EdDSA' : undefined
}

const NOT_PUBLISHED =
  'Keys of the realm are not published: whoever has an old copy of them, such as this export, could sign tokens that APIs of every organization accept. Tokens from before the move end with it; --old-keys publishes the keys for as long as tokens last.'

/** The keys that verify, if they are wanted; none of them signs here, so their private parts stay behind. */
export function* webKeysOf(realm: Members, place: RealmPlace, publishes: boolean): Generator<Read> {
  if (!publishes) {
    if (realm.inner('components').list(PROVIDERS).length > 0) yield remark('web-key', '', NOT_PUBLISHED)
    return
  }
  for (const provider of realm.inner('components').list(PROVIDERS)) {
    const name = provider.maybeText('name') ?? provider.text('providerId')
    const type = provider.text('providerId')
    const config = provider.inner('config')
    if (/^(aes|hmac)/.test(type)) continue
    if (/-enc/.test(type) || config.texts('keyUse')[0] === 'ENC') {
      yield remark('web-key', name, 'Tokens are not encrypted here, so the key for it stays behind.')
      continue
    }
    if ((config.texts('enabled')[0] ?? 'true').toLowerCase() !== 'true') {
      yield remark(
        'web-key',
        name,
        'The key is disabled in Keycloak: tokens that it signed are not accepted here, either.',
      )
      continue
    }
    const { closed } = decide(provider, KEY)
    if (closed.length > 0) {
      yield remark('web-key', name, `It is not carried. ${closed.join(' ')}`)
      continue
    }
    let key: KeyObject | undefined
    try {
      key = findKey(config)
    } catch {
      throw provider.wrong('config', 'the settings of a key that can be read')
    }
    const jwk = key?.export({ format: 'jwk' })
    const algorithm = jwk === undefined ? undefined : algorithmOf(config, jwk)
    if (key === undefined || jwk === undefined || algorithm === undefined || /^PS/.test(algorithm)) {
      yield remark('web-key', name, `Keys of the type ${type} cannot be carried: tokens that it signed verify no more.`)
      continue
    }
    const id = config.texts('kid')[0] ?? keyIdOf(key)
    const members = { ...jwk, kid: id, alg: algorithm, use: 'sig' }
    yield { kind: 'web-key', id, organizationId: '', ...undated(place), state: 'inactive', retires: true, key: members }
  }
}
