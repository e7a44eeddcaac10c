/** What an organization has of its directories: their tokens, and how much came by them. */
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Filter } from '../../store/index.ts'
import { groups } from '../groups/index.ts'
import { type ListedToken, tokensOf } from '../machines/index.ts'
import { holdsRole, type Member, type MembershipField, memberships, membersIn } from '../memberships/index.ts'
import { users } from '../users/index.ts'

const DIRECTORY_ROLE = 'ORG_DIRECTORY_SYNC'
const MOST_DIRECTORIES = 100
/** Counting 100,000 users takes a moment, and the page that shows the number asks often. */
const COUNTED_FOR_MS = 10_000
const MOST_COUNTED = 1_000

export interface Counts {
  readonly users: number
  readonly groups: number
}

const counted = perApp(() => new Map<string, { readonly at: Instant; readonly counts: Promise<Counts> }>())

async function countNow({ store }: App, organizationId: string): Promise<Counts> {
  // Only what a directory manages has this field.
  const where = {
    all: [{ field: 'owner', equals: organizationId } as const, { field: 'directory', above: '' } as const],
  }
  const [ofUsers, ofGroups] = await Promise.all([
    store.find(users, { where, limit: 1 }),
    store.find(groups, { where, limit: 1 }),
  ])
  return { users: ofUsers.total, groups: ofGroups.total }
}

/** How many users and groups of an organization a directory manages. */
export function directoryCounts(app: App, organizationId: string): Promise<Counts> {
  const known = counted(app)
  const at = instant(app.clock())
  const found = known.get(organizationId)
  if (found !== undefined && at - found.at < COUNTED_FOR_MS) return found.counts
  const counts = countNow(app, organizationId)
  known.delete(organizationId)
  const [oldest] = known.keys()
  if (known.size >= MOST_COUNTED && oldest !== undefined) known.delete(oldest)
  known.set(organizationId, { at, counts })
  counts.catch(() => known.delete(organizationId))
  return counts
}

/** The tokens of those who have the role of a directory in an organization. */
export async function directoryTokens(app: App, organizationId: string): Promise<readonly ListedToken[]> {
  const where: Filter<MembershipField> = {
    all: [membersIn({ level: 'organization', id: organizationId }), holdsRole(DIRECTORY_ROLE)],
  }
  const { documents } = await app.store.find(memberships, { where, limit: MOST_DIRECTORIES })
  return tokensOf(
    app,
    documents.map(({ state }) => (state as Member).userId),
  )
}
