/**
 * Visitors create an account with an e-mail address and a password or a passkey. They are signed in, or register the
 * passkey, when they have entered the code from the e-mail. So an address that already has an account is answered like a
 * new one, by text and by time.
 */

import { SealBroken } from '../../../crypto/seal.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { addHuman, fieldsOfHuman, prepareHuman, verifyEmail } from '../../humans/index.ts'
import { keysOf, startRegistration } from '../../passkeys/index.ts'
import { findFlaws, passwordFacts } from '../../passwords/index.ts'
import { effectiveSettings } from '../../settings/index.ts'
import {
  type Client,
  type Done,
  type Failure,
  failureOf,
  keyDomain,
  type Renewed,
  signInWithPassword,
} from '../../sign-in/index.ts'
import { isAddressTaken, readActiveHuman, renameUser } from '../../users/index.ts'
import { accountRefusals } from '../refusals.ts'
import type { FlawedPassword } from './change-own-account.ts'
import { finishKey, type GivenKey, startKey } from './register-key-by-link.ts'
import { type CodeHolder, type Outcome, outcomeOf, visitorOrigin } from './use-mailed-code.ts'

/** What a visitor enters. */
export interface NewAccount {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** Undefined: they register a passkey after the code. */
  readonly password: string | undefined
}

/** A registration that waits for the code. The visitor keeps it; it contains nothing that they can read. */
export interface Ticket {
  readonly userId: string
  readonly sealed: string
}

export type NewAccountField = 'firstName' | 'lastName' | 'email'

export type Registered =
  | { readonly outcome: 'started'; readonly ticket: Ticket }
  | { readonly outcome: 'mistaken'; readonly fields: readonly NewAccountField[] }
  | { readonly outcome: 'closed' }
  | FlawedPassword
  | Failure

/** How long the code can be entered. */
const TICKET_LIFETIME_MS = 3_600_000

/** The form fields by their paths in violations. The user name comes from the e-mail address. */
const FIELDS: Readonly<Record<string, NewAccountField>> = {
  'profile.firstName': 'firstName',
  'profile.lastName': 'lastName',
  'email.email': 'email',
  username: 'email',
}

function placeOf(userId: string) {
  return { kind: 'registration', id: userId, member: 'session' } as const
}

/** The place of a ticket with which a visitor whose address is verified registers their first passkey. */
function passkeyPlaceOf(userId: string) {
  return { kind: 'registration', id: userId, member: 'passkey' } as const
}

/** Seals the session that the visitor gets with the code; an empty one where there is none, of the same length. */
async function sealTicket(
  app: App,
  userId: string,
  session: Renewed | undefined,
  place: ReturnType<typeof placeOf> | ReturnType<typeof passkeyPlaceOf> = placeOf(userId),
): Promise<Ticket> {
  const content = {
    token: session?.token ?? '',
    expiresAt: session?.expiresAt ?? 0,
    until: app.clock() + TICKET_LIFETIME_MS,
  }
  const text = JSON.stringify(content).padEnd(400)
  const origin = { actor: 'visitor', at: app.clock() } as const
  const { value: sealed } = await app.store.write(origin, (work) => app.vault.seal(work, place, text))
  return { userId, sealed }
}

async function openTicket(
  app: App,
  { userId, sealed }: Ticket,
  place: Parameters<typeof sealTicket>[3] = placeOf(userId),
): Promise<Renewed | undefined> {
  try {
    const { token, expiresAt, until } = JSON.parse(await app.vault.open(place, sealed))
    return app.clock() < until ? { outcome: 'done', token, expiresAt } : undefined
  } catch (error) {
    // Not a ticket of ours, or its key is gone.
    if (!(error instanceof SealBroken)) throw error
    return undefined
  }
}

/** Adds the user unless the address belongs to another one; returns the ID of who was added. */
async function addUnlessTaken(
  app: App,
  prepared: Awaited<ReturnType<typeof prepareHuman>>,
  isWithPasskey: boolean,
): Promise<string | undefined> {
  const { organizationId, draft } = prepared
  const isTaken = await isAddressTaken(app, draft.email.address, organizationId)
  const { value } = await app.store.write({ actor: 'visitor', at: app.clock() }, async (work) => {
    const { login } = await effectiveSettings(app, organizationId, work)
    const isAllowed = isWithPasskey ? login.allowsPasskeys : login.allowsPassword
    if (login.allowsRegistration !== true || !isAllowed) {
      throw refused(accountRefusals, 'account.registration_closed')
    }
    return isTaken ? undefined : (await addHuman(app, work, prepared)).user.id
  })
  return value
}

