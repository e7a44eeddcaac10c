/** The list of the applications of a project, or of all projects of an organization. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  AgentClientKind,
  type Application,
  ApplicationSorting,
  ApplicationState,
  ApplicationType,
} from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import {
  ApplicationService,
  type ListApplicationsRequestSchema,
} from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Column } from '../../parts/list-page.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ClientKind } from '../agents/client.tsx'
import { agentTexts } from '../agents/texts/index.ts'
import { clientIdOf, kindOf } from '../applications/kinds.ts'
import { applicationTexts } from '../applications/texts/index.ts'
import { APPLICATION_LIST } from './list-spec.ts'
import { ActiveBadge } from './project-state.tsx'
import { projectTexts } from './texts/index.ts'

const SORTS = {
  name: ApplicationSorting.APPLICATION_SORT_BY_NAME,
  created: ApplicationSorting.APPLICATION_SORT_BY_CREATION_DATE,
  changed: ApplicationSorting.APPLICATION_SORT_BY_CHANGE_DATE,
} as const

const STATES = { active: ApplicationState.ACTIVE, inactive: ApplicationState.INACTIVE } as const

const AGENTS = {
  document: AgentClientKind.METADATA_DOCUMENT,
  registered: AgentClientKind.DYNAMIC_REGISTRATION,
} as const

const TYPES = { oidc: ApplicationType.OIDC, api: ApplicationType.API, saml: ApplicationType.SAML } as const

function useColumns(): [Column<Application>, ...Column<Application>[]] {
  const t = useTexts(projectTexts)
  const { kinds } = useTexts(applicationTexts)
  return [
    { key: 'name', header: t.name, sort: 'name', cell: (application) => <ApplicationLink application={application} /> },
    {
      key: 'kind',
      header: t.kind,
      cell: (one) => (
        <Group gap="xs">
          <Text size="sm">{kinds[kindOf(one)].name}</Text>
          <ClientKind kind={one.agentClientKind} />
        </Group>
      ),
    },
    {
      key: 'clientId',
      header: t.clientId,
      cell: (one) => (
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {clientIdOf(one)}
        </Text>
      ),
    },
    {
      key: 'state',
      header: t.state,
      cell: ({ state }) => <ActiveBadge isActive={state === ApplicationState.ACTIVE} />,
    },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
  ]
}

type Scope = NonNullable<MessageInitShape<typeof ListApplicationsRequestSchema>['filters']>[number]

/** What the list shows, but for its title and what can be done with it. Without a scope, all that the caller may read. */
export function useApplications(scope: Scope | undefined) {
  const t = useTexts(projectTexts)
  const { kinds: agents } = useTexts(agentTexts)
  const columns = useColumns()
  const state = useListState(APPLICATION_LIST)
  const { state: shownState, type, agent } = state.filters
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    ApplicationService.method.listApplications,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        ...(scope ? [scope] : []),
        ...(state.q ? [{ filter: { case: 'nameFilter', value: { name: state.q, method } } } as const] : []),
        ...(shownState ? [{ filter: { case: 'stateFilter', value: STATES[shownState] } } as const] : []),
        ...(type ? [{ filter: { case: 'typeFilter', value: TYPES[type] } } as const] : []),
        ...(agent ? [{ filter: { case: 'agentClientKindFilter', value: AGENTS[agent] } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  const filters = [
    {
      name: 'state',
      label: t.state,
      options: APPLICATION_LIST.filters.state.map((value) => ({ value, label: t.states[value] })),
    },
    {
      name: 'type',
      label: t.kind,
      options: APPLICATION_LIST.filters.type.map((value) => ({ value, label: t.types[value] })),
    },
    {
      name: 'agent',
      label: t.withoutSetup,
      options: APPLICATION_LIST.filters.agent.map((value) => ({ value, label: agents[value] })),
    },
  ] as const
  return {
    state,
    searchLabel: t.name,
    filters,
    columns,
    list: rowsAt(found, ({ applications }) => applications),
    keyOf: ({ applicationId }: Application) => applicationId,
    empty: <Text>{t.noApplications}</Text>,
  }
}

function ApplicationLink({ application: { projectId, applicationId, name } }: { readonly application: Application }) {
  return (
    <Anchor
      component={Link}
      to="/projects/$projectId/applications/$applicationId"
      params={{ projectId, applicationId } as never}
      size="sm"
      fw={500}
    >
      {name}
    </Anchor>
  )
}
