/** Creates a project in the chosen organization. */
import { isNotEmpty } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { SettingsFields, settingsOf, valuesOf } from './settings-fields.tsx'
import { projectTexts } from './texts/index.ts'

/** The page. */
export function CreateProjectPage() {
  const t = useTexts(projectTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const organizationId = useTargetOrganization()
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(),
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name' },
    refusals: { 'project.name_taken': 'name' },
  })
  const create = useAction(ProjectService.method.createProject, {
    done: t.createDone,
    changes: [ProjectService.method.listProjects],
    onError: showError,
    onDone: ({ projectId }) => navigate({ to: '/projects/$projectId', params: { projectId } }),
  })
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/projects', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => create.run({ organizationId, ...settingsOf(values) }))}
    >
      <SettingsFields form={form} />
    </FormPage>
  )
}
