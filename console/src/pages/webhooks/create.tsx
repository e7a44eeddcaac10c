/** Adds a webhook, and shows its secret once. */
import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization, useTargetOrganization } from '../../access/organization.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { NEW_WEBHOOK, requestOf, WEBHOOK_PATHS, WebhookFields } from './settings-fields.tsx'
import { webhookTexts } from './texts/index.ts'

/** The page: the form, and then the secret. */
export function CreateWebhookPage() {
  const t = useTexts(webhookTexts)
  const { required } = useTexts(partsTexts)
  const { can } = usePermissions()
  const target = useTargetOrganization()
  const { organizationId: chosen } = useOrganization()
  // All events of the instance are for those who may change it.
  const mayAll = can('iam.write')
  const [owner, setOwner] = useState(mayAll && chosen === undefined ? '' : target)
  const [created, setCreated] = useState<{ readonly webhookId: string; readonly secret: string }>()
  const { form, problems, showError } = useServerForm({
    initialValues: NEW_WEBHOOK,
    validate: { name: isNotEmpty(required), endpoint: isNotEmpty(required) },
    paths: WEBHOOK_PATHS,
    refusals: { 'webhook.url_invalid': 'endpoint' },
  })
  const create = useAction(WebhookService.method.createWebhook, {
    done: t.created,
    changes: [WebhookService.method.listWebhooks],
    onError: showError,
    onDone: setCreated,
  })
  if (created !== undefined) return <CreatedWebhook {...created} />
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/webhooks', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => {
        const { filter, ...rest } = requestOf(values)
        create.run({ organizationId: owner, ...rest, ...filter })
      })}
    >
      <NativeSelect
        label={t.owner}
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value)}
        data={[
          ...(mayAll ? [{ value: '', label: t.ofInstance }] : []),
          { value: target, label: t.ofOrganization({ name: target }) },
        ]}
      />
      <WebhookFields form={form} />
    </FormPage>
  )
}

function CreatedWebhook({ webhookId, secret }: { readonly webhookId: string; readonly secret: string }) {
  const t = useTexts(webhookTexts)
  return (
    <AreaPage title={t.created}>
      <Section title={t.secret} description={t.secretHint}>
        <Stack>
          <CopyField label={t.secret} value={secret} isSecret />
          <Group justify="flex-end">
            <Button component={Link} to="/webhooks/$webhookId" params={{ webhookId } as never}>
              {t.continue}
            </Button>
          </Group>
        </Stack>
      </Section>
    </AreaPage>
  )
}
