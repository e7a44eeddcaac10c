/** How webhooks are carried. Each gets the events that happen after it came. */
import { declare, nothingElse } from '../../module/carried.ts'
import { requireOrganization } from '../organizations/index.ts'
import { isLiving, type LivingWebhook, type WebhookCommand } from './decider.ts'
import { keyPlace, webhooks } from './documents.ts'
import { checkSettings } from './settings.ts'

/** What leads to a status from any other one. */
const LEADING_TO: Readonly<Record<LivingWebhook['status'], readonly WebhookCommand[]>> = {
  active: [{ type: 'resume' }],
  paused: [{ type: 'pause' }],
  off: [{ type: 'resume' }, { type: 'switch_off' }],
}

export const carriedWebhooks = declare(webhooks, {
  as: 'webhook',
  after: ['everything', 'executions'],
  secrets: { key: 'needed', former: 'optional' },
  lives: isLiving,
  describe: ({ status, secret: _, formerUntil, ...settings }, { unseal }) => ({
    settings,
    status,
    key: unseal('key') ?? '',
    former: unseal('former'),
    formerUntil,
  }),
  async put({ app, work, id, owner, draft }, before) {
    const { settings, status, key, former, formerUntil, ...rest } = draft
    nothingElse(rest)
    checkSettings(app, settings)
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    const isKnown = before && (await app.vault.open(keyPlace(id, 'key'), before.secret.key)) === key
    const sealed = isKnown ? before.secret.key : await app.vault.seal(work, keyPlace(id, 'key'), key)
    if (before === undefined) await work.decide(webhooks, id, { type: 'add', settings, key: sealed }, owner)
    else await work.decide(webhooks, id, { type: 'change', settings })
    if (formerUntil !== undefined && former !== undefined && formerUntil !== before?.formerUntil) {
      const sealedFormer = await app.vault.seal(work, keyPlace(id, 'former'), former)
      await work.decide(webhooks, id, { type: 'rotate', key: sealed, former: sealedFormer, formerUntil })
    } else if (before !== undefined && !isKnown) await work.decide(webhooks, id, { type: 'rotate', key: sealed })
    if (status === (before?.status ?? 'active')) return
    for (const command of LEADING_TO[status]) await work.decide(webhooks, id, command)
  },
  remove: 'with its holder',
})
