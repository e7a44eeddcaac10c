/** Creates an organization. */
import { TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

/** The page. */
export function CreateOrganizationPage() {
  const t = useTexts(organizationTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const { form, problems, showError } = useServerForm({
    initialValues: { name: '' },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name' },
    refusals: { 'organization.name_taken': 'name' },
  })
  const { addOrganization, listOrganizations } = OrganizationService.method
  const create = useAction(addOrganization, {
    done: t.createDone,
    changes: [listOrganizations],
    onError: showError,
    onDone: ({ organizationId }) => navigate({ to: '/organizations/$organizationId', params: { organizationId } }),
  })
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/organizations', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit(({ name }) => create.run({ name: name.trim() }))}
    >
      <TextInput
        label={t.name}
        description={t.nameHint}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </FormPage>
  )
}
