/** The kind of this module. */
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Origin } from '../../store/index.ts'
import { isLiving, type LivingWebhook, webhook } from './decider.ts'
import { type SealedKeys, webhookEvents } from './events.ts'
import { webhookRefusals } from './refusals.ts'

const MEMBERS = ['key', 'former'] as const satisfies readonly (keyof SealedKeys)[]

/** Owned by the organization or the instance whose events it gets. */
export const webhooks = kind({
  name: 'webhook',
  ids: 'own',
  waits: false,
  path: false,
  version: 2,
  events: webhookEvents,
  decider: webhook,
  refusals: webhookRefusals,
  fields: {},
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    if (!isLiving(state)) return []
    return MEMBERS.flatMap((member) => {
      const before = state.secret[member]
      if (before === undefined) return []
      return [{ member, text: before, reseal: (after: string) => ({ type: 'reseal', member, before, after }) as const }]
    })
  },
  limits: [{ things: 'webhooks', holder: 'an organization or the instance', by: ['owner'], number: 50 }],
})

/** The place for which a key is encrypted. */
export function keyPlace(id: string, member: keyof SealedKeys) {
  return { kind: webhooks.name, id, member } as const
}

/** A webhook that exists. */
export async function findWebhook({ store }: App, id: string): Promise<Document<LivingWebhook> | undefined> {
  const found = await store.get(webhooks, id)
  return found !== undefined && isLiving(found.state) ? (found as Document<LivingWebhook>) : undefined
}

/** Who gets everything that happens in the instance must be allowed to read it, or to change the instance. */
const ON_INSTANCE = { read: 'events.read', write: 'iam.write' } as const

/** The permission with which lists have the webhooks of the instance. */
export const INSTANCE_READERS = ON_INSTANCE.read

export type WebhookUse = keyof typeof ON_INSTANCE

/** Throws unless the caller may read or write the webhooks of an organization or of the instance. */
export function authorizeOwner({ instanceId }: App, call: Call, owner: string, use: WebhookUse): void {
  if (owner === instanceId) call.authorizeWith(ON_INSTANCE[use], instanceId)
  else call.authorize(owner)
}

/** The webhook, for a caller with the permission where it belongs. Only the instance is told that there is none. */
export async function webhookForCaller(
  app: App,
  call: Call,
  id: string,
  use: WebhookUse,
): Promise<Document<LivingWebhook>> {
  const found = await findWebhook(app, id)
  authorizeOwner(app, call, found?.owner ?? app.instanceId, use)
  if (found === undefined) throw refused(webhookRefusals, 'webhook.not_found')
  return found
}

/** Removes webhooks of a removed organization; returns how many. */
export async function removeWebhooksOf({ store }: App, organizationId: string, origin: Origin, limit: number) {
  const ids = await store.findIds(webhooks, { field: 'owner', equals: organizationId }, limit)
  if (ids.length === 0) return 0
  await store.write(origin, async (work) => {
    for (const id of ids) await work.decide(webhooks, id, { type: 'remove' })
  })
  return ids.length
}
