/** Brings targets of an export or of another product with their keys, as part of a write. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import type { TargetPublicKey } from './decider.ts'
import { findTarget, signingKeyOf, signingKeyPlace, targets } from './documents.ts'
import { checkEndpoint } from './endpoint.ts'
import type { TargetSettings } from './events.ts'
import { readPublicKey } from './public-key.ts'
import { targetRefusals } from './refusals.ts'

export interface ImportedTarget {
  readonly id: string
  readonly settings: TargetSettings
  readonly signingKey: string
  readonly publicKeys: readonly Omit<TargetPublicKey, 'fingerprint'>[]
}

type ImportedKey = ImportedTarget['publicKeys'][number]

async function addKey(work: Work, id: string, { keyId, publicKey, expiresAt, addedAt: at }: ImportedKey) {
  const read = readPublicKey(Buffer.from(publicKey))
  if (read === undefined) throw refused(targetRefusals, 'target.public_key_invalid')
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const { pem, fingerprint } = read
  await work.decide(targets, id, { type: 'add_key', keyId, publicKey: pem, fingerprint, ...expiry, at })
}

/** One at a time is active: activating it ends the others. */
async function activateKey(work: Work, id: string, publicKeys: readonly ImportedKey[]): Promise<void> {
  const active = publicKeys.find(({ isActive }) => isActive)
  if (active === undefined) return
  await work.decide(targets, id, { type: 'activate_key', keyId: active.keyId, at: active.changedAt })
}

/** Adds a target; its public keys are active, or not, since they were there. */
export async function importTarget(app: App, work: Work, given: ImportedTarget): Promise<void> {
  const { id, settings, signingKey, publicKeys } = given
  checkEndpoint(app, settings.endpoint)
  const sealed = await app.vault.seal(work, signingKeyPlace(id), signingKey)
  await work.decide(targets, id, { type: 'add', settings, signingKey: sealed }, app.instanceId)
  for (const key of publicKeys) await addKey(work, id, key)
  // Those that no longer are active come first.
  for (const { keyId, isActive, addedAt, changedAt } of publicKeys) {
    if (isActive || changedAt === addedAt) continue
    await work.decide(targets, id, { type: 'activate_key', keyId, at: addedAt })
    await work.decide(targets, id, { type: 'deactivate_key', keyId, at: changedAt })
  }
  await activateKey(work, id, publicKeys)
}

/** Changes a target to what another product has now. */
export async function followTarget(app: App, work: Work, given: ImportedTarget): Promise<void> {
  const { id, settings, signingKey, publicKeys } = given
  const before = await findTarget(work, id)
  if (before === undefined) throw refused(targetRefusals, 'target.not_found')
  if (settings.endpoint !== before.state.endpoint) checkEndpoint(app, settings.endpoint)
  const isSameKey = (await signingKeyOf(app, before)) === signingKey
  const renewed = isSameKey ? {} : { signingKey: await app.vault.seal(work, signingKeyPlace(id), signingKey) }
  await work.decide(targets, id, { type: 'change', settings, ...renewed })
  const known = before.state.publicKeys
  for (const key of publicKeys) {
    if (!known.some(({ keyId }) => keyId === key.keyId)) await addKey(work, id, key)
  }
  await activateKey(work, id, publicKeys)
  for (const { keyId } of known) {
    const there = publicKeys.find((key) => key.keyId === keyId)
    const at = there?.changedAt ?? work.origin.at
    if (!there?.isActive) await work.decide(targets, id, { type: 'deactivate_key', keyId, at })
    if (there === undefined) await work.decide(targets, id, { type: 'remove_key', keyId, at })
  }
}
