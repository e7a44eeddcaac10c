/** The lists in which things are found by name: one small page of each, filtered by the server, which answers what the caller may read. */
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { createQueryOptions } from '@connectrpc/connect-query'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { TextFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectFieldName } from '../../../contract/gen/signet/project/v2/query_pb.ts'
import { UserFieldName } from '../../../contract/gen/signet/user/v2/query_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { TextQueryMethod as TextQueryMethodV1 } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Permissions } from '../access/permissions.ts'
import { anyNameContains } from '../pages/users/search-query.ts'
import { contactOf, displayNameOf } from '../pages/users/user-names.ts'
import type { Found, FoundGroup } from '../shell/search/found.ts'

/** How many of each kind are shown. */
export const SHOWN = 5

const contains = TextFilterMethod.CONTAINS_IGNORE_CASE

export type ThingGroup = Exclude<FoundGroup, 'pages' | 'settings' | 'guides'>

export interface Thing extends Found {
  readonly id: string
  readonly group: ThingGroup
}

export interface Source {
  readonly group: ThingGroup
  /** Whether the caller can find anything with it. */
  mayAsk(permissions: Permissions, organizationId: string): boolean
  query(transport: Transport, text: string): ReturnType<typeof createQueryOptions>
  read(answer: unknown): readonly Thing[]
}

interface SourceSpec<I extends DescMessage, O extends DescMessage> extends Pick<Source, 'group' | 'mayAsk'> {
  readonly method: DescMethodUnary<I, O>
  request(text: string, isId: boolean): MessageInitShape<I>
  found(answer: MessageShape<O>): readonly Omit<Thing, 'group'>[]
}

/** IDs of objects have 18 digits; lists that find them do so instead of looking at names. */
const ID = /^\d{18}$/

function source<I extends DescMessage, O extends DescMessage>(spec: SourceSpec<I, O>): Source {
  const { group, mayAsk, method, request, found } = spec
  return {
    group,
    mayAsk,
    query: (transport, text) => createQueryOptions(method, request(text, ID.test(text)), { transport }),
    read: (answer) => found(answer as MessageShape<O>).map((one) => ({ ...one, group })),
  }
}

export const SOURCES: readonly Source[] = [
  source({
    group: 'users',
    mayAsk: ({ canSomewhere }) => canSomewhere('user.read'),
    method: UserService.method.listUsers,
    request: (text) => ({
      query: { limit: SHOWN, asc: true },
      sortingColumn: UserFieldName.DISPLAY_NAME,
      queries: [anyNameContains(text)],
    }),
    found: ({ result }) =>
      result.map((user) => ({
        key: `user ${user.userId}`,
        id: user.userId,
        label: displayNameOf(user),
        detail: contactOf(user),
        icon: user.type.case === 'machine' ? ('machine' as const) : ('person' as const),
        to: `/users/${user.userId}`,
      })),
  }),
  source({
    group: 'organizations',
    mayAsk: ({ canSomewhere }) => canSomewhere('org.read'),
    method: OrganizationService.method.listOrganizations,
    request: (text, isId) => ({
      query: { limit: SHOWN, asc: true },
      sortingColumn: OrganizationFieldName.NAME,
      queries: [
        isId
          ? ({ query: { case: 'idQuery', value: { id: text } } } as const)
          : ({
              query: { case: 'nameQuery', value: { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE } },
            } as const),
      ],
    }),
    found: ({ result }) =>
      result.map(({ id, name, primaryDomain }) => ({
        key: `organization ${id}`,
        id,
        label: name,
        detail: primaryDomain,
        icon: 'organization' as const,
        to: `/organizations/${id}`,
      })),
  }),
  source({
    group: 'projects',
    mayAsk: ({ canSomewhere }) => canSomewhere('project.read'),
    method: ProjectService.method.listProjects,
    request: (text, isId) => ({
      pagination: { limit: SHOWN, asc: true },
      sortingColumn: ProjectFieldName.NAME,
      filters: [
        isId
          ? ({ filter: { case: 'inProjectIdsFilter', value: { ids: [text] as string[] } } } as const)
          : ({ filter: { case: 'projectNameFilter', value: { projectName: text, method: contains } } } as const),
      ],
    }),
    found: ({ projects }) =>
      projects
        // A project that is granted is in the list once more for each grant.
        .filter(({ projectId }, at) => projects.findIndex((one) => one.projectId === projectId) === at)
        .map(({ projectId, name }) => ({
          key: `project ${projectId}`,
          id: projectId,
          label: name,
          detail: '',
          icon: 'project' as const,
          to: `/projects/${projectId}`,
        })),
  }),
  source({
    group: 'applications',
    mayAsk: ({ canSomewhere }) => canSomewhere('project.app.read'),
    method: ApplicationService.method.listApplications,
    request: (text, isId) => ({
      pagination: { limit: SHOWN, asc: true },
      filters: [
        isId
          ? ({ filter: { case: 'clientIdFilter', value: { clientId: text } } } as const)
          : ({ filter: { case: 'nameFilter', value: { name: text, method: contains } } } as const),
      ],
    }),
    found: ({ applications }) =>
      applications.map(({ applicationId, projectId, name, configuration }) => ({
        key: `application ${applicationId}`,
        id: applicationId,
        label: name,
        detail:
          configuration.case === 'samlConfiguration'
            ? configuration.value.entityId
            : (configuration.value?.clientId ?? ''),
        icon: 'screen' as const,
        to: `/projects/${projectId}/applications/${applicationId}`,
      })),
  }),
  source({
    group: 'providers',
    // Those of the instance, and those of the organization that is chosen in the header: no list has those of all.
    mayAsk: ({ can }, organizationId) => can('org.idp.read', { organizationId }),
    method: ManagementService.method.listProviders,
    request: (text, isId) => ({
      query: { limit: SHOWN, asc: true },
      queries: [
        isId
          ? ({ query: { case: 'idpIdQuery', value: { id: text } } } as const)
          : ({
              query: { case: 'idpNameQuery', value: { name: text, method: TextQueryMethodV1.CONTAINS_IGNORE_CASE } },
            } as const),
      ],
    }),
    found: ({ result }) =>
      result.map(({ id, name }) => ({
        key: `provider ${id}`,
        id,
        label: name,
        detail: '',
        icon: 'provider' as const,
        to: `/identity-providers/${id}`,
      })),
  }),
]
