/** Signing keys of targets, and what targets get to see of everything else that happens in this test. */
import type { TestContext } from 'node:test'
import { ActionService } from '../../contract/gen/signet/action/v2/action_service_pb.ts'
import { WebhookService } from '../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { afterwards } from '../support/afterwards.ts'
import { openReceiver, type Receiver } from '../support/target-receiver.ts'
import type { SecretClient } from './secret-client.ts'

const api = ActionService.method

/** Has every request, every response and every event sent to a receiver from now on. */
export async function watchByActions(client: SecretClient, t: TestContext): Promise<Receiver> {
  const receiver = await openReceiver()
  afterwards(t, () => receiver.close())
  const endpoint = `${receiver.url}/`
  const target = { name: 'Watch', endpoint, timeout: '10s', restWebhook: {} }
  const { id = '' } = await client.call(api.createTarget, target)
  await client.call(api.updateTarget, { id, expirationSigningKey: '0s' })
  await client.call(api.getTarget, { id })
  await client.call(api.listTargets, {})
  for (const condition of [{ request: { all: true } }, { response: { all: true } }, { event: { all: true } }]) {
    await client.call(api.setExecution, { condition, targets: [id] })
  }
  const { webhookId = '' } = await client.call(WebhookService.method.createWebhook, {
    name: 'Watch',
    endpoint,
    includeDocument: true,
  })
  await client.call(WebhookService.method.rotateWebhookSecret, { webhookId })
  return receiver
}

/** Requests and responses are not sent any more. */
export async function stopWatching(client: SecretClient): Promise<void> {
  for (const condition of [{ request: { all: true } }, { response: { all: true } }]) {
    await client.call(api.setExecution, { condition, targets: [] })
  }
}
