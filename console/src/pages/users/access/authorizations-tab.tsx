/** The roles of projects that a user holds. */
import { useQuery } from '@connectrpc/connect-query'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Authorization, State } from '../../../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import { AuthorizationService } from '../../../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { usePermissions } from '../../../access/me.tsx'
import { EditButton } from '../../../parts/edit-button.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { StateBadge } from '../../../parts/state-badge.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { GroupLink } from '../../groups/list.tsx'
import { AuthorizationDialog } from './authorization-dialog.tsx'
import { accessTexts } from './texts/index.ts'

const { listAuthorizations, deleteAuthorization } = AuthorizationService.method

/** Who has the authorizations. */
export type AuthorizationHolder = { readonly userId: string } | { readonly groupId: string }

function filterOf(holder: AuthorizationHolder) {
  const [name, id] =
    'userId' in holder ? (['inUserIds', holder.userId] as const) : (['inGroupIds', holder.groupId] as const)
  return { case: name, value: { ids: [id] } }
}

function throughOf({ group }: Authorization) {
  return group === undefined ? '–' : <GroupLink id={group.id} name={group.name} />
}

/** The tab. */
export function AuthorizationsTab(holder: AuthorizationHolder) {
  const t = useTexts(accessTexts)
  const { can, canSomewhere } = usePermissions()
  const [dialog, setDialog] = useState<Authorization | 'new'>()
  const { data, error, refetch } = useQuery(listAuthorizations, {
    pagination: { limit: 1000, asc: true },
    filters: [{ filter: filterOf(holder) }],
  })
  const remove = useAction(deleteAuthorization, { done: t.authorizations.removed, changes: [listAuthorizations] })
  const placeOf = ({ organization, project }: Authorization) => ({
    organizationId: organization?.id,
    projectId: project?.id,
  })
  const words = 'userId' in holder ? t.authorizations : t.authorizations.ofGroup
  // What a user has through a group is changed at the group.
  const isOwn = ({ group }: Authorization) => 'groupId' in holder || group === undefined
  const nameOf = ({ project, id }: Authorization) => project?.name || id
  return (
    <Section title={t.authorizations.title} description={words.hint}>
      <ItemList
        label={t.authorizations.title}
        list={{ rows: data?.authorizations, error, refetch }}
        keyOf={({ id }) => id}
        textOf={(one) => `${nameOf(one)} ${one.organization?.name}`}
        empty={words.empty}
        columns={[
          { key: 'project', header: t.authorizations.project, cell: nameOf },
          { key: 'organization', header: t.authorizations.organization, cell: (one) => one.organization?.name },
          ...('userId' in holder ? [{ key: 'through', header: t.authorizations.through, cell: throughOf }] : []),
          { key: 'roles', header: t.roles, cell: ({ roles }) => <Roles keys={roles.map(({ key }) => key)} /> },
          { key: 'state', header: t.authorizations.state, cell: ({ state }) => <AuthorizationState state={state} /> },
        ]}
        actions={(one) => (
          <>
            {isOwn(one) && can('user.grant.write', placeOf(one)) && (
              <EditButton label={t.edit({ name: nameOf(one) })} onClick={() => setDialog(one)} />
            )}
            {isOwn(one) && can('user.grant.delete', placeOf(one)) && (
              <RemoveButton
                name={nameOf(one)}
                consequence={words.consequence}
                isRunning={remove.isRunning}
                onConfirm={() => remove.run({ id: one.id })}
              />
            )}
          </>
        )}
      />
      {canSomewhere('user.grant.write') && (
        <Group justify="flex-end">
          <Button onClick={() => setDialog('new')}>{t.authorizations.add}</Button>
        </Group>
      )}
      {dialog !== undefined && (
        <AuthorizationDialog
          holder={holder}
          {...(dialog !== 'new' && { edited: dialog })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Section>
  )
}

/** Role keys as badges. */
export function Roles({ keys }: { readonly keys: readonly string[] }) {
  const t = useTexts(accessTexts)
  if (keys.length === 0) return <Text c="dimmed">{t.noRoles}</Text>
  return (
    <Group gap={4}>
      {keys.map((key) => (
        <Badge key={key} variant="default" tt="none" radius="sm" fw={500}>
          {key}
        </Badge>
      ))}
    </Group>
  )
}

function AuthorizationState({ state }: { readonly state: State }) {
  const { states } = useTexts(accessTexts).authorizations
  if (state === State.INACTIVE) return <StateBadge mood="stopped" label={states.inactive} />
  return <StateBadge mood="good" label={states.active} />
}
