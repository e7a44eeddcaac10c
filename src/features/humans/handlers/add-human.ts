/** Adds or imports a human: everything is checked first, then one commit writes all the streams it touches. */
import type { App } from '../../../access/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { addIdentityLink, type IdentityLink } from '../../identity-links/index.ts'
import { findProviderOf } from '../../identity-providers/index.ts'
import { checkMetadataKeys, type NewMetadata, setMetadata } from '../../metadata/index.ts'
import { importTotp, totpSecretProblem } from '../../one-time-codes/index.ts'
import { type NewPassword, preparePassword, setPassword } from '../../passwords/index.ts'
import {
  type FieldProblem,
  type HumanUser,
  idProblem,
  lineProblem,
  nameProblem,
  ownWordsOf,
  type Phone,
  type Profile,
  problem,
  refuseProblems,
  requireActiveOrganization,
  scopeForName,
  users,
} from '../../users/index.ts'
import {
  type ContactVerification,
  emailProblems,
  type GivenEmail,
  type GivenPhone,
  knownOf,
  phoneNumber,
  phoneProblems,
} from '../contact.ts'
import { changedProfile, type ProfileChange, profileProblems } from '../profile.ts'
import { inviteByMail } from './invite-human.ts'
import { verifyEmailBy, verifyPhoneBy } from './verify-contact.ts'

/** A link to an account at an identity provider. */
export type NewLink = Omit<IdentityLink, 'userId'>

/** The password of a human who is added. */
export interface GivenPassword extends NewPassword {
  readonly changeRequired: boolean
}

/** A human to be added, as the caller wrote it. */
export interface HumanDraft {
  /** Chosen by the caller; else a new one. */
  readonly userId?: string | undefined
  /** Not given: the e-mail address. */
  readonly userName?: string | undefined
  readonly profile: ProfileChange
  readonly email: GivenEmail
  readonly phone?: GivenPhone | undefined
  readonly metadata?: readonly NewMetadata[]
  readonly password?: GivenPassword | undefined
  /** The secret of an authenticator app that the human uses already, in base32. */
  readonly totpSecret?: string | undefined
  readonly links?: readonly NewLink[]
  /** The human cannot sign in before accepting an invitation, which is mailed. */
  readonly needsSetUp?: boolean
}

/** What the request calls the fields that a draft is made of. */
export interface DraftFields {
  /** Leads to profile, email and phone. */
  readonly prefix: string
  /** Leads to user id, user name and metadata. */
  readonly outer: string
  readonly userName: 'username' | 'userName'
}

/** A human who has been checked and can be added. */
export interface PreparedHuman {
  readonly userId: string
  readonly userName: string
  readonly organizationId: string
  readonly profile: Profile
  readonly draft: HumanDraft
  readonly phone: Phone | undefined
  readonly passwordHash: string | undefined
  readonly fields: DraftFields
}

function problemsOf(draft: HumanDraft, fields: DraftFields): readonly FieldProblem[] {
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
    ...emailProblems(email, `${prefix}email.`),
    ...(phone === undefined ? [] : phoneProblems(phone.text, `${prefix}phone.`)),
    ...problem(
      'user.totp_secret_invalid',
      `${prefix}totpSecret`,
      totpSecret === undefined ? undefined : totpSecretProblem(totpSecret),
    ),
    ...links.flatMap(({ externalUserId, externalUserName }, index) => [
      ...problem('user.field_invalid', `${prefix}idpLinks[${index}].userId`, lineProblem(externalUserId)),
      ...problem('user.field_invalid', `${prefix}idpLinks[${index}].userName`, lineProblem(externalUserName)),
    ]),
  ]
}

const DEFAULT: ContactVerification = { type: 'default' }

/** Checks a human and hashes the password, before anything is written. Throws with every field that cannot be used. */
export async function prepareHuman(
  app: App,
  organizationId: string,
  draft: HumanDraft,
  fields: DraftFields,
): Promise<PreparedHuman> {
  refuseProblems(problemsOf(draft, fields))
  checkMetadataKeys(draft.metadata ?? [], `${fields.outer}metadata`)
  const { userId = app.newId(), email, password, phone } = draft
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
    phone: number === undefined ? undefined : { number, isVerified: knownOf(phone?.verification ?? DEFAULT) === true },
    passwordHash: password && (await preparePassword(app, password, organizationId, ownWords)),
    fields,
  }
}

export interface AddedHuman {
  readonly user: Document<HumanUser>
  /** Only when the caller asked for it. */
  readonly emailCode: string | undefined
  readonly phoneCode: string | undefined
}

/** Throws, naming the field, unless humans of this organization can sign in with the provider; guards it. */
export async function requireProvider(
  app: App,
  work: Work,
  { idpId, organizationId, field }: { readonly idpId: string; readonly organizationId: string; readonly field: string },
): Promise<void> {
  if ((await findProviderOf(app, idpId, [organizationId, app.instanceId], work)) !== undefined) return
  refuseProblems(problem('user.identity_provider_not_found', field, 'must be the id of an identity provider'))
}

async function addLinks(app: App, work: Work, { draft, userId, organizationId, fields }: PreparedHuman) {
  for (const [index, link] of (draft.links ?? []).entries()) {
    const field = `${fields.prefix}idpLinks[${index}].idpId`
    await requireProvider(app, work, { idpId: link.idpId, organizationId, field })
    await addIdentityLink(app, work, { userId, ...link }, organizationId)
  }
}

/** Adds a prepared human as part of a write, with password, second factor, metadata and links. */
export async function addHuman(app: App, work: Work, prepared: PreparedHuman): Promise<AddedHuman> {
  const { userId, userName, organizationId, profile, phone, draft, passwordHash } = prepared
  const { email, password, needsSetUp = false } = draft
  await requireActiveOrganization(work, organizationId)
  const scope = await scopeForName(app, work, { userId, organizationId, userName })
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
  if (password !== undefined && passwordHash !== undefined) {
    const { changeRequired } = password
    await setPassword(work, { userId, owner: organizationId, hash: passwordHash, changeRequired })
  }
  if (draft.totpSecret !== undefined) {
    await importTotp(app, work, { userId, owner: organizationId }, draft.totpSecret)
  }
  await setMetadata(work, { userId, organizationId }, draft.metadata ?? [])
  await addLinks(app, work, prepared)
  const phoneCode = await verifyPhoneBy(app, work, user, draft.phone?.verification ?? DEFAULT)
  if (needsSetUp) {
    // Accepting the invitation verifies the address, so one mail is enough for both.
    await inviteByMail(app, work, user, {})
    return { user, emailCode: undefined, phoneCode }
  }
  return { user, emailCode: await verifyEmailBy(app, work, user, email.verification), phoneCode }
}
