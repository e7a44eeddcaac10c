/** Creates a key that signs tokens once it is activated. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { NativeSelect, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ECDSACurve, RSABits, RSAHasher } from '../../../../contract/gen/signet/webkey/v2/key_pb.ts'
import {
  type CreateWebKeyRequestSchema,
  WebKeyService,
} from '../../../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { webKeyTexts } from './texts/index.ts'

const BITS = { '2048': RSABits.RSA_BITS_2048, '3072': RSABits.RSA_BITS_3072, '4096': RSABits.RSA_BITS_4096 } as const
const HASHES = {
  SHA256: RSAHasher.RSA_HASHER_SHA256,
  SHA384: RSAHasher.RSA_HASHER_SHA384,
  SHA512: RSAHasher.RSA_HASHER_SHA512,
} as const
const CURVES = {
  'P-256': ECDSACurve.ECDSA_CURVE_P256,
  'P-384': ECDSACurve.ECDSA_CURVE_P384,
  'P-521': ECDSACurve.ECDSA_CURVE_P512,
} as const

interface Values extends Record<string, string> {
  type: string
  bits: keyof typeof BITS
  hasher: keyof typeof HASHES
  curve: keyof typeof CURVES
}

function requestOf({ type, bits, hasher, curve }: Values): MessageInitShape<typeof CreateWebKeyRequestSchema> {
  if (type === 'rsa') return { key: { case: 'rsa', value: { bits: BITS[bits], hasher: HASHES[hasher] } } }
  if (type === 'ecdsa') return { key: { case: 'ecdsa', value: { curve: CURVES[curve] } } }
  return { key: { case: 'ed25519', value: {} } }
}

/** The page. */
export function CreateWebKeyPage() {
  const t = useTexts(webKeyTexts)
  const navigate = useNavigate()
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: { type: 'rsa', bits: '2048', hasher: 'SHA256', curve: 'P-256' },
    paths: {},
  })
  const create = useAction(WebKeyService.method.createWebKey, {
    done: t.created,
    changes: [WebKeyService.method.listWebKeys],
    onError: showError,
    onDone: ({ id }) => navigate({ to: '/web-keys/$keyId', params: { keyId: id } }),
  })
  const { type } = form.values
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/web-keys', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => create.run(requestOf(values)))}
    >
      <NativeSelect
        label={t.type}
        description={t.typeHint}
        data={[
          { value: 'rsa', label: 'RSA' },
          { value: 'ecdsa', label: 'ECDSA' },
          { value: 'ed25519', label: 'Ed25519' },
        ]}
        {...form.getInputProps('type')}
      />
      {type === 'rsa' && <NativeSelect label={t.bits} data={Object.keys(BITS)} {...form.getInputProps('bits')} />}
      {type === 'rsa' && <NativeSelect label={t.hash} data={Object.keys(HASHES)} {...form.getInputProps('hasher')} />}
      {type === 'ecdsa' && <NativeSelect label={t.curve} data={Object.keys(CURVES)} {...form.getInputProps('curve')} />}
      <Text size="sm" c="dimmed">
        {t.createHint}
      </Text>
    </FormPage>
  )
}
