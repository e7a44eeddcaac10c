/** Which clients that nobody prepared have access to whose account: remove it, or approve the client for everyone. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type AgentAccess,
  AgentAccessService,
} from '../../../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { ConfirmEnd } from '../../parts/confirm-end.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { ClientCell, nameOf, ResourceCell, ScopesCell } from './client.tsx'
import { AGENT_LIST } from './list-spec.ts'
import { approvable } from './scopes.ts'
import { agentTexts } from './texts/index.ts'

const { listAgentAccess, removeAgentAccess } = AgentAccessService.method

function useColumns(isAll: boolean): [Column<AgentAccess>, ...Column<AgentAccess>[]] {
  const t = useTexts(agentTexts)
  const organization: Column<AgentAccess> = {
    key: 'organization',
    header: t.organization,
    cell: ({ organizationName }) => <Text size="sm">{organizationName}</Text>,
  }
  return [
    { key: 'client', header: t.client, cell: (access) => <ClientCell client={access} /> },
    { key: 'user', header: t.user, cell: (access) => <UserLink access={access} /> },
    ...(isAll ? [organization] : []),
    { key: 'resource', header: t.resource, cell: ({ resource }) => <ResourceCell resource={resource} /> },
    { key: 'scopes', header: t.scopes, cell: ({ scopes }) => <ScopesCell scopes={scopes} /> },
    { key: 'firstUse', header: t.firstUse, cell: ({ firstUseDate }) => <When time={firstUseDate} /> },
    { key: 'lastUse', header: t.lastUse, cell: ({ lastUseDate }) => <When time={lastUseDate} /> },
    { key: 'actions', header: t.actions, cell: (access) => <AccessActions access={access} /> },
  ]
}

/** The page: of the chosen organization, or of all that the user may read. */
export function AgentAccessPage() {
  const t = useTexts(agentTexts)
  const { organizationId } = useOrganization()
  const columns = useColumns(organizationId === undefined)
  const state = useListState(AGENT_LIST)
  const found = useQuery(
    listAgentAccess,
    { organizationId: organizationId ?? '', pagination: { offset: state.offset, limit: state.limit, asc: true } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack>
      <AreaLinks area="/agents" />
      <ListPage
        title={t.access.title}
        description={t.access.description}
        state={state}
        columns={columns}
        list={rowsAt(found, ({ access }) => access)}
        keyOf={({ userId, applicationId, resource, firstUseDate }) =>
          [userId, applicationId, resource, firstUseDate?.seconds, firstUseDate?.nanos].join(' ')
        }
        empty={<Text>{t.access.empty}</Text>}
      />
    </Stack>
  )
}

function UserLink({ access: { userId, userName } }: { readonly access: AgentAccess }) {
  return (
    <Anchor component={Link} to="/users/$userId" params={{ userId } as never} size="sm">
      {userName}
    </Anchor>
  )
}

function AccessActions({ access }: { readonly access: AgentAccess }) {
  const t = useTexts(agentTexts)
  const { can } = usePermissions()
  const [isRemoving, removing] = useDisclosure()
  const [isApproving, approving] = useDisclosure()
  const remove = useAction(removeAgentAccess, { done: t.access.removeDone, changes: [listAgentAccess] })
  const { userId, userName, applicationId, organizationId, resource } = access
  const place = { organizationId }
  const of = `${nameOf(access)}, ${userName}`
  const mayApprove = can('policy.write', place) && resource !== '' && approvable(access.scopes).length > 0
  return (
    <Group gap="xs">
      {mayApprove && <RowButton label={t.access.approve} of={of} onClick={approving.open} />}
      {can('user.write', place) && <RowButton label={t.access.remove} of={of} onClick={removing.open} />}
      <ConfirmEnd
        title={t.access.removeTitle({ client: nameOf(access), user: userName })}
        text={t.access.removeText}
        button={t.access.remove}
        isOpen={isRemoving}
        isRunning={remove.isRunning}
        onClose={removing.close}
        onConfirm={() => remove.run({ userId, applicationId })}
      />
      {isApproving && <ApproveDialog access={access} onClose={approving.close} />}
    </Group>
  )
}
