/** Webhooks: endpoints of organizations and of the instance that get their events. `deliveries` sends. */
import { module } from '../../module/module.ts'
import { webhookDestinations } from './destination.ts'
import { removeWebhooksOf, webhooks } from './documents.ts'
import { webhookRefusals } from './refusals.ts'
import { webhookMethods } from './rpc.ts'

export const webhooksModule = module({
  name: 'webhooks',
  kinds: [webhooks],
  refusals: webhookRefusals,
  methods: webhookMethods,
  destinations: [webhookDestinations],
  whenOrganizationRemoved: removeWebhooksOf,
})

export { isLiving as isLivingWebhook } from './decider.ts'
export { webhooks } from './documents.ts'
export { type ImportedWebhook, importWebhook } from './import-webhook.ts'
export { EVENT_SCHEMA_PATH, eventSchema } from './payload.ts'
export { newKey as newWebhookKey } from './signature.ts'
