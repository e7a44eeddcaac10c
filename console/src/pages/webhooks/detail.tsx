/** One webhook: how it is, its settings, its secret, and what was sent. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Webhook, WebhookQueueState, WebhookState } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
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
import { DeliveriesSection } from './deliveries.tsx'
import { HealthSection } from './health.tsx'
import { ReplaySection } from './replay.tsx'
import { requestOf, valuesOf, WEBHOOK_PATHS, WebhookFields } from './settings-fields.tsx'
import { WebhookBadge } from './state.tsx'
import { webhookTexts } from './texts/index.ts'

const methods = WebhookService.method
export const READS = [methods.getWebhook, methods.listWebhooks, methods.listWebhookDeliveries] as const

/** The page. */
export function WebhookPage() {
  const t = useTexts(webhookTexts)
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' })
  const { can } = usePermissions()
  const query = useQuery(methods.getWebhook, { webhookId }, { refetchInterval: 10_000 })
  const webhook = query.data?.webhook
  const organizationId = webhook?.organizationId ?? ''
  const mayWrite = organizationId === '' ? can('iam.write') : can('webhook.write', { organizationId })
  return (
    <AreaPage
      title={webhook?.name ?? t.webhook}
      badge={webhook && <WebhookBadge webhook={webhook} />}
      actions={webhook && mayWrite && <WebhookActions webhook={webhook} />}
      links={
        <Anchor component={Link} to="/webhooks" size="sm" w="fit-content">
          ← {t.title}
        </Anchor>
      }
    >
      <Reading query={{ ...query, data: webhook }}>
        {(found) => (
          <Stack key={found.id}>
            <HealthSection webhook={found} mayWrite={mayWrite} />
            <DeliveriesSection webhook={found} mayWrite={mayWrite} />
            {mayWrite && <ReplaySection webhook={found} />}
            <SettingsForm webhook={found} mayWrite={mayWrite} />
            {mayWrite && <SecretSection webhook={found} />}
          </Stack>
        )}
      </Reading>
    </AreaPage>
  )
}

interface WebhookProps {
  readonly webhook: Webhook
}

function SettingsForm({ webhook, mayWrite }: WebhookProps & { readonly mayWrite: boolean }) {
  const t = useTexts(webhookTexts)
  const { saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(webhook),
    validate: { name: isNotEmpty(required), endpoint: isNotEmpty(required) },
    paths: WEBHOOK_PATHS,
    refusals: { 'webhook.url_invalid': 'endpoint' },
  })
  const save = useAction(methods.updateWebhook, {
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
      onSubmit={form.onSubmit((values) => save.run({ webhookId: webhook.id, ...requestOf(values) }))}
    >
      <WebhookFields form={form} />
      <CopyField label="ID" value={webhook.id} />
    </FormSection>
  )
}

function SecretSection({ webhook: { id } }: WebhookProps) {
  const t = useTexts(webhookTexts)
  const [secret, setSecret] = useState<string>()
  const rotate = useAction(methods.rotateWebhookSecret, {
    done: t.rotated,
    changes: READS,
    onDone: (answer) => setSecret(answer.secret),
  })
  return (
    <Section title={t.secret} {...(secret !== undefined && { description: t.secretHint })}>
      {secret === undefined ? (
        <Group justify="space-between">
          <Text size="sm" flex="1 1 16rem">
            {t.rotateHint}
          </Text>
          <Button variant="default" loading={rotate.isRunning} onClick={() => rotate.run({ webhookId: id })}>
            {t.rotate}
          </Button>
        </Group>
      ) : (
        <CopyField label={t.secret} value={secret} isSecret />
      )}
    </Section>
  )
}

function WebhookActions({ webhook }: WebhookProps) {
  const t = useTexts(webhookTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const { id, state, queue, name } = webhook
  const pause = useAction(methods.pauseWebhook, { done: t.pausedDone, changes: READS })
  const resume = useAction(methods.resumeWebhook, { done: t.resumed, changes: READS })
  const remove = useAction(methods.deleteWebhook, {
    done: t.removed,
    changes: [methods.listWebhooks],
    onDone: () => navigate({ to: '/webhooks' }),
  })
  const isWorking = state === WebhookState.ACTIVE && queue?.state === WebhookQueueState.WORKING
  return (
    <Group gap="xs">
      {state === WebhookState.ACTIVE && (
        <Button variant="default" loading={pause.isRunning} onClick={() => pause.run({ webhookId: id })}>
          {t.pause}
        </Button>
      )}
      {!isWorking && (
        <Button loading={resume.isRunning} onClick={() => resume.run({ webhookId: id })}>
          {t.resume}
        </Button>
      )}
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.remove}
      </Button>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ webhookId: id })}
      />
    </Group>
  )
}
