/** The name and the description of a group. */
import { Button, Fieldset, Group as Row, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { Group } from '../../../../contract/gen/signet/group/v2/group_pb.ts'
import { GroupService } from '../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { GroupFields } from './group-fields.tsx'
import { groupTexts } from './texts/index.ts'

interface SettingsTabProps {
  readonly group: Group
  readonly mayWrite: boolean
}

/** The tab. */
export function SettingsTab({ group: { id, name, description }, mayWrite }: SettingsTabProps) {
  const t = useTexts(groupTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { name, description },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name', description: 'description' },
    refusals: { 'group.name_taken': 'name' },
  })
  const { updateGroup, getGroup, listGroups } = GroupService.method
  const save = useAction(updateGroup, {
    done: saved,
    changes: [getGroup, listGroups],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  return (
    <Section title={t.tabs.settings}>
      <form onSubmit={form.onSubmit((values) => save.run({ id, ...values }))} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            <GroupFields form={form} />
            <CopyField label={t.id} value={id} />
            {mayWrite && (
              <Row justify="flex-end">
                <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                  {saveLabel}
                </Button>
              </Row>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
