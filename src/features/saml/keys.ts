/**
 * The keys that sign SAML messages. They are made when SAML is first used, and rotated by whoever uses them: an instance
 * without service providers has none, and no job.
 */
import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { selfSigned } from '../../crypto/certificate.ts'
import type { XmlSigningKey } from '../../crypto/xml/sign.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { activeSamlKey, CERTIFICATE_MS, nextRotation, type SamlKey, type SamlKeys } from './decider.ts'
import { samlKeyPlace, samlKeys } from './documents.ts'

const generate = promisify(generateKeyPair)

/** Who verifies a certificate has a clock of their own. */
const EARLIER_MS = 86_400_000

interface NewKey {
  readonly keyId: string
  readonly certificate: string
  readonly expiresAt: Instant
  readonly pem: string
}

async function newKey(app: App): Promise<NewKey> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const at = app.clock()
  const expiresAt = instant(at + CERTIFICATE_MS)
  const commonName = new URL(app.externalUrl).hostname.slice(0, 64)
  const times = { notBefore: at - EARLIER_MS, notAfter: expiresAt }
  const certificate = selfSigned({ privateKey, commonName, serial: randomBytes(16), ...times })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { keyId: app.newId(), certificate, expiresAt, pem }
}

async function add(app: App, work: Work, { keyId, certificate, expiresAt, pem }: NewKey): Promise<void> {
  const privateKey = await app.vault.seal(work, samlKeyPlace(app, keyId), pem)
  const command = { type: 'add', keyId, certificate, addedAt: work.origin.at, expiresAt, privateKey } as const
  await work.decide(samlKeys, app.instanceId, command, app.instanceId)
}

const NONE: SamlKeys = { keys: [] }

/** Takes the steps that are due, and tells what follows; what another node did meanwhile is not done again. */
async function rotate(app: App): Promise<SamlKeys> {
  const fresh = await newKey(app)
  const { value } = await app.store.write({ actor: 'server', at: app.clock() }, async (work) => {
    const read = async () => (await work.get(samlKeys, app.instanceId))?.state ?? NONE
    for (let taken = 0; taken < 5; taken++) {
      const state = await read()
      const step = nextRotation(state, work.origin.at)
      if (step === undefined) return state
      const command = step.type === 'activate' ? { ...step, at: work.origin.at } : step
      if (command.type !== 'add') await work.decide(samlKeys, app.instanceId, command)
      else if (state.keys.some(({ keyId }) => keyId === fresh.keyId)) return state
      else await add(app, work, fresh)
    }
    return read()
  })
  return value
}

const underway = perApp((): { rotation: Promise<SamlKeys> | undefined } => ({ rotation: undefined }))

/**
 * The keys after what rotation had to do. Making one takes a while: whoever asks meanwhile waits for it, and gets what was
 * written, because a request that has read a document reads the same again.
 */
async function currentKeys(app: App): Promise<SamlKeys> {
  const found = (await app.store.get(samlKeys, app.instanceId))?.state ?? NONE
  if (nextRotation(found, app.clock()) === undefined) return found
  const ours = underway(app)
  ours.rotation ??= rotate(app).finally(() => {
    ours.rotation = undefined
  })
  return ours.rotation
}

const opened = perApp((): Map<string, KeyObject> => new Map())

async function open(app: App, { keyId, secret }: SamlKey): Promise<KeyObject> {
  const cache = opened(app)
  const name = `${keyId} ${secret.privateKey}`
  const known = cache.get(name)
  if (known !== undefined) return known
  const key = createPrivateKey(await app.vault.open(samlKeyPlace(app, keyId), secret.privateKey))
  cache.clear()
  cache.set(name, key)
  return key
}

/** The key that signs, and the certificates that service providers should know: the one in use first. */
export async function samlSigning(app: App): Promise<XmlSigningKey & { readonly published: readonly string[] }> {
  const state = await currentKeys(app)
  const active = activeSamlKey(state)
  if (active === undefined) throw new Error('there is no key for SAML')
  const others = state.keys.filter(({ keyId }) => keyId !== active.keyId)
  const published = [active, ...others].map(({ certificate }) => certificate)
  return { privateKey: await open(app, active), certificate: active.certificate, published }
}
