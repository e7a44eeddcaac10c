/** Filters and sorting of the lists of applications and keys. */
import type { AppQuery } from '../../../contract/gen/signet/app/v1/app_pb.ts'
import {
  type ApplicationKeySearchFilter,
  ApplicationKeysSorting,
  type ApplicationSearchFilter,
  ApplicationSorting,
  ApplicationState,
  ApplicationType,
} from '../../../contract/gen/signet/application/v2/application_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import { type BuiltInField, type Filter, textFilter } from '../../store/index.ts'
import { projects } from '../projects/index.ts'
import type { ApplicationField, ApplicationKeyField } from './documents.ts'
import { agentKind } from './enums.ts'
import { applicationRefusals } from './refusals.ts'

const NONE = { any: [] } as const
const NAME = { folded: 'name', typed: ['typedName'] } as const

/** A job removes the applications of a removed project. Until then they are not listed. */
export const IN_A_PROJECT = {
  field: 'projectId',
  among: { kind: projects, field: 'id', where: { all: [] } },
} as const

function refuseQuery(field: string) {
  const violations = [{ field, description: 'must each have a condition' }]
  return refused(applicationRefusals, 'application.query_invalid', { violations })
}

const STATUS: Readonly<Record<number, string>> = {
  [ApplicationState.ACTIVE]: 'active',
  [ApplicationState.INACTIVE]: 'inactive',
}

const TYPE: Readonly<Record<number, string>> = {
  [ApplicationType.OIDC]: 'oidc',
  [ApplicationType.API]: 'api',
  [ApplicationType.SAML]: 'saml',
}

function oneOf(field: 'status' | 'type', value: string | undefined): Filter<ApplicationField> {
  return value === undefined ? NONE : { field, equals: value }
}

/** One condition of the v2 list of applications as a filter. */
export function applicationFilter({ filter }: ApplicationSearchFilter): Filter<ApplicationField> {
  switch (filter.case) {
    case 'projectIdFilter':
      return { field: 'projectId', equals: filter.value.projectId }
    case 'nameFilter':
      return textFilter(NAME, filter.value.method, filter.value.name)
    case 'stateFilter':
      return oneOf('status', STATUS[filter.value])
    case 'typeFilter':
      return oneOf('type', TYPE[filter.value])
    case 'clientIdFilter':
      return { field: 'clientId', equals: filter.value.clientId }
    case 'entityIdFilter':
      return { field: 'entityId', equals: filter.value.entityId }
    case 'agentClientKindFilter':
      return { field: 'agentKind', equals: agentKind.read(filter.value) }
    case 'organizationIdFilter':
      return { field: 'owner', equals: filter.value.organizationId }
    case undefined:
      throw refuseQuery('filters')
  }
}

/** One condition of the v1 list of applications as a filter. */
export function appFilter({ query }: AppQuery): Filter<ApplicationField> {
  if (query.case === undefined) throw refuseQuery('queries')
  return textFilter(NAME, query.value.method, query.value.name)
}

/** One condition of the v2 list of keys as a filter. */
export function keyFilter({ filter }: ApplicationKeySearchFilter): Filter<ApplicationKeyField> {
  switch (filter.case) {
    case 'applicationIdFilter':
      return { field: 'applicationId', equals: filter.value.applicationId }
    case 'projectIdFilter':
      return { field: 'projectId', equals: filter.value.projectId }
    case 'organizationIdFilter':
      return { field: 'owner', equals: filter.value.organizationId }
    case undefined:
      throw refuseQuery('filters')
  }
}

const APPLICATION_SORTING: Readonly<Record<number, ApplicationField | BuiltInField>> = {
  [ApplicationSorting.APPLICATION_SORT_BY_NAME]: 'name',
  [ApplicationSorting.APPLICATION_SORT_BY_STATE]: 'status',
  [ApplicationSorting.APPLICATION_SORT_BY_CREATION_DATE]: 'createdAt',
  [ApplicationSorting.APPLICATION_SORT_BY_CHANGE_DATE]: 'changedAt',
}

/** The sort field of the v2 list of applications. */
export function applicationSorting(column: ApplicationSorting): ApplicationField | BuiltInField {
  return APPLICATION_SORTING[column] ?? 'id'
}

const KEY_SORTING: Readonly<Record<number, ApplicationKeyField | BuiltInField>> = {
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_PROJECT_ID]: 'projectId',
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_APPLICATION_ID]: 'applicationId',
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_CREATION_DATE]: 'createdAt',
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_ORGANIZATION_ID]: 'owner',
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_EXPIRATION]: 'expiresAt',
}

/** The sort field of the v2 list of keys. */
export function keySorting(column: ApplicationKeysSorting): ApplicationKeyField | BuiltInField {
  return KEY_SORTING[column] ?? 'id'
}
