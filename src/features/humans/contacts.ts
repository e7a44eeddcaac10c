/** Changes and verifies email addresses and phone numbers of human users for a caller, alike in the v1 and v2 services. */

import type { Call } from '../../access/call.ts'
import { holdsEverywhere } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Details, detailsV2, touchedV2 } from '../../module/details.ts'
import type { Document, Work } from '../../store/index.ts'
import { TO_THE_USER } from '../messages/index.ts'
import {
  type HumanUser,
  isLiving,
  readHuman,
  refuseProblems,
  requireHuman,
  userRefusals,
  users,
  userToChange,
} from '../users/index.ts'
import { verificationRefusals } from '../verifications/index.ts'
import {
  type ContactVerification,
  type DecidedVerification,
  decideVerification,
  emailProblems,
  type GivenEmail,
  type GivenPhone,
  phoneProblems,
  templateProblems,
} from './contact.ts'
import { changeEmail, changePhone } from './handlers/change-human.ts'
import {
  hasEmailCode,
  sendEmailCode,
  verifyEmail,
  verifyEmailBy,
  verifyPhone,
  verifyPhoneBy,
} from './handlers/verify-contact.ts'

/** What a change of a contact answers. The code only if the caller asked for it. */
export interface ChangedContact {
  details: Details
  verificationCode?: string
}

/**
 * The human user whose code is given. If the user does not exist, callers who may not read all users get the response
 * to a wrong code, so that trying codes does not reveal who exists.
 */
export async function humanForCode(app: App, call: Call, userId: string): Promise<Document<HumanUser>> {
  const user = await app.store.get(users, userId)
  if (user !== undefined && isLiving(user.state) && user.state.type === 'human') return user as Document<HumanUser>
  const mayKnow =
    user === undefined ? holdsEverywhere(call.caller.grants, 'user.read') : call.may('user.read', user.owner)
  if (!mayKnow) throw refused(verificationRefusals, 'verification.code_invalid')
  throw refused(userRefusals, user === undefined ? 'user.not_found' : 'user.not_human')
}

async function decideFor(app: App, call: Call, userId: string, verification: ContactVerification) {
  return decideVerification(app, call, requireHuman(await userToChange(app, call, userId)), verification)
}

/** Writes a change to a human user and returns the code, if the caller asked for it. */
async function withCode(
  app: App,
  call: Call,
  userId: string,
  write: (work: Work, user: Document<HumanUser>) => Promise<string | undefined>,
): Promise<ChangedContact> {
  const { value, hasChanged } = await app.store.write(call.origin, async (work) => {
    const code = await write(work, await readHuman(work, userId))
    return { code, user: await readHuman(work, userId) }
  })
  const { code, user } = value
  return {
    details: hasChanged ? touchedV2(user, call.at) : detailsV2(user),
    ...(code !== undefined && { verificationCode: code }),
  }
}

/** A method that sends codes does so by default, and is refused when no code can be sent. */
function sentByDefault(verification: DecidedVerification): DecidedVerification {
  return verification.type === 'default' ? TO_THE_USER : verification
}

/** Changes the email address of a human user. */
export async function setEmailFor(app: App, call: Call, userId: string, email: GivenEmail): Promise<ChangedContact> {
  const verification = await decideFor(app, call, userId, email.verification)
  refuseProblems(emailProblems(email, ''))
  return withCode(app, call, userId, (work) => changeEmail(app, work, userId, { ...email, verification }))
}

/** Makes a code for the email address of a human user. `isAgain`: only if it is not verified and a code was made before. */
export async function sendEmailCodeFor(
  app: App,
  call: Call,
  userId: string,
  { verification: asked, isAgain }: { readonly verification: ContactVerification; readonly isAgain: boolean },
): Promise<ChangedContact> {
  const verification = await decideFor(app, call, userId, asked)
  refuseProblems(templateProblems(asked, ''))
  return withCode(app, call, userId, async (work, user) => {
    // A code for a verified address proves that the user still reads it.
    if (!isAgain) return sendEmailCode(app, work, user, sentByDefault(verification))
    if (!user.state.email.isVerified && !(await hasEmailCode(app, user))) throw refused(userRefusals, 'user.no_code')
    return verifyEmailBy(app, work, user, sentByDefault(verification))
  })
}

/** Verifies the email address of a human user with a code. */
export async function verifyEmailFor(app: App, call: Call, userId: string, code: string): Promise<ChangedContact> {
  await humanForCode(app, call, userId)
  const { value } = await app.store.write(call.origin, (work) => verifyEmail(app, work, userId, code))
  return { details: detailsV2(value) }
}

/** Changes the phone number of a human user. */
export async function setPhoneFor(app: App, call: Call, userId: string, phone: GivenPhone): Promise<ChangedContact> {
  const verification = await decideFor(app, call, userId, phone.verification)
  refuseProblems(phoneProblems(phone.text, ''))
  return withCode(app, call, userId, (work) => changePhone(app, work, userId, { ...phone, verification }))
}

/** Removes the phone number of a human user. */
export async function removePhoneFor(app: App, call: Call, userId: string): Promise<ChangedContact> {
  requireHuman(await userToChange(app, call, userId))
  const removed = { text: '', verification: { type: 'default' } } as const
  return withCode(app, call, userId, (work) => changePhone(app, work, userId, removed))
}

/** Makes a code for the phone number of a human user. */
export async function sendPhoneCodeFor(
  app: App,
  call: Call,
  userId: string,
  given: ContactVerification,
): Promise<ChangedContact> {
  const verification = sentByDefault(await decideFor(app, call, userId, given))
  return withCode(app, call, userId, (work, user) => {
    if (user.state.phone === undefined) throw refused(userRefusals, 'user.no_phone')
    return verifyPhoneBy(app, work, user, verification)
  })
}

/** Verifies the phone number of a human user with a code. */
export async function verifyPhoneFor(app: App, call: Call, userId: string, code: string): Promise<ChangedContact> {
  await humanForCode(app, call, userId)
  const { value } = await app.store.write(call.origin, (work) => verifyPhone(app, work, userId, code))
  return { details: detailsV2(value) }
}
