/** Adds an SMS provider, and shows its signing key once. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { smsTexts } from './texts/index.ts'

/** The page: the form, and then the key. */
export function CreateSmsProviderPage() {
  const t = useTexts(smsTexts)
  const { required } = useTexts(partsTexts)
  const [created, setCreated] = useState<{ readonly id: string; readonly signingKey: string }>()
  const { form, problems, showError } = useServerForm({
    initialValues: { endpoint: '', description: '' },
    validate: { endpoint: isNotEmpty(required) },
    paths: { endpoint: 'endpoint', description: 'description' },
    refusals: { 'sms.endpoint_invalid': 'endpoint' },
  })
  const create = useAction(AdminService.method.addSMSProviderHTTP, {
    done: t.created,
    changes: [AdminService.method.listSMSProviders],
    onError: showError,
    onDone: setCreated,
  })
  if (created !== undefined) return <CreatedProvider {...created} />
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/sms', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => create.run(values))}
    >
      <TextInput
        label={t.endpoint}
        description={t.endpointHint}
        type="url"
        placeholder="https://sms.example.com/send"
        required
        {...form.getInputProps('endpoint')}
      />
      <TextInput label={t.description} {...form.getInputProps('description')} />
    </FormPage>
  )
}

function CreatedProvider({ id, signingKey }: { readonly id: string; readonly signingKey: string }) {
  const t = useTexts(smsTexts)
  return (
    <AreaPage title={t.created}>
      <Section title={t.signingKey} description={t.signingKeyHint}>
        <Stack>
          <CopyField label={t.signingKey} value={signingKey} isSecret />
          <Group justify="flex-end">
            <Button component={Link} to="/sms/$providerId" params={{ providerId: id } as never}>
              {t.continue}
            </Button>
          </Group>
        </Stack>
      </Section>
    </AreaPage>
  )
}
