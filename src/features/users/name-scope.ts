/** Where a username must be unique: on the instance, or in an organization with its own scope. */
import type { App } from '../../access/app.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { settings } from '../settings/index.ts'
import { USER_NAME_CLAIM, userNameClaim, users } from './documents.ts'
import type { NameScope } from './events.ts'
import { canonicalName } from './names.ts'
import { userRefusals } from './refusals.ts'
import type { User } from './state.ts'

/** The relevant settings of an organization. */
interface OwnSettings {
  readonly state: { readonly organization?: { readonly userNameScope: 'instance' | 'organization' } }
}

function keepsOwnNames(own: OwnSettings | undefined): boolean {
  return own?.state.organization?.userNameScope === 'organization'
}

/**
 * The scope of a new username. Existing names keep their scope, so an organization can have names of both scopes. The
 * claim keeps names of one scope unique; this function compares with the other scope.
 */
export async function scopeForName(
  app: App,
  work: Work,
  { userId, organizationId, userName }: { userId: string; organizationId: string; userName: string },
): Promise<NameScope> {
  const own = await work.get(settings, organizationId)
  // Without settings, the organization has no scope of its own. The read guards this until the commit.
  if (own === undefined) return {}
  const scoped = keepsOwnNames(own)
  const key = canonicalName(userName) ?? ''
  const holderId = await app.store.findClaimHolder(
    USER_NAME_CLAIM,
    userNameClaim(key, scoped ? undefined : organizationId),
  )
  if (holderId !== undefined && holderId !== userId) {
    const holder = await work.get(users, holderId)
    if (holder?.owner === organizationId) throw refused(userRefusals, 'user.username_taken')
  }
  return scoped ? { nameScope: organizationId } : {}
}

/** Whether a username is available for a user of this organization. */
export async function isNameFree({ store }: App, organizationId: string, userName: string): Promise<boolean> {
  const key = canonicalName(userName) ?? ''
  if ((await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key, organizationId))) !== undefined) return false
  const holderId = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key))
  if (holderId === undefined) return true
  if (!keepsOwnNames(await store.get(settings, organizationId))) return false
  return (await store.get(users, holderId))?.owner !== organizationId
}

/** The only user with this login name on the instance; undefined when there is none, or more than one. */
export async function findByLoginName({ store }: App, loginName: string): Promise<Document<User> | undefined> {
  const key = canonicalName(loginName)
  if (key === undefined) return undefined
  const userId = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key))
  if (userId !== undefined) return store.get(users, userId)
  const where = { field: 'userName', equals: key } as const
  const { documents, total } = await store.find(users, { where, orderBy: 'userName', limit: 1 })
  return total === 1 ? documents[0] : undefined
}
