/** Changes that signed-in users make to their own profile: names, language, username, address, number and picture. */

import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import {
  type Contact,
  changedProfile,
  confirmContact,
  findNewContact,
  profileProblems,
  replaceContact,
} from '../../humans/index.ts'
import { attempt, type Done, type Failure, failureOf, type Person } from '../../sign-in/index.ts'
import { decideUser, readActiveHuman, refuseProblems, renameUser, setPicture } from '../../users/index.ts'
import { cancelCode } from '../../verifications/index.ts'
import { ownOrigin } from './change-own-account.ts'

/** What a user can change in their profile. */
export interface OwnProfile {
  readonly firstName: string
  readonly lastName: string
  readonly nickName: string
  readonly displayName: string
  /** A BCP 47 tag, or empty. */
  readonly preferredLanguage: string
}

/** Fields that are invalid. */
export interface Mistaken {
  readonly outcome: 'mistaken'
  readonly fields: readonly string[]
}

function mistakenOf(error: unknown): Mistaken | Failure {
  if (!(error instanceof Refused) || error.violations.length === 0) return failureOf(error)
  return { outcome: 'mistaken', fields: [...new Set(error.violations.map(({ field }) => field))] }
}

async function change(
  app: App,
  person: Person,
  act: (work: Work) => Promise<unknown>,
): Promise<{ readonly outcome: 'done' } | Mistaken | Failure> {
  try {
    await app.store.write(ownOrigin(app, person), act)
    return { outcome: 'done' }
  } catch (error) {
    return mistakenOf(error)
  }
}

/** Changes names and language. An empty display name becomes first and last name. */
export function changeOwnProfile(app: App, person: Person, given: OwnProfile) {
  return change(app, person, async (work) => {
    refuseProblems(profileProblems(given, ''))
    const { state } = await readActiveHuman(work, person.userId)
    const profile = changedProfile(given, state.profile)
    await decideUser(work, person.userId, { type: 'change_profile', profile })
  })
}

/**
 * Makes the verified address the username. Users choose no other name: it would tell which names are taken, or be the
 * address of another person.
 */
export function useAddressAsName(app: App, person: Person): Promise<Done> {
  return attempt(() =>
    app.store.write(ownOrigin(app, person), async (work) => {
      const user = await readActiveHuman(work, person.userId)
      const { email, userName } = user.state
      if (email.isVerified && email.address !== userName) await renameUser(app, work, user, email.address)
    }),
  )
}

/** Sends a code to a new address or number. */
export function replaceOwnContact(
  app: App,
  person: Person,
  given: { readonly contact: Contact; readonly text: string },
) {
  return change(app, person, (work) => replaceContact(app, work, person.userId, given))
}

/** The address or number that waits for its code. */
export function findOwnNewContact(app: App, { userId }: Person, contact: Contact): Promise<string | undefined> {
  return findNewContact(app, userId, contact)
}

/** Takes over the new address or number with its code. */
export function confirmOwnContact(
  app: App,
  person: Person,
  given: { readonly contact: Contact; readonly target: string; readonly code: string },
): Promise<Done> {
  return attempt(() =>
    app.store.write(ownOrigin(app, person), (work) => confirmContact(app, work, person.userId, given)),
  )
}

/** Removes the phone number, and turns off what needs it. */
export function removeOwnPhone(app: App, person: Person): Promise<Done> {
  const { userId } = person
  return attempt(() =>
    app.store.write(ownOrigin(app, person), async (work) => {
      await cancelCode(work, userId, 'phone')
      await decideUser(work, userId, { type: 'remove_phone' })
      await app.lifecycle.whenPhoneRemoved(app, work, userId)
    }),
  )
}

/** Sets the picture; without bytes it is removed. */
export function changeOwnPicture(app: App, person: Person, bytes: Buffer | undefined) {
  return change(app, person, (work) => setPicture(app, work, person.userId, bytes))
}
