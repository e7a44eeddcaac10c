/** Creates a group in the chosen organization. */
import { isNotEmpty } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { GroupService } from '../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { GroupFields } from './group-fields.tsx'
import { groupTexts } from './texts/index.ts'

/** The page. */
export function CreateGroupPage() {
  const t = useTexts(groupTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const organizationId = useTargetOrganization()
  const { form, problems, showError } = useServerForm({
    initialValues: { name: '', description: '' },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name', description: 'description' },
    refusals: { 'group.name_taken': 'name' },
  })
  const create = useAction(GroupService.method.createGroup, {
    done: t.createDone,
    changes: [GroupService.method.listGroups],
    onError: showError,
    onDone: ({ id }) => navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  })
  return (
    <FormPage
      title={t.create}
      parent={{ to: '/groups', label: t.title }}
      problems={problems}
      isRunning={create.isRunning}
      onSubmit={form.onSubmit((values) => create.run({ organizationId, ...values }))}
    >
      <GroupFields form={form} />
    </FormPage>
  )
}
