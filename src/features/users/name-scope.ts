/**
 * Where a user name must be unique: in the instance, or in an organization that keeps names of its own. Who may give
 * which name, and who has it. Which user a typed name means is decided in `login-names.ts`.
 */

import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader, Work } from '../../store/index.ts'
import { findOrganizationByDomain } from '../organizations/index.ts'
import { settings } from '../settings/index.ts'
import { USER_NAME_CLAIM, userNameClaim, users } from './documents.ts'
import type { NameScope } from './events.ts'
import { canonicalName } from './names.ts'
import { userRefusals } from './refusals.ts'
import type { LivingUser, MachineUser, User } from './state.ts'

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

/** Whether a user, of any organization, has this ID or this name. */
export async function isIdOrNameOfUser({ store }: App, text: string, reader: Reader = store): Promise<boolean> {
  if ((await reader.get(users, text)) !== undefined) return true
  const where = { field: 'userName', equals: canonicalName(text) ?? '' } as const
  return (await store.find(users, { where, limit: 1 })).documents.length > 0
}

/**
 * Whether a user's name means nobody else in these organizations. One that is unique in the user's own organization alone
 * may mean anybody elsewhere, and one that is the ID of another user means that user.
 */
export async function isOnlyOwnName(
  { store }: App,
  { id, state: { userName, nameScope, search } }: Document<LivingUser>,
  organizationIds: readonly string[],
): Promise<boolean> {
  if (nameScope !== undefined) return false
  const claims = organizationIds.map((organizationId) => userNameClaim(search.userName, organizationId))
  const [named, ...holders] = await Promise.all([
    store.get(users, userName),
    ...claims.map((claim) => store.findClaimHolder(USER_NAME_CLAIM, claim)),
  ])
  return (named === undefined || named.id === id) && holders.every((holder) => holder === undefined)
}

/** Whether a username is available for a user of this organization. */
export async function isNameFree(app: App, organizationId: string, userName: string): Promise<boolean> {
  const { store } = app
  const key = canonicalName(userName) ?? ''
  if ((await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key, organizationId))) !== undefined) return false
  const holderId = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key))
  if (holderId === undefined) return true
  if (!keepsOwnNames(await store.get(settings, organizationId))) return false
  return (await store.get(users, holderId))?.owner !== organizationId
}

/**
 * Throws unless the caller may give this name to a user. With the permission, any name is allowed. Without it, users can
 * choose only their current name or their own verified address. All other names get the same refusal, taken or not, so
 * that users cannot find out who exists or take the address of another person.
 */
export function requireOwnName(call: Call, { id, owner, state }: Document<LivingUser>, userName: string): void {
  if (call.caller.userId !== id || call.may('user.write', owner)) return
  const key = canonicalName(userName)
  const address = state.type === 'human' && state.email.isVerified ? state.search.email : undefined
  if (key !== state.search.userName && key !== address) throw refused(userRefusals, 'user.username_not_own')
}

/** The user with this name in an organization, whatever the scope of the name. */
async function findInOrganization({ store }: App, key: string, organizationId: string): Promise<string | undefined> {
  const scoped = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key, organizationId))
  if (scoped !== undefined) return scoped
  const holderId = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key))
  const holder = holderId === undefined ? undefined : await store.get(users, holderId)
  return holder?.owner === organizationId ? holderId : undefined
}

/** The user with this full login name, `name@domain`: a user of the organization that has proven the domain. */
async function findByFullName(app: App, key: string): Promise<string | undefined> {
  const at = key.lastIndexOf('@')
  const organizationId = at > 0 ? await findOrganizationByDomain(app, key.slice(at + 1)) : undefined
  if (organizationId === undefined) return undefined
  return (
    (await findInOrganization(app, key, organizationId)) ?? findInOrganization(app, key.slice(0, at), organizationId)
  )
}

/**
 * The user with this name in the organization that is given, if any; else the one with this full login name. Users of
 * other organizations who take the same name do not change it.
 */
export async function findInScope(
  app: App,
  key: string,
  organizationId: string | undefined,
): Promise<Document<User> | undefined> {
  const userId =
    (organizationId === undefined ? undefined : await findInOrganization(app, key, organizationId)) ??
    (await findByFullName(app, key))
  return userId === undefined ? undefined : app.store.get(users, userId)
}

/** The one user with this name in the instance; undefined when there is none, or more than one. */
export async function findByName({ store }: App, key: string): Promise<Document<User> | undefined> {
  const userId = await store.findClaimHolder(USER_NAME_CLAIM, userNameClaim(key))
  if (userId !== undefined) return store.get(users, userId)
  const where = { field: 'userName', equals: key } as const
  const { documents, total } = await store.find(users, { where, orderBy: 'userName', limit: 1 })
  return total === 1 ? documents[0] : undefined
}

/** The machine user with this name, or with this full name. Nobody signs in as one, so it cannot be mistaken for a person. */
export async function findMachineByName(app: App, name: string): Promise<Document<MachineUser> | undefined> {
  const key = canonicalName(name)
  const user =
    key === undefined ? undefined : ((await findInScope(app, key, undefined)) ?? (await findByName(app, key)))
  return user?.state.status !== 'unknown' && user?.state.status !== 'removed' && user?.state.type === 'machine'
    ? (user as Document<MachineUser>)
    : undefined
}
