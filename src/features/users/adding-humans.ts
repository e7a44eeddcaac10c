/**
 * Adding or importing a person, whoever asks for it and in which words: everything is checked first, then one commit
 * writes all the streams it touches.
 */
import type { Document, Work } from '../../store/index.ts'
import { addIdentityLink } from '../identity-links/index.ts'
import { checkMetadataKeys, type NewMetadata, setMetadata } from '../metadata/index.ts'
import { requireActiveOrganization } from './adding.ts'
import { knownOf, templateOf, type Verification, verifyEmailBy, verifyPhoneBy } from './contact.ts'
import { users } from './documents.ts'
import { emailProblem } from './email.ts'
import type { Phone, Profile } from './events.ts'
import { inviteByMail } from './inviting.ts'
import { scopeForName } from './name-scope.ts'
import { idProblem, lineProblem, nameProblem } from './names.ts'
import type { GivenPassword, SetPassword, UsersNeeds } from './needs.ts'
import { phoneNumber } from './phone.ts'
import { type FieldProblem, problem, refuseProblems } from './problems.ts'
import { changedProfile, type ProfileChange, profileProblems } from './profile.ts'
import type { HumanUser } from './state.ts'

/** A person to be added, as the caller wrote it. */
export interface HumanDraft {
  /** Chosen by the caller; else a new one. */
  readonly userId?: string | undefined
  /** Not given: the e-mail address. */
  readonly userName?: string | undefined
  readonly profile: ProfileChange
  readonly email: { readonly address: string; readonly verification: Verification }
  readonly phone?: { readonly text: string; readonly verification: Verification } | undefined
  readonly metadata?: readonly NewMetadata[]
  readonly password?: GivenPassword | undefined
  /** The secret of an authenticator app that the person uses already, in base32. */
  readonly totpSecret?: string | undefined
  readonly links?: readonly NewLink[]
  /** Nobody can sign in as this person until they accept an invitation, which is mailed to them. */
  readonly needsSetUp?: boolean
}

export interface NewLink {
  readonly idpId: string
  readonly externalUserId: string
  readonly externalUserName: string
}

/** How the request names what a draft is made of. */
export interface DraftFields {
  /** Leads to profile, email and phone. */
  readonly prefix: string
  /** Leads to user id, user name and metadata. */
  readonly outer: string
  readonly userName: 'username' | 'userName'
}

/** A person who has been checked and can be added. */
export interface PreparedHuman {
  readonly userId: string
  readonly userName: string
  readonly organizationId: string
  readonly profile: Profile
  readonly draft: HumanDraft
  readonly phone: Phone | undefined
  readonly setPassword: SetPassword | undefined
  readonly fields: DraftFields
}

const PHONE_PROBLEM = 'must be a phone number, preferably with country code, such as +41 79 123 45 67'

/** What is wrong with an e-mail address and the way it is to be verified. */
export function emailProblems(
  { messages }: Pick<UsersNeeds, 'messages'>,
  { address, verification }: HumanDraft['email'],
  prefix: string,
): readonly FieldProblem[] {
  const template = templateOf(verification)
  return [
    ...problem('user.email_invalid', `${prefix}email`, emailProblem(address)),
    ...problem(
      'user.url_template_invalid',
      `${prefix}sendCode.urlTemplate`,
      template === undefined ? undefined : messages.urlTemplateProblem(template),
    ),
  ]
}

/** What is wrong with a phone number that is not empty. */
export function phoneProblems(text: string, prefix: string): readonly FieldProblem[] {
  return problem('user.phone_invalid', `${prefix}phone`, phoneNumber(text) === undefined ? PHONE_PROBLEM : undefined)
}

