/** What others may know about the passwords of users: whether there is one, and when it was changed. Never the hash. */

import type { Instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { EffectiveSettings } from '../settings/index.ts'
import { passwords } from './documents.ts'

/** The public data about a password. */
export interface PasswordFacts {
  readonly changeRequired: boolean
  readonly changedAt: Instant
}

/** The public data about the passwords of users. Users without a password are left out. */
export async function passwordFacts(app: App, userIds: readonly string[]): Promise<ReadonlyMap<string, PasswordFacts>> {
  const [first] = userIds
  if (first === undefined) return new Map()
  // Most calls are for one user, and reading by ID costs a fraction of a query.
  const only = userIds.length === 1 ? await app.store.get(passwords, first) : undefined
  const documents =
    userIds.length === 1
      ? [only].filter((document) => document !== undefined)
      : (await app.store.find(passwords, { where: { field: 'id', in: userIds }, limit: userIds.length })).documents
  return new Map(
    documents.flatMap(({ id, state }) => {
      if (state.status !== 'set') return []
      const { changeRequired, changedAt } = state
      return [[id, { changeRequired, changedAt }] as const]
    }),
  )
}

/** Whether a password must be changed: it was asked for, or the password is too old. */
export function mustBeChanged(
  facts: PasswordFacts | undefined,
  { passwordMaxAgeMs }: Pick<EffectiveSettings, 'passwordMaxAgeMs'>,
  at: Instant,
): boolean {
  if (facts === undefined) return false
  return facts.changeRequired || (passwordMaxAgeMs > 0 && at - facts.changedAt >= passwordMaxAgeMs)
}

/** Whether a user can sign in with a password, as a list of methods. */
export async function findPasswordMethod(app: App, userId: string): Promise<readonly 'password'[]> {
  return (await app.store.get(passwords, userId))?.state.status === 'set' ? ['password'] : []
}

/** A password can be spelled in two ways, and a machine can be slower than expected. */
const SLOWEST_FACTOR = 2.5
/** Stored hashes that are slower than any that can be imported today do not delay refusals further. */
const MOST_MILLISECONDS = 15_000
/** How long an answer is used again. */
const REUSED_MILLISECONDS = 10_000

const slowestChecks = perApp(() => ({ milliseconds: 0, readAt: Number.NEGATIVE_INFINITY }))

/**
 * How long a check of a wrong password may take, at most, with the slowest hash that any user has now. Refusals to
 * visitors are delayed until then, so that time does not tell who has such a hash.
 */
export async function slowestCheckMilliseconds(app: App): Promise<number> {
  const known = slowestChecks(app)
  const at = performance.now()
  if (at - known.readAt < REUSED_MILLISECONDS) return known.milliseconds
  const where = { field: 'slowMilliseconds', above: 0 } as const
  const query = { where, orderBy: 'slowMilliseconds', descending: true, limit: 1 } as const
  const [slowest] = (await app.store.find(passwords, query)).documents
  const expected = slowest?.state.status === 'set' ? (slowest.state.slowMilliseconds ?? 0) : 0
  known.milliseconds = Math.min(expected * SLOWEST_FACTOR, MOST_MILLISECONDS)
  known.readAt = at
  return known.milliseconds
}
