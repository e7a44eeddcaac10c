/** Webhooks: endpoints of organizations and of the instance that get their events. `deliveries` sends. */
import { module } from '../../module/module.ts'
import { carriedWebhooks } from './carried.ts'
import { webhookDestinations } from './destination.ts'
import { removeWebhooksOf } from './documents.ts'
import { webhookRefusals } from './refusals.ts'
import { webhookMethods } from './rpc.ts'

export const webhooksModule = module({
  name: 'webhooks',
  kinds: [carriedWebhooks],
  refusals: webhookRefusals,
  methods: webhookMethods,
  destinations: [webhookDestinations],
  whenOrganizationRemoved: removeWebhooksOf,
})

export { EVENT_SCHEMA_PATH, eventSchema } from './payload.ts'
export { newKey as newWebhookKey } from './signature.ts'
