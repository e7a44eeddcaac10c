/**
 * Signs and verifies tokens with the keys of the instance. Every signature reads the document of the keys, so that no
 * node signs with a key that another one has deactivated; private keys are decrypted only when the document has changed.
 */
import type { KeyObject } from 'node:crypto'
import { type Claims, type JwsKey, signClaims, verifyClaims } from '../../crypto/jws.ts'
import { readPrivateKey, readPublicMembers } from '../../crypto/web-key.ts'
import { algorithmOf, type PublicMembers, type SigningAlgorithm } from '../../kernel/web-key-type.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { activeKey, type WebKey, type WebKeys } from './decider.ts'
import { privateKeyPlace } from './documents.ts'
import { ensureWebKeys } from './handlers/add-key.ts'

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly privateKey: KeyObject
}

/** A published key (RFC 7517). */
export interface PublicKey extends PublicMembers {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly use: 'sig'
}

/** What was read from one revision of the document. */
interface OpenedKeys {
  readonly revision: number
  readonly signing: SigningKey
  readonly published: readonly PublicKey[]
  readonly verifying: ReadonlyMap<string, JwsKey>
}

const openedKeys = perApp((): { last: Promise<OpenedKeys> | undefined; revision: number } => ({
  last: undefined,
  revision: -1,
}))

function publicKeyOf({ keyId, keyType, publicKey }: WebKey): PublicKey {
  return { ...publicKey, kid: keyId, alg: algorithmOf(keyType), use: 'sig' }
}

async function openKeys(app: App, { revision, state }: Document<WebKeys>): Promise<OpenedKeys> {
  const active = activeKey(state)
  if (active === undefined) throw new Error('no web key is active')
  const pem = await app.vault.open(privateKeyPlace(app, active.keyId), active.secret.privateKey)
  const verifying = state.keys.map((key): [string, JwsKey] => [
    key.keyId,
    { kid: key.keyId, alg: algorithmOf(key.keyType), key: readPublicMembers(key.publicKey) },
  ])
  return {
    revision,
    signing: { kid: active.keyId, alg: algorithmOf(active.keyType), privateKey: readPrivateKey(pem) },
    published: state.keys.map(publicKeyOf),
    verifying: new Map(verifying),
  }
}

/** The keys as they are stored now. */
async function currentKeys(app: App): Promise<OpenedKeys> {
  const document = await ensureWebKeys(app)
  const opened = openedKeys(app)
  if (opened.last === undefined || opened.revision !== document.revision) {
    const opening = openKeys(app, document)
    opened.last = opening
    opened.revision = document.revision
    // The next call tries again.
    opening.catch(() => {
      if (opened.last === opening) opened.last = undefined
    })
  }
  return opened.last
}

/** The key that signs now. Read it for each signature. */
export async function signingKey(app: App): Promise<SigningKey> {
  return (await currentKeys(app)).signing
}

/** All published keys: the next ones, the active one, and those whose tokens may still be valid. */
export async function publicKeys(app: App): Promise<readonly PublicKey[]> {
  return (await currentKeys(app)).published
}

export interface SigningOptions {
  /** The type of the token in its header. Default: `JWT`. */
  readonly typ?: string
}

/** Signs the claims of a token. A function gets the algorithm, which `at_hash` depends on. */
export async function signJwt(
  app: App,
  claims: Claims | ((alg: SigningAlgorithm) => Claims),
  { typ = 'JWT' }: SigningOptions = {},
): Promise<string> {
  const { kid, alg, privateKey } = await signingKey(app)
  return signClaims({ kid, alg, key: privateKey }, typ, typeof claims === 'function' ? claims(alg) : claims)
}

/**
 * The claims of a token that one of the published keys signed; undefined for anything else. Whether it has expired and
 * whom it is for is for the caller to check.
 */
export async function verifyOwnJwt(app: App, token: string): Promise<Claims | undefined> {
  const { verifying } = await currentKeys(app)
  return verifyClaims((kid) => verifying.get(kid), token)
}
