/** The clients that organizations approved for all of their users, and the end of that. */
import { useQuery } from '@connectrpc/connect-query'
import { Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import {
  AgentAccessService,
  type AgentApproval,
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
import { ClientCell, nameOf, ResourceCell, ScopesCell } from './client.tsx'
import { AGENT_LIST } from './list-spec.ts'
import { agentTexts } from './texts/index.ts'

const { listAgentAccess, listAgentApprovals, withdrawAgentApproval } = AgentAccessService.method

function useColumns(isAll: boolean): [Column<AgentApproval>, ...Column<AgentApproval>[]] {
  const t = useTexts(agentTexts)
  const organization: Column<AgentApproval> = {
    key: 'organization',
    header: t.organization,
    cell: ({ organizationName }) => <Text size="sm">{organizationName}</Text>,
  }
  return [
    {
      key: 'client',
      header: t.client,
      cell: (approval) => (
        <>
          <ClientCell client={approval} />
          {approval.projectId === '' && (
            <Text size="xs" c="dimmed">
              {t.approvals.unusable}
            </Text>
          )}
        </>
      ),
    },
    ...(isAll ? [organization] : []),
    { key: 'resource', header: t.resource, cell: ({ resource }) => <ResourceCell resource={resource} /> },
    { key: 'scopes', header: t.scopes, cell: ({ scopes }) => <ScopesCell scopes={scopes} /> },
    { key: 'since', header: t.approvals.since, cell: ({ changeDate }) => <When time={changeDate} /> },
    { key: 'actions', header: t.actions, cell: (approval) => <WithdrawButton approval={approval} /> },
  ]
}

/** The page: of the chosen organization, or of all that the user may read. */
export function AgentApprovalsPage() {
  const t = useTexts(agentTexts)
  const { organizationId } = useOrganization()
  const columns = useColumns(organizationId === undefined)
  const state = useListState(AGENT_LIST)
  const found = useQuery(
    listAgentApprovals,
    { organizationId: organizationId ?? '', pagination: { offset: state.offset, limit: state.limit, asc: true } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack>
      <AreaLinks area="/agents" />
      <ListPage
        title={t.approvals.title}
        description={t.approvals.description}
        state={state}
        columns={columns}
        list={rowsAt(found, ({ approvals }) => approvals)}
        keyOf={({ organizationId: of, applicationId, resource }) => `${of} ${applicationId} ${resource}`}
        empty={<Text>{t.approvals.empty}</Text>}
      />
    </Stack>
  )
}

function WithdrawButton({ approval }: { readonly approval: AgentApproval }) {
  const t = useTexts(agentTexts)
  const { can } = usePermissions()
  const [isOpen, { open, close }] = useDisclosure()
  const withdraw = useAction(withdrawAgentApproval, {
    done: t.approvals.withdrawDone,
    changes: [listAgentApprovals, listAgentAccess],
  })
  const { organizationId, applicationId, resource } = approval
  if (!can('policy.write', { organizationId })) return null
  return (
    <>
      <RowButton label={t.approvals.withdraw} of={nameOf(approval)} onClick={open} />
      <ConfirmEnd
        title={t.approvals.withdrawTitle({ client: nameOf(approval) })}
        text={t.approvals.withdrawText}
        button={t.approvals.withdraw}
        isOpen={isOpen}
        isRunning={withdraw.isRunning}
        onClose={close}
        onConfirm={() => withdraw.run({ organizationId, applicationId, resource })}
      />
    </>
  )
}
