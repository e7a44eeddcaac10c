/** Brings targets of an export with their keys, as part of a write. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import type { TargetPublicKey } from './decider.ts'
import { signingKeyPlace, targets } from './documents.ts'
import { checkEndpoint } from './endpoint.ts'
import type { TargetSettings } from './events.ts'
import { readPublicKey } from './public-key.ts'
import { targetRefusals } from './refusals.ts'

export interface ImportedTarget {
  readonly id: string
  readonly settings: TargetSettings
  readonly signingKey: string
  readonly publicKeys: readonly TargetPublicKey[]
}

/** Adds a target; its public keys are active, or not, since they were there. */
export async function importTarget(app: App, work: Work, given: ImportedTarget): Promise<void> {
  const { id, settings, signingKey, publicKeys } = given
  checkEndpoint(app, settings.endpoint)
  const sealed = await app.vault.seal(work, signingKeyPlace(id), signingKey)
  await work.decide(targets, id, { type: 'add', settings, signingKey: sealed }, app.instanceId)
  for (const { keyId, publicKey, expiresAt, addedAt: at } of publicKeys) {
    const read = readPublicKey(Buffer.from(publicKey))
    if (read === undefined) throw refused(targetRefusals, 'target.public_key_invalid')
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    const { pem, fingerprint } = read
    await work.decide(targets, id, { type: 'add_key', keyId, publicKey: pem, fingerprint, ...expiry, at })
  }
  // One at a time is active: those that no longer are come first.
  for (const { keyId, isActive, addedAt, changedAt } of publicKeys) {
    if (isActive || changedAt === addedAt) continue
    await work.decide(targets, id, { type: 'activate_key', keyId, at: addedAt })
    await work.decide(targets, id, { type: 'deactivate_key', keyId, at: changedAt })
  }
  const active = publicKeys.find(({ isActive }) => isActive)
  if (active === undefined) return
  await work.decide(targets, id, { type: 'activate_key', keyId: active.keyId, at: active.changedAt })
}
