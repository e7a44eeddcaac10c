/** Lists of users: what the store knows of them. */
import { userMetadata } from '../../features/metadata/index.ts'
import { type HumanUser, type UserField, users } from '../../features/users/index.ts'
import type { Document, Filter } from '../../store/index.ts'
import { byEquality, byId, byTime, type Compare, type Comparisons, exactly, folded, WIDE } from '../conditions.ts'
import { listOf } from '../list.ts'
import type { ListQuery } from '../query.ts'
import type { ScimCall, Shown, ShownList } from '../resources.ts'
import type { CallerSettings } from '../settings.ts'
import { USER } from './schema.ts'
import { keysOf, type StoredUser, withExtras } from './stored.ts'

const byActive: Compare = (operator, value) => {
  const text = `${value}`.toLowerCase()
  if ((operator !== 'eq' && operator !== 'ne') || (text !== 'true' && text !== 'false')) return WIDE
  const inactive: Filter = { field: 'status', equals: 'inactive' }
  return exactly((text === 'true') === (operator === 'eq') ? { not: inactive } : inactive)
}

function byExternalId({ externalIdKey }: CallerSettings): Compare {
  const withEntry = (conditions: readonly Filter[]): Filter => ({
    field: 'id',
    among: {
      kind: userMetadata,
      field: 'userId',
      where: { all: [...conditions, { field: 'typedKey', equals: externalIdKey }] },
      few: conditions.length > 0,
    },
  })
  const compare = byEquality((text) =>
    // Longer values are not in the index.
    Buffer.byteLength(text) > 200
      ? WIDE
      : exactly(withEntry([{ field: 'value', equals: Buffer.from(text).toString('base64') }])),
  )
  return (operator, value) => {
    if (value !== null) return compare(operator, value)
    return exactly(operator === 'eq' ? { not: withEntry([]) } : withEntry([]))
  }
}

/** Users who have changed, or what is kept for them. */
function changedSince(keys: readonly string[], time: number): Filter {
  const where: Filter = {
    all: [
      { field: 'changedAt', atLeast: time },
      { field: 'typedKey', in: keys },
    ],
  }
  return {
    any: [
      { field: 'changedAt', atLeast: time },
      { field: 'id', among: { kind: userMetadata, field: 'userId', where } },
    ],
  }
}

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
    ['externalId', byExternalId(settings)],
    ['userName', folded('userName')],
    ['name.familyName', folded('lastName')],
    ['name.givenName', folded('firstName')],
    ['name.formatted', folded('displayName')],
    ['displayName', folded('displayName')],
    ['nickName', folded('nickName')],
    // The address of the user; further ones are not searched.
    ['emails', folded('email')],
    ['emails.value', folded('email')],
    ['active', byActive],
    ['meta.created', byTime((time) => ({ field: 'createdAt', atLeast: time }))],
    ['meta.lastModified', byTime((time) => changedSince(keys, time))],
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

/** The users of the organization of a call that a query means. */
export function listUsers(
  { app, call: { organizationId }, settings }: ScimCall,
  query: ListQuery,
  showOne: (user: StoredUser) => Shown,
): Promise<ShownList> {
  const source = {
    organizationId,
    comparisons: comparisonsOf(settings),
    sortedBy: SORTED_BY,
    base: [{ field: 'owner', equals: organizationId } as const, { field: 'type', equals: 'human' } as const],
  }
  return listOf(
    {
      ...source,
      async find({ where, orderBy, limit, ...part }) {
        const by = { where: where as Filter<UserField>, orderBy: orderBy as UserField, limit: Math.max(limit, 1) }
        const page = await app.store.find(users, { ...part, ...by })
        const documents = page.documents.slice(0, limit) as readonly Document<HumanUser>[]
        const stored = await withExtras(app, settings, documents)
        return { shown: stored.map(showOne), total: page.total, sequence: page.sequence }
      },
    },
    query,
  )
}
