/** The roles with which a user administers this server, an organization or a project. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Administrator } from '../../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { usePermissions } from '../../../access/me.tsx'
import type { Permission, Permissions } from '../../../access/permissions.ts'
import { EditButton } from '../../../parts/edit-button.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { Roles } from './authorizations-tab.tsx'
import { MembershipDialog } from './membership-dialog.tsx'
import { resourceOf } from './resources.ts'
import type { AccessTexts } from './texts/en.ts'
import { accessTexts } from './texts/index.ts'

const { listAdministrators, deleteAdministrator } = InternalPermissionService.method

interface MembershipsTabProps {
  readonly userId: string
  readonly organizationId: string
}

function nameOf({ resource }: Administrator, t: AccessTexts): string {
  switch (resource.case) {
    case 'organization':
      return t.memberships.organization({ name: resource.value.name })
    case 'project':
      return t.memberships.project({ name: resource.value.name })
    case 'projectGrant':
      return t.memberships.grant({ name: resource.value.projectName })
    default:
      return t.memberships.instance
  }
}

const PERMISSIONS = {
  instance: 'iam.member',
  organization: 'org.member',
  project: 'project.member',
  projectGrant: 'project.grant.member',
} as const

function mayChange({ can }: Permissions, { resource }: Administrator, verb: 'write' | 'delete'): boolean {
  const permission = `${PERMISSIONS[resource.case ?? 'instance']}.${verb}` as Permission
  switch (resource.case) {
    case 'organization':
      return can(permission, { organizationId: resource.value.id })
    case 'project':
      return can(permission, { projectId: resource.value.id, organizationId: resource.value.organizationId })
    case 'projectGrant':
      return can(permission, { grantId: resource.value.id, organizationId: resource.value.organizationId })
    default:
      return can(permission)
  }
}

/** The tab. */
export function MembershipsTab({ userId, organizationId }: MembershipsTabProps) {
  const t = useTexts(accessTexts)
  const permissions = usePermissions()
  const [dialog, setDialog] = useState<Administrator | 'new'>()
  const { data, error, refetch } = useQuery(listAdministrators, {
    pagination: { limit: 1000, asc: true },
    filters: [{ filter: { case: 'inUserIdsFilter', value: { ids: [userId] } } }],
  })
  const remove = useAction(deleteAdministrator, { done: t.memberships.removed, changes: [listAdministrators] })
  const mayAdd = permissions.can('iam.member.write') || permissions.can('org.member.write', { organizationId })
  return (
    <Section title={t.memberships.title} description={t.memberships.hint}>
      <ItemList
        label={t.memberships.title}
        list={{ rows: data?.administrators, error, refetch }}
        keyOf={(one) => JSON.stringify(resourceOf(one))}
        textOf={(one) => `${nameOf(one, t)} ${one.roles.join(' ')}`}
        empty={t.memberships.empty}
        columns={[
          { key: 'resource', header: t.memberships.resource, cell: (one) => nameOf(one, t) },
          { key: 'roles', header: t.roles, cell: ({ roles }) => <Roles keys={roles} /> },
        ]}
        actions={(one) => (
          <>
            {mayChange(permissions, one, 'write') && (
              <EditButton label={t.edit({ name: nameOf(one, t) })} onClick={() => setDialog(one)} />
            )}
            {mayChange(permissions, one, 'delete') && (
              <RemoveButton
                name={nameOf(one, t)}
                consequence={t.memberships.consequence}
                isRunning={remove.isRunning}
                onConfirm={() => remove.run({ userId, resource: resourceOf(one) })}
              />
            )}
          </>
        )}
      />
      {mayAdd && (
        <Group justify="flex-end">
          <Button onClick={() => setDialog('new')}>{t.memberships.add}</Button>
        </Group>
      )}
      {dialog !== undefined && (
        <MembershipDialog
          userId={userId}
          organizationId={organizationId}
          {...(dialog !== 'new' && { edited: dialog, name: nameOf(dialog, t) })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Section>
  )
}
