/** Converts the queries of the v1 and v2 services to filters of the kind `user`. Both have the same conditions. */
import { ByteFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { SearchQuery as SearchQueryV1 } from '../../../contract/gen/signet/user/v1/query_pb.ts'
import { Type as TypeV1, UserState as UserStateV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { SearchQuery as SearchQueryV2 } from '../../../contract/gen/signet/user/v2/query_pb.ts'
import { UserState as UserStateV2 } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Filter, type SearchableText, textFilter } from '../../store/index.ts'
import { METADATA_KEY, type MetadataField, userMetadata } from '../metadata/index.ts'
import { lockedAt } from '../verifications/index.ts'
import type { UserField } from './documents.ts'
import { userRefusals } from './refusals.ts'
import type { UserStatus } from './state.ts'

type SearchQuery = SearchQueryV1 | SearchQueryV2
type States = Readonly<Record<number, UserStatus>>

const STATES_V1: States = {
  [UserStateV1.ACTIVE]: 'active',
  [UserStateV1.INACTIVE]: 'inactive',
  [UserStateV1.LOCKED]: 'locked',
  [UserStateV1.INITIAL]: 'initial',
}

const STATES_V2: States = {
  [UserStateV2.ACTIVE]: 'active',
  [UserStateV2.INACTIVE]: 'inactive',
  [UserStateV2.LOCKED]: 'locked',
  [UserStateV2.INITIAL]: 'initial',
}

const USER_NAME: SearchableText<UserField> = { folded: 'userName', typed: ['typedUserName'] }
const FIRST_NAME: SearchableText<UserField> = { folded: 'firstName', typed: ['typedFirstName'] }
const LAST_NAME: SearchableText<UserField> = { folded: 'lastName', typed: ['typedLastName'] }
const NICK_NAME: SearchableText<UserField> = { folded: 'nickName', typed: ['typedNickName'] }
const DISPLAY_NAME: SearchableText<UserField> = {
  folded: 'displayName',
  typed: ['typedDisplayName', 'typedMachineName'],
}
const EMAIL: SearchableText<UserField> = { folded: 'email', typed: ['typedEmail'] }
const PHONE: SearchableText<UserField> = { folded: 'phone', typed: ['phone'] }

const MAX_DEPTH = 15
const MAX_QUERIES = 100
const NO_USER: Filter<UserField> = { any: [] }

function refuseQuery(description: string) {
  return refused(userRefusals, 'user.query_invalid', { violations: [{ field: 'queries', description }] })
}

type MetadataCase = 'metadataKeyFilter' | 'metadataValueFilter'
type MetadataQuery = Extract<SearchQueryV2['query'], { case: MetadataCase }>

function isMetadata(query: SearchQuery['query']): query is MetadataQuery {
  return query.case === 'metadataKeyFilter' || query.case === 'metadataValueFilter'
}

/** Users with one entry that matches all of these conditions: a key and a value together refer to the same entry. */
function metadataFilter(queries: readonly MetadataQuery[]): Filter<UserField> {
  const conditions = queries.map((query): Filter<MetadataField> => {
    if (query.case === 'metadataKeyFilter') return textFilter(METADATA_KEY, query.value.method, query.value.key)
    const equals = Buffer.from(query.value.value).toString('base64')
    const isValue: Filter<MetadataField> = { field: 'value', equals }
    return query.value.method === ByteFilterMethod.NOT_EQUALS ? { not: isValue } : isValue
  })
  return { field: 'id', among: { kind: userMetadata, field: 'userId', where: { all: conditions } } }
}

/** Users who read as having this status: those whom wrong attempts have locked read as locked while that lasts. */
function statusFilter(status: UserStatus, at: Instant): Filter<UserField> {
  const own: Filter<UserField> = { field: 'status', equals: status }
  if (status === 'inactive') return own
  if (status !== 'locked') return { all: [own, { not: lockedAt(at) }] }
  return { any: [own, { all: [{ field: 'status', in: ['active', 'initial'] }, lockedAt(at)] }] }
}

/** Translates conditions that must all match. */
function translator(states: States, at: Instant): (queries: readonly SearchQuery[]) => readonly Filter<UserField>[] {
  let count = 0

  const translateAll = (queries: readonly SearchQuery[], depth = 1): readonly Filter<UserField>[] => {
    const metadata = queries.flatMap(({ query }) => (isMetadata(query) ? [query] : []))
    count += metadata.length
    const others = queries.filter(({ query }) => !isMetadata(query)).map((query) => translate(query, depth))
    return metadata.length === 0 ? others : [...others, metadataFilter(metadata)]
  }

  const translate = ({ query }: SearchQuery, depth = 1): Filter<UserField> => {
    if (depth > MAX_DEPTH) throw refuseQuery(`must not be nested deeper than ${MAX_DEPTH}`)
    if (++count > MAX_QUERIES) throw refuseQuery(`must not have more than ${MAX_QUERIES} conditions`)
    switch (query.case) {
      case 'metadataKeyFilter':
      case 'metadataValueFilter':
        return metadataFilter([query])
      case 'userNameQuery':
        return textFilter(USER_NAME, query.value.method, query.value.userName)
      case 'loginNameQuery':
        return textFilter(USER_NAME, query.value.method, query.value.loginName)
      case 'firstNameQuery':
        return textFilter(FIRST_NAME, query.value.method, query.value.firstName)
      case 'lastNameQuery':
        return textFilter(LAST_NAME, query.value.method, query.value.lastName)
      case 'nickNameQuery':
        return textFilter(NICK_NAME, query.value.method, query.value.nickName)
      case 'displayNameQuery':
        return textFilter(DISPLAY_NAME, query.value.method, query.value.displayName)
      case 'emailQuery':
        return textFilter(EMAIL, query.value.method, query.value.emailAddress)
      case 'phoneQuery':
        return textFilter(PHONE, query.value.method, query.value.number)
      case 'stateQuery': {
        const status = states[query.value.state]
        return status === undefined ? NO_USER : statusFilter(status, at)
      }
      case 'typeQuery':
        if (query.value.type === TypeV1.UNSPECIFIED) return NO_USER
        return { field: 'type', equals: query.value.type === TypeV1.HUMAN ? 'human' : 'machine' }
      case 'inUserIdsQuery':
        return { field: 'id', in: query.value.userIds }
      case 'inUserEmailsQuery':
        return { field: 'email', in: query.value.userEmails.map(searchText) }
      case 'organizationIdQuery':
        return { field: 'owner', equals: query.value.organizationId }
      case 'orQuery':
        return { any: query.value.queries.map((inner) => translate(inner, depth + 1)) }
      case 'andQuery':
        return { all: translateAll(query.value.queries, depth + 1) }
      case 'notQuery':
        if (query.value.query === undefined) throw refuseQuery('must contain a query to negate')
        return { not: translate(query.value.query, depth + 1) }
      case undefined:
        throw refuseQuery('must each have a condition')
    }
  }
  return (queries) => translateAll(queries)
}

/** All conditions of a v1 list, each as a filter. */
export function filtersOfV1(queries: readonly SearchQueryV1[], at: Instant) {
  return translator(STATES_V1, at)(queries)
}

/** All conditions of a v2 list, each as a filter. */
export function filtersOfV2(queries: readonly SearchQueryV2[], at: Instant) {
  return translator(STATES_V2, at)(queries)
}

/** Columns by their number in the contract, the same in v1 and v2. */
const SORTING = [
  'createdAt',
  'userName',
  'firstName',
  'lastName',
  'nickName',
  'displayName',
  'email',
  'status',
  'type',
  'createdAt',
] as const

/** The sort field of a list; by default the creation date. */
export function sortingOf(column: number): UserField | 'createdAt' {
  return SORTING[column] ?? 'createdAt'
}
