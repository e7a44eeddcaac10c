/** The page of one administrator in one place: their roles, and how to take them away. */

import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Administrator } from '../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { say } from '../../../../src/kernel/sentences.ts'
import { usePermissions } from '../../access/me.tsx'
import { ActionRow } from '../../parts/action-row.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { nameOf } from './member-columns.tsx'
import { type MemberPlace, memberPermission, ownerOf, parentPath, placeFrom, placeName, resourceAt } from './place.ts'
import { RolesField } from './roles-field.tsx'
import { administratorTexts } from './texts/index.ts'

const { listAdministrators, updateAdministrator, deleteAdministrator } = InternalPermissionService.method

function usePlacePermission(place: MemberPlace, administrator: Administrator | undefined) {
  const { can } = usePermissions()
  const at = {
    organizationId: administrator && ownerOf(administrator),
    projectId: place.level === 'project' ? place.id : undefined,
    grantId: administrator?.resource.case === 'projectGrant' ? administrator.resource.value.id : undefined,
  }
  return (verb: 'write' | 'delete') => can(memberPermission(place.level, verb), at)
}

/** The page. */
export function AdministratorDetailPage() {
  const t = useTexts(administratorTexts)
  const { failure } = useTexts(partsTexts)
  const { place: param, userId } = useParams({ from: '/administrators/$place/$userId' })
  const place = placeFrom(param)
  const { data, error, refetch } = useQuery(listAdministrators, {
    filters: [
      { filter: { case: 'inUserIdsFilter', value: { ids: [userId] } } },
      { filter: { case: 'resource', value: resourceAt(place) } },
    ],
  })
  const administrator = data?.administrators[0]
  const may = usePlacePermission(place, administrator)
  if (error !== null && data === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (data === undefined) return <PageLoader />
  if (administrator === undefined) {
    return (
      <Alert color="red" title={failure.notFoundTitle}>
        {t.notMember}
      </Alert>
    )
  }
  return (
    <DetailPage
      key={`${param} ${userId}`}
      title={nameOf(administrator)}
      subtitle={`${say(t.placeLabel[place.level], { name: placeName(administrator) })} · ${administrator.user?.preferredLoginName}`}
      parent={{ to: parentPath(place), label: t.parents[place.level] }}
      actions={
        <Anchor component={Link} to="/users/$userId" params={{ userId } as never} size="sm">
          {t.openUser}
        </Anchor>
      }
      tabs={[
        {
          value: 'roles',
          label: t.roles,
          content: <RolesTab administrator={administrator} place={place} mayWrite={may('write')} />,
        },
        may('delete') && {
          value: 'danger',
          label: t.removeTab,
          content: <RemoveTab administrator={administrator} place={place} />,
        },
      ]}
    />
  )
}

interface TabProps {
  readonly administrator: Administrator
  readonly place: MemberPlace
}

function RolesTab({ administrator, place, mayWrite }: TabProps & { readonly mayWrite: boolean }) {
  const t = useTexts(administratorTexts)
  const { saved } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { roles: [...administrator.roles] },
    validate: { roles: (roles) => (roles.length === 0 ? t.chooseRole : null) },
    paths: { roles: 'roles' },
    refusals: { 'membership.above_own': 'roles', 'membership.last_owner': 'roles' },
  })
  const save = useAction(updateAdministrator, {
    done: saved,
    changes: [listAdministrators],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const userId = administrator.user?.id ?? ''
  return (
    <FormSection
      title={t.roles}
      description={t.rolesHint}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(({ roles }) => save.run({ userId, roles, resource: resourceAt(place) }))}
    >
      <RolesField
        level={place.level}
        value={form.values.roles}
        onChange={(roles) => form.setFieldValue('roles', roles)}
        error={form.errors.roles}
        isDisabled={!mayWrite}
      />
    </FormSection>
  )
}

function RemoveTab({ administrator, place }: TabProps) {
  const t = useTexts(administratorTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteAdministrator, {
    done: t.removeDone,
    changes: [listAdministrators],
    onDone: () =>
      navigate({ to: parentPath(place), search: (place.level === 'instance' ? {} : { tab: 'members' }) as never }),
  })
  const userId = administrator.user?.id ?? ''
  return (
    <Section title={t.removeTab}>
      <ActionRow label={t.remove} hint={t.removeHint} isDangerous onClick={open} />
      <ConfirmRemove
        name={nameOf(administrator)}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ userId, resource: resourceAt(place) })}
      />
    </Section>
  )
}
