/** The WebhookService. */
import { durationMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { WebhookService } from '../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { visibleOwners } from '../../module/visible-owners.ts'
import type { Document } from '../../store/index.ts'
import { lastSequence, queueStatus, replayEvents, resumeQueue, send } from '../deliveries/index.ts'
import { isLiving, type LivingWebhook } from './decider.ts'
import { filterOf, signedRequest, webhookDestinations } from './destination.ts'
import { authorizeOwner, INSTANCE_READERS, webhookForCaller, webhooks } from './documents.ts'
import { includedDocument } from './included-document.ts'
import { deliveryMessage, hourMessage, webhookMessage } from './messages.ts'
import { eventBody, TEST_TYPE, testBody } from './payload.ts'
import { webhookRefusals } from './refusals.ts'
import { addWebhook, rotateKey } from './secrets.ts'
import { changedSettings, newSettings } from './settings.ts'

const DEFAULT_OVERLAP_MS = 24 * 3_600_000

function refOf(id: string) {
  return { kind: webhookDestinations.name, id }
}

async function messageOf(app: App, webhook: Document<LivingWebhook>) {
  const [queue, head] = await Promise.all([queueStatus(app, refOf(webhook.id)), lastSequence(app.store)])
  return webhookMessage(app, webhook, queue, head)
}

/** The webhooks of one organization, of those that the caller can read, or all. */
async function list(app: App, call: Call, organizationId: string, page: ReturnType<typeof pageOf>) {
  const where = visibleOwners(app, call, organizationId, INSTANCE_READERS)
  const found = await app.store.find(webhooks, { where, orderBy: 'createdAt', ...page })
  const living = found.documents.filter(({ state }) => isLiving(state)) as readonly Document<LivingWebhook>[]
  return { total: found.total, living }
}

/** Sends a test and returns its answer. */
async function sendTest(app: App, call: Call, webhook: Document<LivingWebhook>) {
  const organizationId = webhook.owner === app.instanceId ? undefined : webhook.owner
  const id = `test_${app.newId()}`
  const request = await signedRequest(app, webhook, id, testBody(app, webhook.id, organizationId))
  const timeoutMs = Math.min(webhook.state.timeoutMs, app.config.longestWaitMs)
  const answer = await send(app, request, { timeoutMs }, call.signal)
  return { type: TEST_TYPE, at: call.at, ...answer }
}

/** The event, if the webhook gets it. */
async function eventFor(app: App, webhook: Document<LivingWebhook>, sequence: bigint) {
  const from = Math.min(Number(sequence), Number.MAX_SAFE_INTEGER) - 1
  const [event] = sequence < 1n ? [] : await app.store.events({ ...filterOf(app, webhook), from, limit: 1 })
  if (event?.sequence !== from + 1) throw refused(webhookRefusals, 'webhook.delivery_not_found')
  return event
}

function changes(app: App): Partial<Implementation<typeof WebhookService>> {
  const { store } = app
  return {
    async createWebhook({ organizationId, ...given }, call) {
      const owner = organizationId === '' ? app.instanceId : organizationId
      authorizeOwner(app, call, owner, 'write')
      const settings = newSettings(app, given)
      const { value, key } = await addWebhook(app, call, owner, settings)
      return { webhookId: value.id, creationDate: timestampFromMs(value.createdAt), secret: key }
    },
    async updateWebhook({ webhookId, filter, ...given }, call) {
      await webhookForCaller(app, call, webhookId, 'write')
      const settings = changedSettings(app, { ...given, ...filter })
      const { value } = await store.write(call.origin, (work) =>
        work.decide(webhooks, webhookId, { type: 'change', settings }),
      )
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteWebhook({ webhookId }, call) {
      const removed = await store.getRemoved(webhooks, webhookId)
      if (removed !== undefined) {
        authorizeOwner(app, call, removed.owner, 'write')
        return { deletionDate: timestampFromMs(removed.changedAt) }
      }
      const found = await store.get(webhooks, webhookId)
      authorizeOwner(app, call, found?.owner ?? app.instanceId, 'write')
      if (found === undefined) return {}
      const { at } = await store.write(call.origin, (work) => work.decide(webhooks, webhookId, { type: 'remove' }))
      return { deletionDate: timestampFromMs(at) }
    },
    async rotateWebhookSecret({ webhookId, overlap }, call) {
      await webhookForCaller(app, call, webhookId, 'write')
      const overlapMs = overlap === undefined ? DEFAULT_OVERLAP_MS : durationMs(overlap)
      const { value, key } = await rotateKey(app, call, webhookId, overlapMs)
      return { changeDate: timestampFromMs(value.changedAt), secret: key }
    },
    async pauseWebhook({ webhookId }, call) {
      await webhookForCaller(app, call, webhookId, 'write')
      const { value } = await store.write(call.origin, (work) => work.decide(webhooks, webhookId, { type: 'pause' }))
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async resumeWebhook({ webhookId }, call) {
      await webhookForCaller(app, call, webhookId, 'write')
      const { value } = await store.write(call.origin, (work) => work.decide(webhooks, webhookId, { type: 'resume' }))
      if (!(await resumeQueue(app, refOf(webhookId)))) throw refused(webhookRefusals, 'webhook.too_many_replays')
      return { changeDate: timestampFromMs(value.changedAt) }
    },
  }
}

function reads(app: App): Partial<Implementation<typeof WebhookService>> {
  return {
    async getWebhook({ webhookId }, call) {
      return { webhook: await messageOf(app, await webhookForCaller(app, call, webhookId, 'read')) }
    },
    async listWebhooks({ pagination, organizationId }, call) {
      const page = pageOf(pagination, 'pagination')
      const { total, living } = await list(app, call, organizationId, page)
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        webhooks: await Promise.all(living.map((webhook) => messageOf(app, webhook))),
      }
    },
    async listWebhookDeliveries({ webhookId }, call) {
      await webhookForCaller(app, call, webhookId, 'read')
      const { record } = await queueStatus(app, refOf(webhookId))
      return { deliveries: record.attempts.map(deliveryMessage), hours: record.hours.map(hourMessage) }
    },
    async getWebhookDelivery({ webhookId, sequence }, call) {
      const webhook = await webhookForCaller(app, call, webhookId, 'read')
      const event = await eventFor(app, webhook, sequence)
      const { record } = await queueStatus(app, refOf(webhookId))
      const document = await includedDocument(app, webhook, event)
      const attempts = record.attempts.filter((attempt) => attempt.sequence === event.sequence)
      return {
        endpoint: webhook.state.url,
        body: eventBody(app, event, document),
        deliveries: attempts.map(deliveryMessage),
      }
    },
  }
}

/** The methods of this module. */
export function webhookMethods(app: App): readonly Method[] {
  return methods(WebhookService, {
    ...changes(app),
    ...reads(app),
    async testWebhook({ webhookId }, call) {
      const webhook = await webhookForCaller(app, call, webhookId, 'write')
      return { delivery: deliveryMessage(await sendTest(app, call, webhook)) }
    },
    async replayWebhook({ webhookId, after, until }, call) {
      const webhook = await webhookForCaller(app, call, webhookId, 'write')
      if (webhook.state.status !== 'active') throw refused(webhookRefusals, 'webhook.inactive')
      const range = { after: Number(after), until: Number(until ?? BigInt(Number.MAX_SAFE_INTEGER)) }
      if (!Number.isSafeInteger(range.after) || range.until <= range.after) {
        const violations = [{ field: 'until', description: 'must be greater than after' }]
        throw refused(webhookRefusals, 'webhook.range_invalid', { violations })
      }
      const isTaken = await replayEvents(app, refOf(webhookId), range)
      if (!isTaken) throw refused(webhookRefusals, 'webhook.too_many_replays')
      return {}
    },
  })
}