/**
 * The name of a user who has not proven their address yet: not the address, which would keep it from its owner. With the
 * proof it becomes the name.
 */
function provisionalName(app: App, email: string): string {
  return `${email.split('@', 1)[0]}-${app.newId()}`
}

/** Verifies the address with the code, and makes it the name of the user where no other has it. */
async function proveAddress(app: App, { userId, code }: CodeHolder): Promise<Outcome> {
  const prove = (isNamed: boolean) =>
    app.store.write(visitorOrigin(app), async (work) => {
      const user = await readActiveHuman(work, userId)
      await verifyEmail(app, work, userId, code)
      if (isNamed) await renameUser(app, work, user, user.state.email.address)
    })
  try {
    await prove(true).catch((error: unknown) => {
      if (error instanceof Refused && error.code === 'user.username_taken') return prove(false)
      throw error
    })
    return 'done'
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Starts a registration in an organization: adds the user and sends the code. */
export async function registerAccount(
  app: App,
  organizationId: string,
  { firstName, lastName, email, password }: NewAccount,
  { client, language }: { readonly client: Client; readonly language: string },
): Promise<Registered> {
  try {
    const ownWords = [firstName, lastName, `${firstName} ${lastName}`, email]
    if (password !== undefined) {
      const { flaws, policy } = await findFlaws(app, password, organizationId, ownWords)
      if (flaws.length > 0) return { outcome: 'flawed', flaws, policy }
    }
    const draft = {
      userName: provisionalName(app, email),
      profile: { firstName, lastName, preferredLanguage: language },
      email: { address: email, verification: { type: 'default' } as const },
      ...(password !== undefined && {
        password: { password: { plain: password }, changeRequired: false, field: 'password' },
      }),
    }
    const prepared = await prepareHuman(app, organizationId, draft, fieldsOfHuman())
    const addedId = await addUnlessTaken(app, prepared, password === undefined)
    // The ticket of an address that is taken looks like every other.
    const userId = addedId ?? app.newId()
    if (password === undefined) return { outcome: 'started', ticket: await sealTicket(app, userId, undefined) }
    if (addedId === undefined) {
      await app.hashing.verifyNothing(password)
      return { outcome: 'started', ticket: await sealTicket(app, userId, undefined) }
    }
    const session = await signInWithPassword(app, { userId, password, client, before: undefined })
    const ticket = await sealTicket(app, userId, session.outcome === 'done' ? session : undefined)
    return { outcome: 'started', ticket }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code === 'account.registration_closed' || error.code.startsWith('organization.')) {
      return { outcome: 'closed' }
    }
    const fields = error.violations.flatMap(({ field }) => FIELDS[field] ?? [])
    return fields.length > 0 ? { outcome: 'mistaken', fields: [...new Set(fields)] } : failureOf(error)
  }
}

/** Finishes a registration with the code from the e-mail: the session is the visitor's then, or they add a passkey. */
export async function finishRegistration(
  app: App,
  ticket: Ticket,
  code: string,
): Promise<Renewed | { readonly outcome: 'verified'; readonly ticket: Ticket } | Failure> {
  const { userId } = ticket
  const session = await openTicket(app, ticket)
  const verified = session === undefined ? 'refused' : await proveAddress(app, { userId, code })
  if (verified !== 'done') return { outcome: verified }
  if (session !== undefined && session.token !== '') return session
  return { outcome: 'verified', ticket: await sealTicket(app, userId, undefined, passkeyPlaceOf(userId)) }
}

/** Throws unless the ticket is valid and the user has no way to sign in yet: it gives no second credential. */
async function requireFirstKey(app: App, ticket: Ticket): Promise<void> {
  const { userId } = ticket
  const isOpen = (await openTicket(app, ticket, passkeyPlaceOf(userId))) !== undefined
  const hasKey = (await keysOf(app, userId)).length > 0 || (await passwordFacts(app, [userId])).has(userId)
  if (!isOpen || hasKey) throw refused(accountRefusals, 'account.registration_closed')
}

/** Starts to register the first passkey of a new user. */
export function startFirstKey(app: App, ticket: Ticket, client: Client) {
  return startKey(async () => {
    await requireFirstKey(app, ticket)
    const of = { userId: ticket.userId, use: 'passkey', domain: keyDomain(app, client) } as const
    return startRegistration(app, visitorOrigin(app), of)
  })
}

/** Finishes it. */
export function finishFirstKey(app: App, ticket: Ticket, given: Omit<GivenKey, 'userId'>): Promise<Done> {
  const key = { userId: ticket.userId, ...given }
  return finishKey(app, key, () => requireFirstKey(app, ticket))
}
