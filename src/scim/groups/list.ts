/** Lists of groups: what the store knows of them. */
import { type GroupField, groupMembers, groupMetadata, groups, type LivingGroup } from '../../features/groups/index.ts'
import type { Document, Filter } from '../../store/index.ts'
import {
  byEntry,
  byId,
  byRelated,
  byTime,
  type Compare,
  type Comparisons,
  changedSince,
  folded,
} from '../conditions.ts'
import { listOf, tooMany } from '../list.ts'
import type { ListQuery } from '../query.ts'
import type { ScimCall, ShownList } from '../resources.ts'
import type { CallerSettings } from '../settings.ts'
import { GROUP } from './schema.ts'
import { shownGroups } from './shown.ts'
import { keysOf, withEntries } from './stored.ts'

const ENTRIES = { kind: groupMetadata, holder: 'groupId' } as const

const byMember = byRelated(groupMembers, { own: 'groupId', other: 'userId' })

const ALWAYS_THERE = new Set(['id', 'schemas', 'displayName', 'meta', 'meta.created', 'meta.lastModified'])

/** Groups that somebody joined or left. */
function withTurnSince(time: number): Filter {
  const where = { field: 'turnAt', atLeast: time } as const
  return { field: 'id', among: { kind: groupMembers, field: 'turnGroup', where } }
}

function comparisonsOf(settings: CallerSettings): Comparisons {
  const compares = new Map<string, Compare>([
    ['id', byId],
    ['externalId', byEntry(ENTRIES, settings.externalIdKey)],
    ['displayName', folded('name')],
    ['members', byMember],
    ['members.value', byMember],
    ['meta.created', byTime((time) => ({ field: 'createdAt', atLeast: time }))],
    ['meta.lastModified', byTime((time) => changedSince(ENTRIES, keysOf(settings), time, withTurnSince(time)))],
  ])
  return { schema: GROUP, compares, alwaysThere: ALWAYS_THERE, valuesOf: 'members' }
}

const SORTED_BY: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['displayName', 'name'],
  ['meta.created', 'createdAt'],
])

/** The groups of the organization of a call that a query means. */
export function listGroups(scim: ScimCall, query: ListQuery): Promise<ShownList> {
  const { organizationId } = scim.call
  const source = {
    organizationId,
    comparisons: comparisonsOf(scim.settings),
    sortedBy: SORTED_BY,
    base: [{ field: 'owner', equals: organizationId } as const],
  }
  return listOf(
    {
      ...source,
      async find({ where, orderBy, limit, isCompared, compares, ...part }) {
        const by = { where: where as Filter<GroupField>, orderBy: orderBy as GroupField, limit: Math.max(limit, 1) }
        const page = await scim.app.store.find(groups, { ...part, ...by })
        const documents = page.documents.slice(0, limit) as readonly Document<LivingGroup>[]
        const reads = !scim.hides('members') || compares('members')
        const shown = await shownGroups(scim, await withEntries(scim, documents), reads)
        if (isCompared && shown.length < documents.length) throw tooMany('200,000 members')
        return { shown, total: page.total, sequence: page.sequence }
      },
    },
    query,
  )
}
