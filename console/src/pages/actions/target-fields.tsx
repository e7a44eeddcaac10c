/** The settings of a target in a form. */
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PayloadType, SignatureType, type Target } from '../../../../contract/gen/signet/action/v2/target_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { actionTexts } from './texts/index.ts'

export const TARGET_TYPES = ['restWebhook', 'restCall', 'restAsync'] as const
type TargetType = (typeof TARGET_TYPES)[number]

export interface TargetValues extends Record<string, unknown> {
  readonly name: string
  readonly endpoint: string
  readonly type: TargetType
  readonly interruptOnError: boolean
  readonly timeout: number
  readonly payloadType: string
  readonly signatureType: string
}

export const NEW_TARGET: TargetValues = {
  name: '',
  endpoint: '',
  type: 'restWebhook',
  interruptOnError: false,
  timeout: 10,
  payloadType: String(PayloadType.JSON),
  signatureType: String(SignatureType.STANDARD_WEBHOOKS),
}

export const TARGET_PATHS = { name: 'name', endpoint: 'endpoint', timeout: 'timeout' } as const

export function valuesOf({ name, endpoint, targetType, timeout, payloadType, signatureType }: Target): TargetValues {
  const { case: type = 'restWebhook', value } = targetType
  return {
    name,
    endpoint,
    type,
    interruptOnError: value !== undefined && 'interruptOnError' in value && value.interruptOnError,
    timeout: timeout === undefined ? 10 : durationMs(timeout) / 1000,
    payloadType: String(payloadType || PayloadType.JSON),
    signatureType: String(signatureType || SignatureType.ZITADEL),
  }
}

/** The members of a request. */
export function requestOf(values: TargetValues) {
  const { name, endpoint, type, interruptOnError, timeout, payloadType, signatureType } = values
  const targetTypes = {
    restWebhook: { case: 'restWebhook', value: { interruptOnError } },
    restCall: { case: 'restCall', value: { interruptOnError } },
    restAsync: { case: 'restAsync', value: {} },
  } as const
  return {
    name,
    endpoint,
    targetType: targetTypes[type],
    timeout: durationFromMs(timeout * 1000),
    payloadType: Number(payloadType) as PayloadType,
    signatureType: Number(signatureType) as SignatureType,
  }
}

export function TargetFields({ form }: { readonly form: UseFormReturnType<TargetValues> }) {
  const t = useTexts(actionTexts)
  return (
    <>
      <TextInput label={t.name} required {...form.getInputProps('name')} />
      <TextInput
        label={t.endpoint}
        description={t.endpointHint}
        type="url"
        placeholder="https://example.com/actions"
        required
        {...form.getInputProps('endpoint')}
      />
      <NativeSelect
        label={t.type}
        data={TARGET_TYPES.map((value) => ({ value, label: t.types[value] }))}
        {...form.getInputProps('type')}
      />
      {form.values.type !== 'restAsync' && (
        <Checkbox
          label={t.interrupt}
          description={t.interruptHint}
          {...form.getInputProps('interruptOnError', { type: 'checkbox' })}
        />
      )}
      <NumberInput label={t.timeout} min={1} max={270} allowDecimal={false} {...form.getInputProps('timeout')} />
      <NativeSelect
        label={t.payload}
        data={[
          { value: String(PayloadType.JSON), label: 'JSON' },
          { value: String(PayloadType.JWT), label: 'JWT' },
          { value: String(PayloadType.JWE), label: 'JWE' },
        ]}
        {...form.getInputProps('payloadType')}
      />
      <NativeSelect
        label={t.signature}
        description={t.signatureHint}
        data={[
          { value: String(SignatureType.STANDARD_WEBHOOKS), label: 'Standard Webhooks' },
          { value: String(SignatureType.ZITADEL), label: 'ZITADEL-Signature' },
        ]}
        {...form.getInputProps('signatureType')}
      />
    </>
  )
}
