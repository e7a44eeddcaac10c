/** The name and settings of a project. */
import { Button, Fieldset, Group, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { Project } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { SettingsFields, settingsOf, valuesOf } from './settings-fields.tsx'
import { projectTexts } from './texts/index.ts'

interface SettingsTabProps {
  readonly project: Project
  readonly mayWrite: boolean
}

/** The tab. */
export function SettingsTab({ project, mayWrite }: SettingsTabProps) {
  const t = useTexts(projectTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(project),
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name' },
    refusals: { 'project.name_taken': 'name' },
  })
  const { updateProject, getProject, listProjects } = ProjectService.method
  const save = useAction(updateProject, {
    done: saved,
    changes: [getProject, listProjects],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const { projectId } = project
  return (
    <Section title={t.tabs.settings}>
      <form onSubmit={form.onSubmit((values) => save.run({ projectId, ...settingsOf(values) }))} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            <SettingsFields form={form} />
            <CopyField label={t.id} value={projectId} />
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
