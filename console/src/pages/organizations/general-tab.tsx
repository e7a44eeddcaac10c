/** The name and id of an organization. */
import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { Organization } from '../../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

interface GeneralTabProps {
  readonly organization: Organization
  readonly mayWrite: boolean
}

/** The tab. */
export function GeneralTab({ organization, mayWrite }: GeneralTabProps) {
  const t = useTexts(organizationTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { name: organization.name },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name' },
    refusals: { 'organization.name_taken': 'name' },
  })
  const { updateOrganization, listOrganizations } = OrganizationService.method
  const save = useAction(updateOrganization, {
    done: saved,
    changes: [listOrganizations],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit(({ name }) => save.run({ organizationId: organization.id, name: name.trim() }))
  return (
    <Section title={t.tabs.general}>
      <form onSubmit={send} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            <TextInput
              label={t.name}
              description={t.nameHint}
              required
              autoComplete="off"
              {...form.getInputProps('name')}
            />
            <CopyField label={t.id} value={organization.id} />
            {mayWrite && (
              <Group justify="flex-end">
                <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                  {saveLabel}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
