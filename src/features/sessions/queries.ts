/**
 * Lists of sessions: converts queries to filters, selects the sessions that the caller may read, and reads their users.
 */
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { SearchQuery } from '../../../contract/gen/signet/session/v2/session_pb.ts'
import { TimestampQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Caller } from '../../access/call.ts'
import { ownersWith } from '../../access/roles.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { instantOf } from '../../module/instants.ts'
import type { Document, Filter, Page, Query } from '../../store/index.ts'
import { type User, users } from '../users/index.ts'
import { type SessionField, sessions } from './documents.ts'
import type { OpenSession } from './state.ts'

type SessionFilter = Filter<SessionField>

const NOTHING: SessionFilter = { any: [] }

/** Every open session has an expiration; ended ones have none. */
const IS_OPEN: SessionFilter = { field: 'endsAt', atLeast: 0 }

/**
 * Sessions that have not ended and meet all conditions. Ended ones have none of the fields, so only conditions on
 * something else have to leave them out.
 */
export function openSessions(conditions: readonly SessionFilter[]): SessionFilter {
  return { all: conditions.some(isOnField) ? conditions : [IS_OPEN, ...conditions] }
}

function isOnField(filter: SessionFilter): boolean {
  if ('any' in filter) return filter.any.every(isOnField)
  return 'field' in filter && Object.hasOwn(sessions.fields, filter.field)
}

/** Sessions that have neither ended nor expired. */
export function livingAt(at: Instant): SessionFilter {
  return {
    all: [{ field: 'endsAt', above: at }, { not: { field: 'seenExpiredAt', atLeast: 0 } }],
  }
}

/** What the caller may see: their own sessions, those they created, and those of organizations where they may read. */
export function visibleTo({ userId, grants }: Caller): readonly SessionFilter[] {
  const owners = ownersWith(grants, 'session.read')
  if (owners === 'all') return []
  const any: SessionFilter[] = [
    { field: 'userId', equals: userId },
    { field: 'creatorId', equals: userId },
  ]
  if (owners.length > 0) any.push({ field: 'organizationId', in: owners })
  return [{ any }]
}

function timeFilter(
  field: 'createdAt' | 'endsAt',
  timestamp: Timestamp | undefined,
  method: TimestampQueryMethod,
): SessionFilter {
  if (timestamp === undefined) return NOTHING
  const time = instantOf(timestamp)
  switch (method) {
    case TimestampQueryMethod.EQUALS:
      return { field, equals: time }
    case TimestampQueryMethod.GREATER:
      return { field, above: time }
    case TimestampQueryMethod.GREATER_OR_EQUALS:
      return { field, atLeast: time }
    case TimestampQueryMethod.LESS:
      return { field, below: time }
    case TimestampQueryMethod.LESS_OR_EQUALS:
      return { field, atMost: time }
    default:
      return NOTHING
  }
}

/** The defaults of queries without a value: the caller, and the caller's user agent. */
export interface QueryCaller {
  readonly callerId: string
  /** The user agent of the session whose token authenticated the call. */
  readonly fingerprintId: string | undefined
}

/** Whether a query selects the caller's own user agent. */
export function asksForOwnAgent({ query }: SearchQuery): boolean {
  return query.case === 'userAgentQuery' && query.value.fingerprintId === undefined
}

/** One query as a filter. */
export function sessionFilter({ query }: SearchQuery, { callerId, fingerprintId }: QueryCaller): SessionFilter {
  switch (query.case) {
    case 'idsQuery':
      return { field: 'id', in: query.value.ids }
    case 'userIdQuery':
      return { field: 'userId', equals: query.value.id }
    case 'creationDateQuery':
      return timeFilter('createdAt', query.value.creationDate, query.value.method)
    case 'creatorQuery':
      return { field: 'creatorId', equals: query.value.id ?? callerId }
    case 'userAgentQuery': {
      const equals = query.value.fingerprintId ?? fingerprintId
      return equals === undefined ? NOTHING : { field: 'fingerprintId', equals }
    }
    case 'expirationDateQuery':
      return timeFilter('endsAt', query.value.expirationDate, query.value.method)
    case undefined:
      return NOTHING
  }
}

/** A page of sessions that have not ended. */
export async function findSessions({ store }: App, query: Query<SessionField>): Promise<Page<OpenSession>> {
  return (await store.find(sessions, query)) as Page<OpenSession>
}

/** The users of sessions by ID. */
export async function usersOf(
  { store }: App,
  found: readonly Document<OpenSession>[],
): Promise<ReadonlyMap<string, Document<User>>> {
  const ids = [...new Set(found.flatMap(({ state }) => state.user?.id ?? []))]
  if (ids.length === 0) return new Map()
  const [only] = ids
  if (ids.length === 1 && only !== undefined) {
    const user = await store.get(users, only)
    return new Map(user && [[only, user]])
  }
  const { documents } = await store.find(users, { where: { field: 'id', in: ids }, orderBy: 'id', limit: ids.length })
  return new Map(documents.map((user) => [user.id, user]))
}
