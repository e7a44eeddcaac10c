/** Changing people, whoever asks for it and in which words: what is given changes, in one commit, and the rest stays. */
import type { Call } from '../../access/call.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { cancelCode } from '../verifications/index.ts'
import { emailProblems, phoneProblems } from './adding-humans.ts'
import { knownOf, needsWriter, type Verification, verifyEmailBy, verifyPhoneBy } from './contact.ts'
import { users } from './documents.ts'
import { scopeForName } from './name-scope.ts'
import { nameProblem } from './names.ts'
import type { SetPassword, UsersNeeds } from './needs.ts'
import { phoneNumber } from './phone.ts'
import { problem, refuseProblems } from './problems.ts'
import { changedProfile, type ProfileChange, profileProblems } from './profile.ts'
import { userRefusals } from './refusals.ts'
import type { HumanUser, LivingUser, User } from './state.ts'

/** What is to change about a person, as the caller wrote it. */
export interface HumanChange {
  readonly userName?: string | undefined
  readonly profile?: ProfileChange | undefined
  readonly email?: { readonly address: string; readonly verification: Verification } | undefined
  /** An empty text: no phone number any more. */
  readonly phone?: { readonly text: string; readonly verification: Verification } | undefined
}

/** Narrows to a person. */
export function requireHuman(user: Document<LivingUser>): Document<HumanUser> {
  if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_human')
  return user as Document<HumanUser>
}

/** The person as the work sees them; gone means not found. */
export async function readHuman(work: Work, userId: string): Promise<Document<HumanUser>> {
  const user = await work.get(users, userId)
  if (user === undefined) throw refused(userRefusals, 'user.not_found')
  return requireHuman(user as Document<LivingUser>)
}

/**
 * What the method's own permission does not cover: who acts on themself can neither vouch for an address nor see its
 * code, and who acts on others must hold all that they hold, for an address is a way to become somebody.
 */
export async function checkVerifications(
  { checkCovered }: UsersNeeds,
  call: Call,
  { id, owner }: Document<LivingUser>,
  verifications: readonly Verification[],
): Promise<void> {
  if (verifications.some(needsWriter) && !call.may('user.write', owner))
    throw refused(accessRefusals, 'access.forbidden')
  if (call.caller.userId !== id) await checkCovered(call, id)
}

/** Throws, naming every field, unless a change can be made; `prefix` leads to it in the request. */
export function checkHumanChange(needs: UsersNeeds, { profile, email, phone }: HumanChange, prefix = ''): void {
  refuseProblems([
    ...(profile === undefined ? [] : profileProblems(profile, `${prefix}profile.`)),
    ...(email === undefined ? [] : emailProblems(needs, email, `${prefix}email.`)),
    ...(phone === undefined || phone.text === '' ? [] : phoneProblems(phone.text, `${prefix}phone.`)),
  ])
}

/** Throws unless this can be a user name. */
export function checkNewUserName(userName: string | undefined): void {
  refuseProblems(
    problem('user.username_invalid', 'username', userName === undefined ? undefined : nameProblem(userName)),
  )
}

/** Gives a user another name as part of a write; the name they have is no change. */
export async function renameUser(needs: UsersNeeds, work: Work, user: Document<User>, userName: string) {
  if ('userName' in user.state && user.state.userName === userName) return user
  const scope = await scopeForName(needs.store, work, { userId: user.id, organizationId: user.owner, userName })
  return work.decide(users, user.id, { type: 'change_username', userName, ...scope })
}

export interface ChangedHuman {
  readonly user: Document<HumanUser>
  readonly emailCode?: string | undefined
  readonly phoneCode?: string | undefined
}

/** Gives a person another e-mail address as part of a write, or the same one another standing. */
export async function changeEmail(
  needs: UsersNeeds,
  work: Work,
  userId: string,
  { address, verification }: NonNullable<HumanChange['email']>,
): Promise<string | undefined> {
  const command = { type: 'change_email', address, isVerified: knownOf(verification) } as const
  const user = (await work.decide(users, userId, command)) as Document<HumanUser>
  // A new code ends the old one; where none is made, the old one must not prove anything either.
  if (verification.type === 'known') await cancelCode(work, userId, 'email')
  return verifyEmailBy(needs, work, user, verification)
}

/** Gives a person another phone number as part of a write, or takes it away. */
export async function changePhone(
  needs: UsersNeeds,
  work: Work,
  userId: string,
  { text, verification }: NonNullable<HumanChange['phone']>,
): Promise<string | undefined> {
  const number = phoneNumber(text)
  if (number === undefined || verification.type === 'known') await cancelCode(work, userId, 'phone')
  if (number === undefined) {
    await work.decide(users, userId, { type: 'remove_phone' })
    for (const step of needs.whenPhoneRemoved) await step(work, userId)
    return undefined
  }
  const command = { type: 'change_phone', number, isVerified: knownOf(verification) } as const
  const user = (await work.decide(users, userId, command)) as Document<HumanUser>
  return verifyPhoneBy(needs, work, user, verification)
}

/** Makes a checked change as part of a write. */
export async function changeHuman(
  needs: UsersNeeds,
  work: Work,
  userId: string,
  { userName, profile, email, phone }: HumanChange,
  setPassword?: SetPassword,
): Promise<ChangedHuman> {
  const before = await readHuman(work, userId)
  if (userName !== undefined) await renameUser(needs, work, before, userName)
  if (profile !== undefined) {
    const changed = changedProfile(profile, before.state.profile)
    await work.decide(users, userId, { type: 'change_profile', profile: changed })
  }
  const emailCode = email && (await changeEmail(needs, work, userId, email))
  // Without a number there is none to take away.
  const isPhoneTouched = phone !== undefined && (phone.text !== '' || before.state.phone !== undefined)
  const phoneCode = isPhoneTouched ? await changePhone(needs, work, userId, phone) : undefined
  await setPassword?.(work, userId)
  return { user: await readHuman(work, userId), emailCode, phoneCode }
}
