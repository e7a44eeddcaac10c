/** Changes human users in one commit. Fields that are not given do not change. */

import type { Call } from '../../../access/call.ts'
import { requireFreshSignIn } from '../../../access/fresh-sign-in.ts'
import { actingUser } from '../../../kernel/actor.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { prepareChange, type ReplacedPassword } from '../../passwords/index.ts'
import {
  checkUserName,
  decideUser,
  type HumanUser,
  type LivingUser,
  readHuman,
  refuseProblems,
  renameUser,
  requireHuman,
  requireOwnName,
} from '../../users/index.ts'
import { cancelCode } from '../../verifications/index.ts'
import {
  type DecidedVerification,
  decideVerification,
  emailProblems,
  type GivenEmail,
  type GivenPhone,
  knownOf,
  phoneNumber,
  phoneProblems,
} from '../contact.ts'
import { changedProfile, type ProfileChange, profileProblems } from '../profile.ts'
import { verifyEmailBy, verifyPhoneBy } from './verify-contact.ts'

/** The changes to a human user as the caller wrote them. */
export interface HumanChange {
  readonly userName?: string | undefined
  readonly profile?: ProfileChange | undefined
  readonly email?: GivenEmail | undefined
  /** An empty text removes the number. */
  readonly phone?: GivenPhone | undefined
  readonly password?: ReplacedPassword | undefined
}

interface DecidedChange extends Omit<HumanChange, 'email' | 'phone'> {
  readonly email?: GivenEmail<DecidedVerification> | undefined
  readonly phone?: GivenPhone<DecidedVerification> | undefined
}

export interface ChangedHuman {
  readonly user: Document<HumanUser>
  readonly emailCode?: string | undefined
  readonly phoneCode?: string | undefined
}

/** Changes the email address of a human user as part of a write, or whether it is verified. */
export async function changeEmail(
  app: App,
  work: Work,
  userId: string,
  { address, verification }: GivenEmail<DecidedVerification>,
): Promise<string | undefined> {
  const isVerified = knownOf(verification)
  const { actor, at } = work.origin
  // To declare an address verified takes the power over the user; what users only type for themselves proves nothing.
  const basis = isVerified !== true && actingUser(actor) === userId ? 'typed' : 'asserted'
  const command = { type: 'change_email', address, isVerified, basis, at } as const
  const user = (await decideUser(work, userId, command)) as Document<HumanUser>
  // A new code invalidates the old one. If no code is created, the old one must be invalidated too.
  if (verification.type === 'known') await cancelCode(work, userId, 'email')
  return verifyEmailBy(app, work, user, verification)
}

/** Changes or removes the phone number of a human user as part of a write. */
export async function changePhone(
  app: App,
  work: Work,
  userId: string,
  { text, verification }: GivenPhone<DecidedVerification>,
): Promise<string | undefined> {
  const number = phoneNumber(text)
  if (number === undefined || verification.type === 'known') await cancelCode(work, userId, 'phone')
  if (number === undefined) {
    await decideUser(work, userId, { type: 'remove_phone' })
    await app.lifecycle.whenPhoneRemoved(app, work, userId)
    return undefined
  }
  const command = { type: 'change_phone', number, isVerified: knownOf(verification) } as const
  const user = (await decideUser(work, userId, command)) as Document<HumanUser>
  return verifyPhoneBy(app, work, user, verification)
}

async function writeChange(
  app: App,
  work: Work,
  userId: string,
  { userName, profile, email, phone }: DecidedChange,
): Promise<Pick<ChangedHuman, 'emailCode' | 'phoneCode'>> {
  const before = await readHuman(work, userId)
  if (userName !== undefined) await renameUser(app, work, before, userName)
  if (profile !== undefined) {
    const changed = changedProfile(profile, before.state.profile)
    await decideUser(work, userId, { type: 'change_profile', profile: changed })
  }
  const emailCode = email && (await changeEmail(app, work, userId, email))
  // An empty text changes nothing when there is no number.
  const isPhoneTouched = phone !== undefined && (phone.text !== '' || before.state.phone !== undefined)
  const phoneCode = isPhoneTouched ? await changePhone(app, work, userId, phone) : undefined
  return { emailCode, phoneCode }
}

/** Throws, and names all fields, unless a change is valid; `prefix` is its path in the request. */
function checkChange({ userName, profile, email, phone }: HumanChange, prefix: string): void {
  if (userName !== undefined) checkUserName('username', userName)
  refuseProblems([
    ...(profile === undefined ? [] : profileProblems(profile, `${prefix}profile.`)),
    ...(email === undefined ? [] : emailProblems(email, `${prefix}email.`)),
    ...(phone === undefined || phone.text === '' ? [] : phoneProblems(phone.text, `${prefix}phone.`)),
  ])
}

/** Changes a human user to what another product has now, as part of a write. Nobody is asked to verify anything. */
export async function followHuman(app: App, work: Work, userId: string, change: DecidedChange): Promise<void> {
  checkChange(change, '')
  await writeChange(app, work, userId, change)
}

/** What else is done in the commit of a change. */
export interface ChangeSteps {
  /** Before the change: it can refuse it. */
  readonly first?: (work: Work) => Promise<void>
  readonly last?: (work: Work) => Promise<unknown>
}

/** Changes a human user in one commit, together with `steps`; `prefix` is the path of the change in the request. */
export async function changeHuman(
  app: App,
  call: Call,
  user: Document<LivingUser>,
  change: HumanChange,
  prefix: string,
  { first, last }: ChangeSteps = {},
): Promise<Written<ChangedHuman>> {
  const human = requireHuman(user)
  const { email, phone, userName } = change
  if (email !== undefined || phone !== undefined || userName !== undefined) requireFreshSignIn(call, human.id)
  if (userName !== undefined) requireOwnName(call, human, userName)
  const decided: DecidedChange = {
    ...change,
    email: email && { ...email, verification: await decideVerification(app, call, human, email.verification) },
    phone: phone && { ...phone, verification: await decideVerification(app, call, human, phone.verification) },
  }
  checkChange(change, prefix)
  const setPassword = change.password && (await prepareChange(app, change.password, call, human))
  return app.store.write(call.origin, async (work) => {
    await first?.(work)
    const codes = await writeChange(app, work, user.id, decided)
    await setPassword?.(work)
    const changed = { user: await readHuman(work, user.id), ...codes }
    await last?.(work)
    return changed
  })
}
