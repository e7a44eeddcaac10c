/**
 * Whom a typed login name means. Names and email addresses are one namespace, and anybody who may add users can name one
 * like the address of another person, or declare that address verified. So an address means who proved it by mail, else
 * who had it first; no name and no assertion of others takes it away. Everything that finds a user by what somebody typed
 * asks here: sessions, hosted pages, password resets, registration, linking with providers.
 */

import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { activeOrganization } from '../organizations/index.ts'
import { effectiveSettings, isEmailLoginAllowed, settingsOfUser } from '../settings/index.ts'
import { users } from './documents.ts'
import type { Basis } from './events.ts'
import { findByName, findInScope } from './name-scope.ts'
import { canonicalName } from './names.ts'
import { type HumanUser, isLiving, mayAct, type User } from './state.ts'

/** How many users with one address are compared, besides those who proved it: the first ones. */
const MOST_COMPARED = 100

const FIRMNESS: readonly Basis[] = ['proven', 'asserted', 'typed']

/** What connects a user with a login name, and since when. */
interface Tie {
  readonly user: Document<User>
  readonly basis: Basis
  readonly since: Instant
}

function canSignIn({ state }: Document<User>): boolean {
  return isLiving(state) && state.type === 'human' && mayAct(state)
}

/** The basis is not in events of earlier versions, which did not distinguish a proof from an assertion. */
function tieByAddress(user: Document<User>): Tie {
  const { email } = user.state as HumanUser
  return {
    user,
    basis: email.basis ?? (email.isVerified ? 'asserted' : 'typed'),
    since: email.since ?? user.createdAt,
  }
}

function tieByName(user: Document<User>): Tie {
  const since = isLiving(user.state) ? user.state.nameSince : undefined
  return { user, basis: 'asserted', since: since ?? user.createdAt }
}

function compareTies(one: Tie, other: Tie): number {
  const firmer = FIRMNESS.indexOf(one.basis) - FIRMNESS.indexOf(other.basis)
  return firmer || one.since - other.since || (one.user.id < other.user.id ? -1 : 1)
}

/**
 * Who is meant: who proved the address by mail; where several did, the one who has it as their name, else nobody. Where
 * nobody did, who had it first as a name or as an address. An address that users typed themselves counts least.
 */
function meantBy(ties: readonly Tie[], named: Document<User> | undefined): Document<User> | undefined {
  const proven = ties.filter(({ basis }) => basis === 'proven').map(({ user }) => user)
  if (proven.length > 1) return proven.find(({ id }) => id === named?.id)
  return proven[0] ?? ties.toSorted(compareTies)[0]?.user
}

function isAddressOf(key: string, { state }: Document<User>): boolean {
  return isLiving(state) && state.type === 'human' && state.search.email === key
}

/** Those who can sign in: active users of active organizations. */
async function thoseWhoCan(app: App, found: readonly Document<User>[]): Promise<readonly Document<HumanUser>[]> {
  const able = found.filter(canSignIn) as Document<HumanUser>[]
  const owners = [...new Set(able.map(({ owner }) => owner))]
  const active = await Promise.all(owners.map((owner) => activeOrganization(app.store, owner)))
  return able.filter(({ owner }) => active.some((organization) => organization?.id === owner))
}

/** The users with an address who can sign in, of one organization or of all. */
export async function holdersOfAddress(
  app: App,
  address: string,
  organizationId?: string,
): Promise<readonly Document<HumanUser>[]> {
  const key = searchText(address)
  const find = (field: 'email' | 'provenEmail') => {
    const isThere = { field, equals: key } as const
    const isOwn = { field: 'owner', equals: organizationId ?? '' } as const
    const where = organizationId === undefined ? isThere : { all: [isThere, isOwn] }
    return app.store.find(users, { where, orderBy: 'createdAt', limit: MOST_COMPARED })
  }
  const pages = await Promise.all([find('provenEmail'), find('email')])
  const found = new Map(pages.flatMap(({ documents }) => documents.map((user) => [user.id, user] as const)))
  return thoseWhoCan(app, [...found.values()])
}

/**
 * Whom an account at a provider is linked to, of these users with its address: the only one who proved it, or where nobody
 * did the only one. A link lasts, so that who had it first is not enough.
 */
export function onlyOwner(holders: readonly Document<HumanUser>[]): Document<HumanUser> | undefined {
  const proven = holders.filter((user) => tieByAddress(user).basis === 'proven')
  const [owner, ...others] = proven.length > 0 ? proven : holders
  return others.length === 0 ? owner : undefined
}

