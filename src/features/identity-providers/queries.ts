/** Converts queries of the v1 services to filters of the kind `identity-provider`. */
import {
  IDPFieldName,
  type IDPIDQuery,
  type IDPNameQuery,
  IDPOwnerType,
  type IDPOwnerTypeQuery,
} from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { type Filter, textFilter } from '../../store/index.ts'
import type { ProviderField } from './documents.ts'

/** The oneof of all list queries. */
export interface ProviderQuery {
  readonly query:
    | { readonly case: 'idpIdQuery'; readonly value: IDPIDQuery }
    | { readonly case: 'idpNameQuery'; readonly value: IDPNameQuery }
    | { readonly case: 'ownerTypeQuery'; readonly value: IDPOwnerTypeQuery }
    | { readonly case: undefined; readonly value?: undefined }
}

const NONE: Filter<ProviderField> = { any: [] }
const ALL: Filter<ProviderField> = { all: [] }

function ownerFilter(ownerType: IDPOwnerType, instanceId: string): Filter<ProviderField> {
  const ofInstance: Filter<ProviderField> = { field: 'owner', equals: instanceId }
  switch (ownerType) {
    case IDPOwnerType.IDP_OWNER_TYPE_SYSTEM:
      return ofInstance
    case IDPOwnerType.IDP_OWNER_TYPE_ORG:
      return { not: ofInstance }
    default:
      return ALL
  }
}

/** One condition of a list as a filter. */
export function filterOf({ query }: ProviderQuery, instanceId: string): Filter<ProviderField> {
  switch (query.case) {
    case 'idpIdQuery':
      return { field: 'id', equals: query.value.id }
    case 'idpNameQuery':
      return textFilter({ folded: 'name', typed: ['typedName'] }, query.value.method, query.value.name)
    case 'ownerTypeQuery':
      return ownerFilter(query.value.ownerType, instanceId)
    case undefined:
      return NONE
  }
}

/** The sort field of a list; by default the creation date. */
export function sortingOf(column: IDPFieldName): ProviderField | 'createdAt' {
  return column === IDPFieldName.IDP_FIELD_NAME_NAME ? 'name' : 'createdAt'
}
