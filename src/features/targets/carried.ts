/** How targets are carried, with their keys. */
import { refused } from '../../kernel/refusal.ts'
import { type BodyOf, type Draft, declare, nothingElse } from '../../module/carried.ts'
import type { Work } from '../../store/index.ts'
import { isLivingTarget, type TargetPublicKey } from './decider.ts'
import { removeTargetIn, signingKeyPlace, targets } from './documents.ts'
import { checkEndpoint } from './endpoint.ts'
import type { TargetSettings } from './events.ts'
import { readPublicKey } from './public-key.ts'
import { targetRefusals } from './refusals.ts'

type CarriedKey = Omit<TargetPublicKey, 'fingerprint'>

export interface TargetDraft extends Draft<'target'> {
  readonly settings: TargetSettings
  readonly publicKeys: readonly CarriedKey[]
  /** The key that signs what is sent there. */
  readonly signingKey?: string | undefined
}

async function addKey(work: Work, id: string, { keyId, publicKey, expiresAt, addedAt: at }: CarriedKey) {
  const read = readPublicKey(Buffer.from(publicKey))
  if (read === undefined) throw refused(targetRefusals, 'target.public_key_invalid')
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const { pem, fingerprint } = read
  await work.decide(targets, id, { type: 'add_key', keyId, publicKey: pem, fingerprint, ...expiry, at })
}

/** Public keys are active, or not, since they were in the source. One at a time is active: activating it ends the others. */
async function putKeys(work: Work, id: string, publicKeys: readonly CarriedKey[], known: readonly CarriedKey[]) {
  for (const key of publicKeys) {
    if (!known.some(({ keyId }) => keyId === key.keyId)) await addKey(work, id, key)
  }
  for (const { keyId, isActive, addedAt, changedAt } of known.length > 0 ? [] : publicKeys) {
    if (isActive || changedAt === addedAt) continue
    await work.decide(targets, id, { type: 'activate_key', keyId, at: addedAt })
    await work.decide(targets, id, { type: 'deactivate_key', keyId, at: changedAt })
  }
  const active = publicKeys.find(({ isActive }) => isActive)
  if (active !== undefined) {
    await work.decide(targets, id, { type: 'activate_key', keyId: active.keyId, at: active.changedAt })
  }
  for (const { keyId } of known) {
    const there = publicKeys.find((key) => key.keyId === keyId)
    const at = there?.changedAt ?? work.origin.at
    if (!there?.isActive) await work.decide(targets, id, { type: 'deactivate_key', keyId, at })
    if (there === undefined) await work.decide(targets, id, { type: 'remove_key', keyId, at })
  }
}

export const carriedTargets = declare(targets, {
  as: 'target',
  after: ['everything'],
  secrets: { signingKey: 'needed' },
  lives: isLivingTarget,
  describe({ status: _, publicKeys, secret: __, search: ___, ...settings }, { unseal }): BodyOf<TargetDraft> {
    return { settings, publicKeys, signingKey: unseal('signingKey') }
  },
  async put({ app, work, id, draft, leave }, before) {
    const { settings, publicKeys, signingKey, ...rest } = draft
    nothingElse(rest)
    if (signingKey === undefined) {
      if (before === undefined) leave('The target was not carried: the export has no secrets.')
      return
    }
    if (settings.endpoint !== before?.endpoint) checkEndpoint(app, settings.endpoint)
    const isKnown = before && (await app.vault.open(signingKeyPlace(id), before.secret.signingKey)) === signingKey
    const sealed = isKnown ? before.secret.signingKey : await app.vault.seal(work, signingKeyPlace(id), signingKey)
    if (before === undefined) {
      await work.decide(targets, id, { type: 'add', settings, signingKey: sealed }, app.instanceId)
    } else await work.decide(targets, id, { type: 'change', settings, ...(!isKnown && { signingKey: sealed }) })
    await putKeys(work, id, publicKeys, before?.publicKeys ?? [])
  },
  remove: ({ app, work, id }) => removeTargetIn(app, work, id),
})
