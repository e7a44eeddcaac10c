/** The public data about passwords of users: whether there is one, and when it was changed. Never the hash. */
import type { App } from '../../access/app.ts'
import type { Instant } from '../../kernel/instant.ts'
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

/** Whether a user can sign in with a password, as a list of methods. */
export async function findPasswordMethod(app: App, userId: string): Promise<readonly 'password'[]> {
  return (await app.store.get(passwords, userId))?.state.status === 'set' ? ['password'] : []
}
