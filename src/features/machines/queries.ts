/** Filters and sorting of the v2 lists of tokens and keys, which have the same conditions. */
import type { IDFilter, TimestampFilter } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import { instantOf } from '../../module/instants.ts'
import type { Filter } from '../../store/index.ts'
import { machineRefusals } from './refusals.ts'

type CredentialField = 'userId' | 'expiresAt'

/** One condition: the oneof of the filter messages of both lists. */
type CredentialFilter =
  | { case: 'keyIdFilter' | 'tokenIdFilter' | 'userIdFilter' | 'organizationIdFilter'; value: IDFilter }
  | { case: 'createdDateFilter' | 'expirationDateFilter'; value: TimestampFilter }
  | { case: undefined; value?: undefined }

function refuseFilter(description: string) {
  return refused(machineRefusals, 'machine.query_invalid', { violations: [{ field: 'filters', description }] })
}

function timeFilter(field: 'createdAt' | 'expiresAt', filter: TimestampFilter): Filter<CredentialField> {
  if (filter.timestamp === undefined) throw refuseFilter('must each have a timestamp')
  const time = instantOf(filter.timestamp)
  switch (filter.method) {
    case TimestampFilterMethod.EQUALS:
      return { field, equals: time }
    case TimestampFilterMethod.AFTER:
      return { field, above: time }
    case TimestampFilterMethod.AFTER_OR_EQUALS:
      return { field, atLeast: time }
    case TimestampFilterMethod.BEFORE:
      return { field, below: time }
    case TimestampFilterMethod.BEFORE_OR_EQUALS:
      return { field, atMost: time }
    default:
      throw refuseFilter('must use a defined comparison method')
  }
}

/** One condition as a filter. */
export function credentialFilter(filter: CredentialFilter): Filter<CredentialField> {
  switch (filter.case) {
    case 'keyIdFilter':
    case 'tokenIdFilter':
      return { field: 'id', equals: filter.value.id }
    case 'userIdFilter':
      return { field: 'userId', equals: filter.value.id }
    case 'organizationIdFilter':
      return { field: 'owner', equals: filter.value.id }
    case 'createdDateFilter':
      return timeFilter('createdAt', filter.value)
    case 'expirationDateFilter':
      return timeFilter('expiresAt', filter.value)
    case undefined:
      throw refuseFilter('must each have a condition')
  }
}

/** The credentials that the caller may read: those of users of some organizations, and always the caller's own. */
export function visibleTo(call: Call): readonly Filter<CredentialField>[] {
  const owners = call.visibleOwners()
  if (owners === 'all') return []
  return [
    {
      any: [
        { field: 'owner', in: owners },
        { field: 'userId', equals: call.caller.userId },
      ],
    },
  ]
}

/** Columns by their number in the contract, the same for tokens and keys. */
const SORTING = ['createdAt', 'createdAt', 'id', 'userId', 'owner', 'expiresAt'] as const

/** The sort field of a list; by default the creation date. */
export function sortingOf(column: number | undefined) {
  return SORTING[column ?? 0] ?? 'createdAt'
}
