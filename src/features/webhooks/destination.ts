/** Webhooks as destinations of events. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { DestinationKind, EventFilter, OutgoingRequest } from '../../module/destinations.ts'
import type { Document } from '../../store/index.ts'
import { organizationState } from '../organizations/index.ts'
import { isLiving, type LivingWebhook, type Webhook } from './decider.ts'
import { findWebhook, keyPlace, webhooks } from './documents.ts'
import { includedDocument } from './included-document.ts'
import { eventBody, eventTypes, messageId } from './payload.ts'
import { signedHeaders } from './signature.ts'

const PAGE = 1_000

/** Whether a type is one of a filter: it, or all that begin like it. */
export function isNamed(type: string, pattern: string): boolean {
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** Which events a webhook gets: those of its organization, or of all. */
export function filterOf(app: App, { owner, state }: Document<LivingWebhook>): EventFilter {
  const { eventTypes: patterns, objectTypes } = state
  const types = [...eventTypes(app).keys()].filter((type) => patterns.some((pattern) => isNamed(type, pattern)))
  return {
    ...(owner !== app.instanceId && { owner }),
    ...(patterns.length > 0 && { types }),
    ...(objectTypes.length > 0 && { kinds: objectTypes }),
  }
}

/** The keys that requests are signed with now. */
async function keysOf({ vault }: App, { id, state }: Document<LivingWebhook>, at: Instant): Promise<readonly string[]> {
  const { secret, formerUntil = 0 } = state
  const key = await vault.open(keyPlace(id, 'key'), secret.key)
  if (secret.former === undefined || formerUntil <= at) return [key]
  return [key, await vault.open(keyPlace(id, 'former'), secret.former)]
}

/** A request with its signatures. */
export async function signedRequest(
  app: App,
  webhook: Document<LivingWebhook>,
  id: string,
  content: object,
): Promise<OutgoingRequest> {
  const at = app.clock()
  const body = JSON.stringify(content)
  return { url: webhook.state.url, body, headers: signedHeaders(await keysOf(app, webhook, at), { id, at, body }) }
}

/** Whether it gets events now: what an organization has ends with it. */
async function isActive(app: App, { owner, state }: Document<LivingWebhook>): Promise<boolean> {
  if (state.status !== 'active') return false
  return owner === app.instanceId || (await organizationState(app, owner)) === 'active'
}

async function listActive(app: App) {
  const active: { id: string; wants: EventFilter }[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { documents } = await app.store.find(webhooks, { offset, limit: PAGE })
    for (const document of documents as readonly Document<Webhook>[]) {
      if (!isLiving(document.state) || document.state.status !== 'active') continue
      active.push({ id: document.id, wants: filterOf(app, document as Document<LivingWebhook>) })
    }
    if (documents.length < PAGE) return active
  }
}

/** The sequence of the event that created it. */
async function createdAt({ store }: App, id: string): Promise<number> {
  const [first] = await store.events({ kinds: [webhooks.name], id, limit: 1 })
  return first?.sequence ?? 0
}

export const webhookDestinations: DestinationKind<App> = {
  name: 'webhook',
  dependsOn: [webhooks.name],
  list: listActive,
  async find(app, id) {
    const webhook = await findWebhook(app, id)
    if (webhook === undefined) return undefined
    const { timeoutMs, perSecond } = webhook.state
    return {
      owner: webhook.owner,
      isActive: await isActive(app, webhook),
      since: await createdAt(app, id),
      wants: filterOf(app, webhook),
      timeoutMs,
      perSecond,
    }
  },
  async eventRequest(app, id, event) {
    const webhook = await findWebhook(app, id)
    if (webhook === undefined) return undefined
    const body = eventBody(app, event, await includedDocument(app, webhook, event))
    return signedRequest(app, webhook, messageId(app, event), body)
  },
  async switchOff({ store, clock }, id) {
    await store.write({ actor: 'server', at: clock() }, (work) => work.decide(webhooks, id, { type: 'switch_off' }))
  },
}
