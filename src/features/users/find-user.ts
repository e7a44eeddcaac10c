/** Finds the user of a call. The v1 services read the users of one organization, the v2 services those of all. */

import type { Call } from '../../access/call.ts'
import { type Refused, refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Work } from '../../store/index.ts'
import { requireCovers } from '../memberships/index.ts'
import { users } from './documents.ts'
import { userRefusals } from './refusals.ts'
import { type HumanUser, isLiving, type LivingUser } from './state.ts'

async function livingUser(app: App, userId: string): Promise<Document<LivingUser>> {
  const document = await app.store.get(users, userId)
  if (document === undefined || !isLiving(document.state)) throw refused(userRefusals, 'user.not_found')
  return document as Document<LivingUser>
}

/** The user in the organization of the call. A user of another one is not found. */
export async function userOfOrganization(app: App, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await livingUser(app, userId)
  if (document.owner !== call.organizationId) throw refused(userRefusals, 'user.not_found')
  return document
}

/** The user of any organization in which the caller holds the permission of the method. */
export async function userForCaller(app: App, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await livingUser(app, userId)
  call.authorize(document.owner, userId)
  return document
}

/** For lists: whether there is such a user and the caller holds the permission of the method in their organization. */
export async function isUserInReach(app: App, call: Call, userId: string): Promise<boolean> {
  const document = await app.store.get(users, userId)
  return call.reaches(document?.owner ?? '', userId) && document !== undefined && isLiving(document.state)
}

/** Those of some users whom the caller may read: themself, and whoever they have the permission for. */
export async function readableUsers(
  app: App,
  call: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LivingUser>> {
  if (ids.length === 0) return new Map()
  const { documents } = await app.store.find(users, {
    where: { field: 'id', in: ids },
    orderBy: 'id',
    limit: ids.length,
  })
  const readable = documents.filter(({ id, owner }) => id === call.caller.userId || call.may('user.read', owner))
  return new Map(readable.flatMap(({ id, state }) => (isLiving(state) ? [[id, state] as const] : [])))
}

/** The organization of a user; undefined when there is no such user. */
export async function organizationOfUser(app: App, userId: string): Promise<string | undefined> {
  return (await app.store.get(users, userId))?.owner
}

/** As above, also of a user that was removed. */
export async function lastOrganizationOfUser(app: App, userId: string): Promise<string | undefined> {
  return (await organizationOfUser(app, userId)) ?? (await app.store.getRemoved(users, userId))?.owner
}

/** What callers are told of a user that does not exist, or that they do not have the permission for. */
export function userNotFound(): Refused {
  return refused(userRefusals, 'user.not_found')
}

/**
 * For a method that changes the user: throws `user.above_own` also when the user has permissions that the caller
 * does not have. Every write about a user starts here. The contract says which methods are for oneself; what such a method
 * does beyond that, with a permission, asks for it with `requirePower`.
 */
export async function userToChange(app: App, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await userForCaller(app, call, userId)
  if (!call.isOwn(userId)) await requireCovers(app, call, userId)
  return document
}

/** The user in the organization of the call, for a method that changes them; see `userToChange`. */
export async function userOfOrganizationToChange(app: App, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await userOfOrganization(app, call, userId)
  await requireCovers(app, call, userId)
  return document
}

/** As above, also of another organization in which the caller holds the permission of the method. */
export async function userInReachToChange(app: App, call: Call, userId: string): Promise<Document<LivingUser>> {
  const document = await livingUser(app, userId)
  if (document.owner !== call.organizationId && !call.reaches(document.owner)) throw userNotFound()
  await requireCovers(app, call, userId)
  return document
}

/** The signed-in user. */
export function userOfCaller(app: App, call: Call): Promise<Document<LivingUser>> {
  return livingUser(app, call.caller.userId)
}

/** Throws unless the user is a human. */
export function requireHuman(user: Document<LivingUser>): Document<HumanUser> {
  if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_human')
  return user as Document<HumanUser>
}

/** The human user with this ID, of any organization. A later write checks again what can have changed. */
export async function findHuman(app: App, userId: string): Promise<Document<HumanUser>> {
  return requireHuman(await livingUser(app, userId))
}

/** As above, for a caller who is the user or has the permission for them; nobody else learns whether there is one. */
export async function humanForCaller(
  app: App,
  call: Call,
  userId: string,
  permission: string,
): Promise<Document<HumanUser>> {
  const document = await app.store.get(users, userId)
  const mayKnow = userId === call.caller.userId || (document !== undefined && call.may(permission, document.owner))
  if (!mayKnow) throw userNotFound()
  return findHuman(app, userId)
}

/** The human user in this work; throws when there is no such user. */
export async function readHuman(work: Work, userId: string): Promise<Document<HumanUser>> {
  const user = await work.get(users, userId)
  if (user === undefined) throw refused(userRefusals, 'user.not_found')
  return requireHuman(user as Document<LivingUser>)
}

/** Throws unless the user exists, and guards that until the commit; returns the user's organization. */
export async function requireUser(work: Work, userId: string): Promise<string> {
  const user = await work.get(users, userId)
  if (user === undefined) throw refused(userRefusals, 'user.not_found')
  return user.owner
}
