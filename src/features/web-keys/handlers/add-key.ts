/** Adds keys: the two of the first start, and single ones later. */
import { newWebKeyPair, type WebKeyPair } from '../../../crypto/web-key.ts'
import { DEFAULT_KEY_TYPE, type WebKeyType } from '../../../kernel/web-key-type.ts'
import { type App, perApp } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import type { WebKeys } from '../decider.ts'
import { findWebKeys, privateKeyPlace, webKeys } from '../documents.ts'

/** A key pair that is not stored yet. It is generated before the write, which may run several times. */
export interface NewWebKey extends WebKeyPair {
  readonly keyId: string
  readonly keyType: WebKeyType
}

/** Generates a key pair with a new id. */
export async function newWebKey({ newId }: App, keyType: WebKeyType): Promise<NewWebKey> {
  return { keyId: newId(), keyType, ...(await newWebKeyPair(keyType)) }
}

/** Adds a generated key as part of a write. */
export async function addNewKey(app: App, work: Work, key: NewWebKey): Promise<Document<WebKeys>> {
  const privateKey = await app.vault.seal(work, privateKeyPlace(app, key.keyId), key.privateKey)
  const command = { ...key, type: 'add', privateKey, at: work.origin.at } as const
  return work.decide(webKeys, app.instanceId, command, app.instanceId)
}

/** Creates and publishes a key, and returns its id. */
export async function addWebKey(app: App, origin: Origin, keyType: WebKeyType): Promise<Written<string>> {
  const key = await newWebKey(app, keyType)
  return app.store.write(origin, async (work) => {
    await addNewKey(app, work, key)
    return key.keyId
  })
}

/** The first keys while they are made: making a pair takes a second of a processor, whoever asks meanwhile waits for it. */
const making = perApp((): { keys: Promise<Document<WebKeys>> | undefined } => ({ keys: undefined }))

/**
 * Returns the keys of the instance. Creates the first two if there are none: one that signs, and the next one, which
 * clients know before it is used. When several nodes do so at the same time, they all get those of one.
 */
export async function ensureWebKeys(app: App): Promise<Document<WebKeys>> {
  const existing = await findWebKeys(app)
  if (existing !== undefined) return existing
  const ours = making(app)
  ours.keys ??= makeFirstKeys(app).finally(() => {
    ours.keys = undefined
  })
  return ours.keys
}

async function makeFirstKeys(app: App): Promise<Document<WebKeys>> {
  // Together: on the first start, the server is ready only afterwards.
  const [first, second] = await Promise.all([newWebKey(app, DEFAULT_KEY_TYPE), newWebKey(app, DEFAULT_KEY_TYPE)])
  const { value } = await app.store.write({ actor: 'server', at: app.clock() }, async (work) => {
    const others = await work.get(webKeys, app.instanceId)
    if (others !== undefined) return others
    await addNewKey(app, work, first)
    const activate = { type: 'activate', keyId: first.keyId, at: work.origin.at, isRotation: false } as const
    await work.decide(webKeys, app.instanceId, activate)
    return addNewKey(app, work, second)
  })
  return value
}
