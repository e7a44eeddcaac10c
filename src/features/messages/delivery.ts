/**
 * Where a message goes that gives power to its reader: to the address or number of the user, with a link to the built-in
 * page. Who asks for another link, or for the code itself, gets the power over the user, and must have it already. The
 * functions that send and return codes take a `Delivery`, and only this file makes one.
 */

import type { Call } from '../../access/call.ts'
import { requireFreshSignIn } from '../../access/fresh-sign-in.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { requirePower } from '../memberships/index.ts'
import { messageRefusals } from './refusals.ts'

declare const DECIDED: unique symbol
interface Decided {
  readonly [DECIDED]: true
}

/** What a caller asks for. */
export type AskedDelivery =
  /** Template of the link in the message. If not set, the link leads to the built-in page. */
  | { readonly type: 'send'; readonly urlTemplate?: string | undefined }
  /** The code is returned to the caller instead of sent. */
  | { readonly type: 'return' }

/** The template of a link that somebody chose who may. */
export type ChosenLink = string & Decided

/** A decided delivery. */
export type Delivery =
  | { readonly type: 'send'; readonly urlTemplate?: ChosenLink | undefined }
  | ({ readonly type: 'return' } & Decided)

/** To the user, with a link to the built-in page: anybody can cause that. */
export const TO_THE_USER: Delivery = { type: 'send' }

/** Whether nothing is asked for beyond a message to the user. */
function isPlain(asked: AskedDelivery): boolean {
  return asked.type === 'send' && asked.urlTemplate === undefined
}

export interface Chooser {
  /** The permission over the user that the choice takes. */
  readonly permission: string
  /**
   * Users can choose for themselves without the permission: only where they could do at once, in the same session, what
   * the message is for.
   */
  readonly isOwnChoice?: boolean
}

const WRITER: Chooser = { permission: 'user.write' }

/**
 * Throws unless the caller may have the power over the user that the reader of a message gets. It takes the permission,
 * and a token that covers the user; of oneself, a fresh sign-in too. An application never has it over the user whose token
 * it shows.
 */
export async function requireChooser(
  app: App,
  call: Call,
  user: Pick<Document<unknown>, 'id' | 'owner'>,
  { permission, isOwnChoice = false }: Chooser = WRITER,
): Promise<void> {
  const isOneself = call.caller.userId === user.id
  if (isOneself && call.caller.isThroughApplication === true) {
    throw refused(messageRefusals, 'message.not_through_application')
  }
  if (!isOneself || !isOwnChoice) await requirePower(app, call, permission, user)
  requireFreshSignIn(call, user.id)
}

/** Decides on a message to a user: throws unless the caller may choose what they ask for. */
export async function decideDelivery(
  app: App,
  call: Call,
  user: Pick<Document<unknown>, 'id' | 'owner'>,
  asked: AskedDelivery,
  chooser: Chooser = WRITER,
): Promise<Delivery> {
  if (!isPlain(asked)) await requireChooser(app, call, user, chooser)
  return asked as Delivery
}

/** A message to a user who is added in the same write: who may add them, has the power over them. */
export function deliveryToNewUser(asked: AskedDelivery): Delivery {
  return asked as Delivery
}

/** The link of an earlier message, which was decided then. */
export function chosenBefore(urlTemplate: string | undefined): ChosenLink | undefined {
  return urlTemplate as ChosenLink | undefined
}
