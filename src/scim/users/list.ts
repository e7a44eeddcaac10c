/** Lists of users: what the store knows of them. */
import { groupMembers } from '../../features/groups/index.ts'
import { userMetadata } from '../../features/metadata/index.ts'
import { type HumanUser, type UserField, users } from '../../features/users/index.ts'
import type { Document, Filter } from '../../store/index.ts'
import {
  byAddress,
  byEntry,
  byId,
  byRelated,
  byTime,
  type Compare,
  type Comparisons,
  changedSince,
  exactly,
  folded,
  WIDE,
} from '../conditions.ts'
import { listOf } from '../list.ts'
import type { ListQuery } from '../query.ts'
import type { ScimCall, ShownList } from '../resources.ts'
import type { CallerSettings } from '../settings.ts'
import { USER } from './schema.ts'
import { shownUsers } from './shown.ts'
import { keysOf, withExtras } from './stored.ts'

const byActive: Compare = (operator, value) => {
  const text = `${value}`.toLowerCase()
  if ((operator !== 'eq' && operator !== 'ne') || (text !== 'true' && text !== 'false')) return WIDE
  const inactive: Filter = { field: 'status', equals: 'inactive' }
  return exactly((text === 'true') === (operator === 'eq') ? { not: inactive } : inactive)
}

const ENTRIES = { kind: userMetadata, holder: 'userId' } as const

const byGroup = byRelated(groupMembers, { own: 'userId', other: 'groupId' })

const NAMES = ['userName', 'name', 'name.familyName', 'name.givenName', 'name.formatted']
const ALWAYS_THERE = new Set([
  'id',
  'schemas',
  ...NAMES,
  'emails',
  'emails.value',
  'meta',
  'meta.created',
  'meta.lastModified',
])

function comparisonsOf(settings: CallerSettings): Comparisons {
  const keys = keysOf(settings)
  const compares = new Map<string, Compare>([
    ['id', byId],
    ['externalId', byEntry(ENTRIES, settings.externalIdKey)],
    ['userName', folded('userName')],
    ['name.familyName', folded('lastName')],
    ['name.givenName', folded('firstName')],
    ['name.formatted', folded('displayName')],
    ['displayName', folded('displayName')],
    ['nickName', folded('nickName')],
    ['emails', byAddress],
    ['emails.value', byAddress],
    ['active', byActive],
    ['groups', byGroup],
    ['groups.value', byGroup],
    ['meta.created', byTime((time) => ({ field: 'createdAt', atLeast: time }))],
    ['meta.lastModified', byTime((time) => changedSince(ENTRIES, keys, time))],
  ])
  return { schema: USER, compares, alwaysThere: ALWAYS_THERE, valuesOf: 'emails' }
}

const SORTED_BY: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['userName', 'userName'],
  ['name.familyName', 'lastName'],
  ['name.givenName', 'firstName'],
  ['name.formatted', 'displayName'],
  ['displayName', 'displayName'],
  ['nickName', 'nickName'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['meta.created', 'createdAt'],
  ['meta.lastModified', 'changedAt'],
])

const MAY_BE_EMPTY = new Set(['nickName'])

/** The users of the organization of a call that a query means. */
export function listUsers(scim: ScimCall, query: ListQuery): Promise<ShownList> {
  const { app, settings } = scim
  const { organizationId } = scim.call
  const source = {
    organizationId,
    comparisons: comparisonsOf(settings),
    sortedBy: SORTED_BY,
    mayBeEmpty: MAY_BE_EMPTY,
    base: [{ field: 'owner', equals: organizationId } as const, { field: 'type', equals: 'human' } as const],
  }
  return listOf(
    {
      ...source,
      async find({ where, orderBy, limit, compares, isCompared: _, ...part }) {
        const by = { where: where as Filter<UserField>, orderBy: orderBy as UserField, limit: Math.max(limit, 1) }
        const page = await app.store.find(users, { ...part, ...by })
        const documents = page.documents.slice(0, limit) as readonly Document<HumanUser>[]
        const stored = await withExtras(app, settings, documents)
        const shown = await shownUsers(scim, stored, !scim.hides('groups') || compares('groups'))
        return { shown, total: page.total, sequence: page.sequence }
      },
    },
    query,
  )
}