/** Whether a visitor cannot register with an address: somebody proved it, or it was given to a user of the organization. */
export async function isAddressTaken(app: App, address: string, organizationId: string): Promise<boolean> {
  const [all, own, named] = await Promise.all([
    holdersOfAddress(app, address),
    holdersOfAddress(app, address, organizationId),
    findInScope(app, canonicalName(address) ?? '', organizationId),
  ])
  const isNamed = named?.owner === organizationId && !(isAddressOf(searchText(address), named) && isTyped(named))
  return isNamed || own.some((user) => !isTyped(user)) || all.some((user) => tieByAddress(user).basis === 'proven')
}

function isTyped(user: Document<User>): boolean {
  return tieByAddress(user).basis === 'typed'
}

async function findHolders(app: App, key: string, organizationId: string | undefined) {
  const [all, own] = await Promise.all([
    holdersOfAddress(app, key),
    organizationId === undefined ? [] : holdersOfAddress(app, key, organizationId),
  ])
  return { holders: own.length > 0 ? own : all, isOwn: own.length > 0 }
}

/** The user of a login name that may be an address, among all of the instance. */
async function findMeant(
  app: App,
  text: string,
  organizationId: string | undefined,
  mayBeNamed: (user: Document<User>) => boolean,
): Promise<Document<User> | undefined> {
  const address = searchText(text)
  const [byName, { holders, isOwn }] = await Promise.all([
    findByName(app, canonicalName(text) ?? ''),
    findHolders(app, address, organizationId),
  ])
  const named = byName !== undefined && mayBeNamed(byName) ? byName : undefined
  const isNamedProven = named !== undefined && isAddressOf(address, named) && tieByAddress(named).basis === 'proven'
  const ties = [
    ...holders.filter(({ id }) => id !== named?.id).map(tieByAddress),
    ...(named !== undefined && isAddressOf(address, named) ? [tieByAddress(named)] : []),
    // In the organization of the page, its own users come before names of others.
    ...(named !== undefined && (!isOwn || isNamedProven || named.owner === organizationId) ? [tieByName(named)] : []),
  ]
  const meant = meantBy(ties, named)
  const isByAddress = meant !== undefined && meant.id !== named?.id
  const { login } = isByAddress
    ? await settingsOfUser(app, { userId: meant.id, organizationId: meant.owner })
    : await effectiveSettings(app, organizationId ?? app.instanceId)
  if (isByAddress && !isEmailLoginAllowed(login)) return byName
  return ties.length === 0 ? byName : meant
}

/** Whether a text could be an address. Others are looked up as names only: that depends on nothing but the text. */
function mayBeAddress(text: string): boolean {
  return searchText(text).includes('@')
}

/**
 * The user whom a person means who signs in on a page, by login name or email address. The name in the organization that
 * is given, or in the one that has proven its domain, comes first: what others do in their organizations does not change
 * it. Everything is always looked up, so that the work is the same for every name.
 */
export async function findBySignInName(
  app: App,
  text: string,
  organizationId?: string | undefined,
): Promise<Document<User> | undefined> {
  if (!mayBeAddress(text)) return findByLoginName(app, text, organizationId)
  // A machine, or a user who cannot sign in, does not keep others from signing in.
  const [scoped, meant] = await Promise.all([
    findInScope(app, canonicalName(text) ?? '', organizationId),
    findMeant(app, text, organizationId, canSignIn),
  ])
  return scoped ?? meant
}

/**
 * The user with this login name: the one of the organization that is given, if any; else the one with this full login
 * name; else the one user with this name in the instance. Undefined when there is none, or more than one, or when it is
 * the address of another person.
 */
export async function findByLoginName(
  app: App,
  loginName: string,
  organizationId?: string | undefined,
): Promise<Document<User> | undefined> {
  const key = canonicalName(loginName)
  if (key === undefined) return undefined
  if (!mayBeAddress(loginName)) return (await findInScope(app, key, organizationId)) ?? findByName(app, key)
  const [scoped, meant] = await Promise.all([
    findInScope(app, key, organizationId),
    findMeant(app, loginName, organizationId, () => true),
  ])
  const isName = meant !== undefined && isLiving(meant.state) && meant.state.search.userName === key
  return scoped ?? (isName ? meant : undefined)
}
