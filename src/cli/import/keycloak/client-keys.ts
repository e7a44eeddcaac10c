/** The public keys with which a client signs assertions. Private keys that are in an export stay there. */
import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import { instant } from '../../../kernel/instant.ts'
import { derivedId } from '../derived-id.ts'
import type { KeyDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import type { RealmPlace } from './place.ts'
import { keyIdOf, keyOfCertificate } from './web-keys.ts'

/** The end of time, as keys without an expiry have it. */
const NEVER = instant(Date.UTC(9999, 11, 31, 23, 59, 59))

/** The keys, or why there are none. */
export type ClientKeys = { readonly keys: readonly KeyDraft[] } | { readonly left: string }

function draftOf(id: string, key: KeyObject, { exportedAt }: RealmPlace): KeyDraft {
  const publicKey = String(key.export({ format: 'pem', type: 'spki' }))
  return { id, publicKey, createdAt: exportedAt, expiresAt: NEVER }
}

/** The keys of a client that authenticates with a signed assertion. */
export function keysOf(client: Members, place: RealmPlace): ClientKeys {
  const attributes = client.inner('attributes')
  if (attributes.maybeText('use.jwks.url') === 'true')
    return { left: 'Its keys are at an address, which is not asked here: add its public key, or give it a secret.' }
  const clientId = client.text('clientId')
  try {
    if (attributes.maybeText('use.jwks.string') === 'true') {
      const { keys } = JSON.parse(attributes.text('jwks.string')) as {
        keys: (webcrypto.JsonWebKey & { kid?: string })[]
      }
      const signing = keys.filter((key) => key.use !== 'enc')
      return {
        keys: signing.map((jwk) => {
          const key = createPublicKey({ key: jwk, format: 'jwk' })
          return draftOf(jwk.kid ?? derivedId('keycloak key', clientId, keyIdOf(key)), key, place)
        }),
      }
    }
    const certificate = attributes.maybeText('jwt.credential.certificate')
    if (certificate === undefined) return { left: 'The export has no public key for it: add one.' }
    const key = keyOfCertificate(certificate)
    return { keys: [draftOf(keyIdOf(key), key, place)] }
  } catch {
    throw client.wrong('attributes', 'attributes with keys that can be read')
  }
}
