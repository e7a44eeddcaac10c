/** Gives a user roles on the instance, in an organization, on a project or on a project grant. */
import { isNotEmpty } from '@mantine/form'
import { useNavigate, useParams } from '@tanstack/react-router'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { parentPath, placeFrom, resourceAt } from './place.ts'
import { RolesField } from './roles-field.tsx'
import { administratorTexts } from './texts/index.ts'
import { UserSelect } from './user-select.tsx'

/** The page. */
export function AddAdministratorPage() {
  const t = useTexts(administratorTexts)
  const { required } = useTexts(partsTexts)
  const navigate = useNavigate()
  const { place: param } = useParams({ from: '/administrators/$place/add' })
  const place = placeFrom(param)
  const { form, problems, showError } = useServerForm({
    initialValues: { userId: '', roles: [] as string[] },
    validate: { userId: isNotEmpty(required), roles: (roles) => (roles.length === 0 ? t.chooseRole : null) },
    paths: { userId: 'userId', roles: 'roles' },
    refusals: { 'membership.exists': 'userId', 'membership.user_not_found': 'userId', 'membership.above_own': 'roles' },
  })
  const { createAdministrator, listAdministrators } = InternalPermissionService.method
  const add = useAction(createAdministrator, {
    done: t.addDone,
    changes: [listAdministrators],
    onError: showError,
    onDone: () =>
      navigate({ to: '/administrators/$place/$userId', params: { place: param, userId: form.values.userId } }),
  })
  const title = place.level === 'instance' ? t.add : t.addMember
  return (
    <FormPage
      title={title}
      parent={{ to: parentPath(place), label: t.parents[place.level] }}
      problems={problems}
      isRunning={add.isRunning}
      onSubmit={form.onSubmit(({ userId, roles }) => add.run({ userId, roles, resource: resourceAt(place) }))}
    >
      <UserSelect
        value={form.values.userId}
        onChange={(userId) => form.setFieldValue('userId', userId)}
        error={form.errors.userId}
        description={t.userElsewhere}
      />
      <RolesField
        level={place.level}
        value={form.values.roles}
        onChange={(roles) => form.setFieldValue('roles', roles)}
        error={form.errors.roles}
      />
    </FormPage>
  )
}
