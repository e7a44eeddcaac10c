/** Brings a webhook of an export with its keys, as part of a write. It gets the events that happen after it came. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import type { LivingWebhook } from './decider.ts'
import { keyPlace, webhooks } from './documents.ts'
import type { WebhookSettings } from './events.ts'
import { checkSettings } from './settings.ts'

export interface ImportedWebhook {
  readonly id: string
  /** The organization or the instance. */
  readonly owner: string
  readonly settings: WebhookSettings
  readonly status: LivingWebhook['status']
  readonly key: string
  /** The key before, as long as it is used, too. */
  readonly former?: string | undefined
  readonly formerUntil?: Instant | undefined
}

/** Adds a webhook in the state that it has. */
export async function importWebhook(app: App, work: Work, given: ImportedWebhook): Promise<void> {
  const { id, owner, settings, status, former, formerUntil } = given
  checkSettings(app, settings)
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
  const key = await app.vault.seal(work, keyPlace(id, 'key'), given.key)
  await work.decide(webhooks, id, { type: 'add', settings, key }, owner)
  if (former !== undefined && formerUntil !== undefined) {
    const sealed = await app.vault.seal(work, keyPlace(id, 'former'), former)
    await work.decide(webhooks, id, { type: 'rotate', key, former: sealed, formerUntil })
  }
  if (status === 'paused') await work.decide(webhooks, id, { type: 'pause' })
  if (status === 'off') await work.decide(webhooks, id, { type: 'switch_off' })
}
