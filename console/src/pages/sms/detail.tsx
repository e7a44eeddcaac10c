/** One SMS provider: its settings, its signing key, and whether it is used. */
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { SMSProvider } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { endpointOf, isActive, isWebhook, nameOf, ProviderState } from './provider-state.tsx'
import { smsTexts } from './texts/index.ts'

const methods = AdminService.method
const READS = [methods.getSMSProvider, methods.listSMSProviders] as const

/** The page. */
export function SmsProviderPage() {
  const t = useTexts(smsTexts)
  const { providerId } = useParams({ from: '/sms/$providerId' })
  const { can } = usePermissions()
  const query = useQuery(methods.getSMSProvider, { id: providerId })
  const provider = query.data?.config
  const mayWrite = can('iam.write')
  return (
    <AreaPage
      title={provider ? nameOf(provider) : t.provider}
      badge={provider && <ProviderState provider={provider} />}
      actions={provider && mayWrite && <ProviderActions provider={provider} />}
      links={
        <Anchor component={Link} to="/sms" size="sm" w="fit-content">
          ← {t.title}
        </Anchor>
      }
    >
      <Reading query={{ ...query, data: provider }}>
        {(found) => (
          <Stack key={found.id}>
            <ProviderForm provider={found} mayWrite={mayWrite && isWebhook(found)} />
            {mayWrite && isWebhook(found) && <KeyCard provider={found} />}
          </Stack>
        )}
      </Reading>
    </AreaPage>
  )
}

function ProviderForm({ provider, mayWrite }: { readonly provider: SMSProvider; readonly mayWrite: boolean }) {
  const t = useTexts(smsTexts)
  const { saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { endpoint: endpointOf(provider), description: provider.description },
    validate: { endpoint: isNotEmpty(required) },
    paths: { endpoint: 'endpoint', description: 'description' },
    refusals: { 'sms.endpoint_invalid': 'endpoint' },
  })
  const save = useAction(methods.updateSMSProviderHTTP, {
    done: saved,
    changes: READS,
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  return (
    <FormSection
      title={t.settings}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => save.run({ id: provider.id, ...values }))}
    >
      <TextInput
        label={t.endpoint}
        description={t.endpointHint}
        type="url"
        required
        {...form.getInputProps('endpoint')}
      />
      <TextInput label={t.description} {...form.getInputProps('description')} />
      <CopyField label="ID" value={provider.id} />
    </FormSection>
  )
}

function KeyCard({ provider }: { readonly provider: SMSProvider }) {
  const t = useTexts(smsTexts)
  const [key, setKey] = useState<string>()
  const renew = useAction(methods.updateSMSProviderHTTP, {
    done: t.keyRenewed,
    changes: READS,
    onDone: ({ signingKey }) => setKey(signingKey),
  })
  const { id, description } = provider
  const run = () =>
    renew.run({ id, description, endpoint: endpointOf(provider), expirationSigningKey: durationFromMs(0) })
  return (
    <Section title={t.signingKey} description={t.signingKeyHint}>
      {key === undefined ? (
        <Group justify="space-between">
          <Text size="sm" flex="1 1 16rem">
            {t.renewHint}
          </Text>
          <Button variant="default" loading={renew.isRunning} onClick={run}>
            {t.renewKey}
          </Button>
        </Group>
      ) : (
        <CopyField label={t.signingKey} value={key} isSecret />
      )}
    </Section>
  )
}

function ProviderActions({ provider }: { readonly provider: SMSProvider }) {
  const t = useTexts(smsTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const { id } = provider
  const activate = useAction(methods.activateSMSProvider, { done: t.activated, changes: READS })
  const deactivate = useAction(methods.deactivateSMSProvider, { done: t.deactivated, changes: READS })
  const remove = useAction(methods.removeSMSProvider, {
    done: t.removed,
    changes: [methods.listSMSProviders],
    onDone: () => navigate({ to: '/sms' }),
  })
  const turn = isActive(provider) ? deactivate : activate
  return (
    <Group gap="xs">
      <Button
        variant={isActive(provider) ? 'default' : 'filled'}
        loading={turn.isRunning}
        onClick={() => turn.run({ id })}
      >
        {isActive(provider) ? t.deactivate : t.activate}
      </Button>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.remove}
      </Button>
      <ConfirmRemove
        name={nameOf(provider)}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id })}
      />
    </Group>
  )
}