function problemsOf(needs: UsersNeeds, draft: HumanDraft, fields: DraftFields): readonly FieldProblem[] {
  const { prefix, outer } = fields
  const { userId, userName, profile, email, phone, totpSecret, links = [] } = draft
  return [
    ...problem('user.field_invalid', `${outer}userId`, userId === undefined ? undefined : idProblem(userId)),
    ...problem(
      'user.username_invalid',
      `${outer}${fields.userName}`,
      userName === undefined ? undefined : nameProblem(userName),
    ),
    ...profileProblems(profile, `${prefix}profile.`),
    ...emailProblems(needs, email, `${prefix}email.`),
    ...(phone === undefined ? [] : phoneProblems(phone.text, `${prefix}phone.`)),
    ...problem(
      'user.totp_secret_invalid',
      `${prefix}totpSecret`,
      totpSecret === undefined ? undefined : needs.totp.problem(totpSecret),
    ),
    ...links.flatMap(({ externalUserId, externalUserName }, index) => [
      ...problem('user.field_invalid', `${prefix}idpLinks[${index}].userId`, lineProblem(externalUserId)),
      ...problem('user.field_invalid', `${prefix}idpLinks[${index}].userName`, lineProblem(externalUserName)),
    ]),
  ]
}

/** Words that must not make up somebody's password. */
export function ownWordsOf(userName: string, email: string, { firstName, lastName, nickName, displayName }: Profile) {
  return [userName, email, firstName, lastName, nickName, displayName].filter((word) => word !== '')
}

/** Checks a person and hashes the password, before anything is written. Throws with every field that cannot be used. */
export async function prepareHuman(
  needs: UsersNeeds,
  organizationId: string,
  draft: HumanDraft,
  fields: DraftFields,
): Promise<PreparedHuman> {
  refuseProblems(problemsOf(needs, draft, fields))
  checkMetadataKeys(draft.metadata ?? [], `${fields.outer}metadata`)
  const { userId = needs.newId(), email, password, phone } = draft
  const { userName = email.address } = draft
  const profile = changedProfile(draft.profile)
  const number = phone === undefined ? undefined : phoneNumber(phone.text)
  const ownWords = ownWordsOf(userName, email.address, profile)
  return {
    userId,
    userName,
    organizationId,
    profile,
    draft,
    phone: number === undefined ? undefined : { number, isVerified: knownOf(phone?.verification ?? NOTHING) === true },
    setPassword: password && (await needs.passwords.prepare(password, organizationId, ownWords)),
    fields,
  }
}

const NOTHING: Verification = { type: 'default' }

export interface AddedHuman {
  readonly user: Document<HumanUser>
  /** Only when the caller asked for it. */
  readonly emailCode: string | undefined
  readonly phoneCode: string | undefined
}

async function addLinks(needs: UsersNeeds, work: Work, { draft, userId, organizationId, fields }: PreparedHuman) {
  for (const [index, link] of (draft.links ?? []).entries()) {
    if (!(await needs.findIdentityProvider(work, link.idpId, organizationId))) {
      const field = `${fields.prefix}idpLinks[${index}].idpId`
      refuseProblems(problem('user.identity_provider_not_found', field, 'must be the ID of an identity provider'))
    }
    await addIdentityLink(work, { userId, ...link }, organizationId)
  }
}

/** Adds a prepared person as part of a write, with all that belongs to them. */
export async function addHuman(needs: UsersNeeds, work: Work, prepared: PreparedHuman): Promise<AddedHuman> {
  const { userId, userName, organizationId, profile, phone, draft, setPassword } = prepared
  const { email, needsSetUp = false } = draft
  await requireActiveOrganization(work, organizationId)
  const scope = await scopeForName(needs.store, work, { userId, organizationId, userName })
  const command = {
    type: 'add_human',
    userName,
    ...scope,
    profile,
    email: { address: email.address, isVerified: knownOf(email.verification) === true },
    ...(phone && { phone }),
    needsSetUp,
  } as const
  const user = (await work.decide(users, userId, command, organizationId)) as Document<HumanUser>
  await setPassword?.(work, userId)
  if (draft.totpSecret !== undefined) {
    await needs.totp.set(work, { userId, owner: organizationId }, draft.totpSecret)
  }
  await setMetadata(work, { userId, organizationId }, draft.metadata ?? [])
  await addLinks(needs, work, prepared)
  const phoneCode = await verifyPhoneBy(needs, work, user, draft.phone?.verification ?? NOTHING)
  if (needsSetUp) {
    // Accepting the invitation verifies the address, so that one mail does for both.
    await inviteByMail(needs, work, user, {})
    return { user, emailCode: undefined, phoneCode }
  }
  return { user, emailCode: await verifyEmailBy(needs, work, user, email.verification), phoneCode }
}
