/** Gives webhooks their keys, which are shown once. */
import type { Call } from '../../access/call.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { requireOrganization } from '../organizations/index.ts'
import { findWebhook, keyPlace, webhooks } from './documents.ts'
import type { WebhookSettings } from './events.ts'
import { newKey } from './signature.ts'

/** Creates a webhook; `owner` is the organization or the instance. */
export async function addWebhook(app: App, call: Call, owner: string, settings: WebhookSettings) {
  const { store, vault, newId, instanceId } = app
  const key = newKey()
  const { value } = await store.write(call.origin, async (work) => {
    if (owner !== instanceId) await requireOrganization(app, owner, work)
    const id = await work.unusedId(webhooks, newId)
    const sealed = await vault.seal(work, keyPlace(id, 'key'), key)
    return work.decide(webhooks, id, { type: 'add', settings, key: sealed }, owner)
  })
  return { value, key }
}

/** Replaces the key. The former one is used, too, for `overlapMs`. */
export async function rotateKey(app: App, call: Call, id: string, overlapMs: number) {
  const { store, vault } = app
  const key = newKey()
  const { value } = await store.write(call.origin, async (work) => {
    const before = await findWebhook(app, id)
    const sealed = await vault.seal(work, keyPlace(id, 'key'), key)
    if (before === undefined || overlapMs === 0) return work.decide(webhooks, id, { type: 'rotate', key: sealed })
    // It was encrypted for another place.
    const old = await vault.open(keyPlace(id, 'key'), before.state.secret.key)
    const former = await vault.seal(work, keyPlace(id, 'former'), old)
    const formerUntil = instant(call.at + overlapMs)
    return work.decide(webhooks, id, { type: 'rotate', key: sealed, former, formerUntil })
  })
  return { value, key }
}
