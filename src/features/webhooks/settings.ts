/** Reads and checks the settings of a webhook. */
import type { Webhook } from '../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { duration, mapped, same, texts } from '../../module/mapped.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import { isNamed } from './destination.ts'
import type { WebhookSettings } from './events.ts'
import { eventTypes } from './payload.ts'
import { webhookRefusals } from './refusals.ts'

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_PER_SECOND = 100

/** Refuses a URL that could never be called. The addresses of a host name are checked at each request. */
function checkUrl({ config }: App, url: string): void {
  const description = endpointProblem(url, config.allowsPrivateNetwork)
  if (description !== undefined) {
    throw refused(webhookRefusals, 'webhook.url_invalid', { violations: [{ field: 'endpoint', description }] })
  }
}

/** Refuses types of events and kinds of objects that do not exist: they would never be sent. */
function checkFilter(app: App, { eventTypes: patterns = [], objectTypes = [] }: Partial<WebhookSettings>): void {
  const types = [...eventTypes(app).keys()]
  const names = app.kinds.map(({ name }) => name)
  const unknown = (field: string, values: readonly string[], isKnown: (value: string) => boolean) =>
    values.filter((value) => !isKnown(value)).map((value) => ({ field, description: `${value} does not exist` }))
  const violations = [
    ...unknown('eventTypes', patterns, (pattern) => types.some((type) => isNamed(type, pattern))),
    ...unknown('objectTypes', objectTypes, (name) => names.includes(name)),
  ]
  if (violations.length > 0) throw refused(webhookRefusals, 'webhook.filter_unknown', { violations })
}

/** Refuses settings by which nothing could ever be sent. */
export function checkSettings(app: App, settings: Partial<WebhookSettings>): void {
  if (settings.url !== undefined) checkUrl(app, settings.url)
  checkFilter(app, settings)
}

/** What the message tells of a webhook besides its settings. */
type Told = 'id' | 'creationDate' | 'changeDate' | 'organizationId' | 'state' | 'queue' | 'formerSecretExpirationDate'

export const settingsMessage = mapped<WebhookSettings, Webhook, Told>()({
  name: ['name', same],
  url: ['endpoint', same],
  eventTypes: ['eventTypes', texts],
  objectTypes: ['objectTypes', texts],
  timeoutMs: ['timeout', duration],
  perSecond: ['requestsPerSecond', same],
  includesDocument: ['includeDocument', same],
})

type Given = Parameters<typeof settingsMessage.read>[0]

/** The settings to change. What a request leaves out is not changed, or has its default. */
export function changedSettings(app: App, given: Given): Partial<WebhookSettings> {
  const settings: Partial<WebhookSettings> = settingsMessage.read(given)
  checkSettings(app, settings)
  return settings
}

/** The settings of a new webhook. */
export function newSettings(
  app: App,
  given: Given & { readonly name: string; readonly endpoint: string },
): WebhookSettings {
  const { name, endpoint: url, requestsPerSecond = 0 } = given
  return {
    eventTypes: [],
    objectTypes: [],
    timeoutMs: DEFAULT_TIMEOUT_MS,
    ...changedSettings(app, given),
    name,
    url,
    perSecond: requestsPerSecond === 0 ? DEFAULT_PER_SECOND : requestsPerSecond,
  }
}
