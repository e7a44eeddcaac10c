/** Adds an identity provider of one kind, to the instance or to the chosen organization. */
import { Divider, Radio, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { FormPage } from '../../parts/form-page.tsx'
import { useAction } from '../../parts/use-action.ts'
import { NotFoundPage } from '../../shell/not-found.tsx'
import { useTexts } from '../../texts/index.tsx'
import { methodFor, type Owner, PROVIDER_READS, useProviderPermissions } from './owner.ts'
import { ConnectionFields, OptionFields } from './provider-fields.tsx'
import { newValues, requestOf } from './provider-values.ts'
import { isTemplate, SPECS, type Template } from './templates.ts'
import { providerTexts } from './texts/index.ts'
import { useProviderForm } from './use-provider-form.ts'

/** The page. */
export function CreateProviderPage() {
  const { template } = useParams({ from: '/identity-providers/new/$template' })
  return isTemplate(template) ? <CreateForm key={template} template={template} /> : <NotFoundPage />
}

function CreateForm({ template }: { readonly template: Template }) {
  const t = useTexts(providerTexts)
  const navigate = useNavigate()
  const { mayWrite } = useProviderPermissions()
  const owners = (['instance', 'organization'] as const).filter(mayWrite)
  const [owner, setOwner] = useState<Owner>(owners[0] ?? 'organization')
  const { form, problems, showError } = useProviderForm(template, true, newValues(template))
  const create = useAction(methodFor(owner, 'add', template), {
    done: t.createDone,
    changes: PROVIDER_READS,
    onError: showError,
    onDone: (answer) => {
      const { id: providerId } = answer as unknown as { readonly id: string }
      return navigate({ to: '/identity-providers/$providerId', params: { providerId } })
    },
  })
  return (
    <FormPage
      title={t.createNamed({ name: SPECS[template].name })}
      parent={{ to: '/identity-providers/new', label: t.create }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => create.run(requestOf(values)))}
    >
      {owners.length > 1 && (
        <Radio.Group label={t.owner} value={owner} onChange={(value) => setOwner(value as Owner)}>
          <Stack gap="xs" mt="xs">
            {owners.map((value) => (
              <Radio key={value} value={value} label={t.owners[value]} description={t.ownerHints[value]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <ConnectionFields form={form} template={template} isNew />
      <Divider />
      <OptionFields form={form} />
    </FormPage>
  )
}
