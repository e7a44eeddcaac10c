/**
 * Signs and verifies tokens with the keys of the instance. Every signature reads the document of the keys, so that no
 * node signs with a key that another one has deactivated; private keys are decrypted only when the document has changed.
 */
import type { KeyObject } from 'node:crypto'
import { type Claims, type JwsKey, signClaims, verifyClaims } from '../../crypto/jws.ts'
import { readPrivateKey, readPublicMembers } from '../../crypto/web-key.ts'
import { algorithmOf, type PublicMembers, type SigningAlgorithm, strongAlgorithmOf } from '../../kernel/web-key-type.ts'
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
  /** The active key as it signs where the FAPI 2.0 Security Profile applies. */
  readonly strong: SigningKey
  readonly published: readonly PublicKey[]
  readonly verifying: ReadonlyMap<string, JwsKey>
}

const openedKeys = perApp((): { last: Promise<OpenedKeys> | undefined; revision: number } => ({
  last: undefined,
  revision: -1,
}))

/** How a key is used: with its algorithm, and if that is another one, with the one of the FAPI 2.0 Security Profile. */
function usesOf({ keyId, keyType }: WebKey): readonly { readonly kid: string; readonly alg: SigningAlgorithm }[] {
  const own = { kid: keyId, alg: algorithmOf(keyType) }
  const strong = strongAlgorithmOf(keyType)
  return strong === undefined || strong === own.alg ? [own] : [own, { kid: `${keyId}-${strong}`, alg: strong }]
}

async function openKeys(app: App, { revision, state }: Document<WebKeys>): Promise<OpenedKeys> {
  const active = activeKey(state)
  if (active?.secret === undefined) throw new Error('no web key is active')
  const pem = await app.vault.open(privateKeyPlace(app, active.keyId), active.secret.privateKey)
  const privateKey = readPrivateKey(pem)
  const [own, strong] = usesOf(active).map((use) => ({ ...use, privateKey }))
  const used = state.keys.flatMap((key) => usesOf(key).map((use) => ({ ...use, publicKey: key.publicKey })))
  return {
    revision,
    signing: own as SigningKey,
    strong: (strong ?? own) as SigningKey,
    published: used.map(({ publicKey, ...use }) => ({ ...publicKey, ...use, use: 'sig' })),
    verifying: new Map(used.map(({ kid, alg, publicKey }) => [kid, { kid, alg, key: readPublicMembers(publicKey) }])),
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
export async function signingKey(app: App, { isStrong = false }: SigningOptions = {}): Promise<SigningKey> {
  const { signing, strong } = await currentKeys(app)
  return isStrong ? strong : signing
}

/** All published keys: the next ones, the active one, and those whose tokens may still be valid. */
export async function publicKeys(app: App): Promise<readonly PublicKey[]> {
  return (await currentKeys(app)).published
}

export interface SigningOptions {
  /** The type of the token in its header. Default: `JWT`. */
  readonly typ?: string
  /** Whether it is signed as the FAPI 2.0 Security Profile asks, where the active key can. */
  readonly isStrong?: boolean
}

/** Signs the claims of a token. A function gets the algorithm, which `at_hash` depends on. */
export async function signJwt(
  app: App,
  claims: Claims | ((alg: SigningAlgorithm) => Claims),
  { typ = 'JWT', isStrong = false }: SigningOptions = {},
): Promise<string> {
  const { kid, alg, privateKey } = await signingKey(app, { isStrong })
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
