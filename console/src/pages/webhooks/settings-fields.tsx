/** The settings of a webhook in a form. */
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Webhook } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { EventTypesField } from './event-types-field.tsx'
import { webhookTexts } from './texts/index.ts'

export interface WebhookValues extends Record<string, unknown> {
  readonly name: string
  readonly endpoint: string
  readonly eventTypes: string[]
  readonly objectTypes: string
  readonly timeout: number
  readonly perSecond: number
  readonly includeDocument: boolean
}

export const NEW_WEBHOOK: WebhookValues = {
  name: '',
  endpoint: '',
  eventTypes: [],
  objectTypes: '',
  timeout: 10,
  perSecond: 100,
  includeDocument: false,
}

export const WEBHOOK_PATHS = {
  name: 'name',
  endpoint: 'endpoint',
  eventTypes: 'eventTypes',
  objectTypes: 'objectTypes',
} as const

export function valuesOf(webhook: Webhook): WebhookValues {
  const { name, endpoint, eventTypes, objectTypes, timeout, requestsPerSecond, includeDocument } = webhook
  return {
    name,
    endpoint,
    eventTypes: [...eventTypes],
    objectTypes: objectTypes.join('\n'),
    timeout: timeout === undefined ? 10 : durationMs(timeout) / 1000,
    perSecond: requestsPerSecond,
    includeDocument,
  }
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((line) => line !== ''))]
}

/** The members of a request. */
export function requestOf(values: WebhookValues) {
  const { name, endpoint, eventTypes, objectTypes, timeout, perSecond, includeDocument } = values
  return {
    name,
    endpoint,
    filter: { eventTypes, objectTypes: linesOf(objectTypes) },
    timeout: durationFromMs(timeout * 1000),
    requestsPerSecond: perSecond,
    includeDocument,
  }
}

export function WebhookFields({ form }: { readonly form: UseFormReturnType<WebhookValues> }) {
  const t = useTexts(webhookTexts)
  return (
    <>
      <TextInput label={t.name} required {...form.getInputProps('name')} />
      <TextInput
        label={t.endpoint}
        description={t.endpointHint}
        type="url"
        placeholder="https://example.com/webhooks"
        required
        {...form.getInputProps('endpoint')}
      />
      <EventTypesField {...form.getInputProps('eventTypes')} value={form.values.eventTypes} />
      <Textarea
        label={t.objectTypes}
        description={t.objectTypesHint}
        autosize
        minRows={1}
        {...form.getInputProps('objectTypes')}
      />
      <NumberInput label={t.timeout} min={1} max={30} allowDecimal={false} {...form.getInputProps('timeout')} />
      <NumberInput label={t.perSecond} min={1} max={1000} allowDecimal={false} {...form.getInputProps('perSecond')} />
      <Checkbox
        label={t.includeDocument}
        description={t.includeDocumentHint}
        {...form.getInputProps('includeDocument', { type: 'checkbox' })}
      />
    </>
  )
}
