/** Adds or imports a human user: checks everything first, then writes all streams in one commit. */

import type { Call } from '../../../access/call.ts'
import { idProblem } from '../../../kernel/chosen-id.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { checkTogether, type Violation, violationsOf } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { assertIdentityLink, type IdentityLink, type LinkSpeaker } from '../../identity-links/index.ts'
import { findProviderOf } from '../../identity-providers/index.ts'
import { checkMetadataKeys, type NewMetadata, setMetadata } from '../../metadata/index.ts'
import { giveRecoveryCodes, importTotp, totpSecretProblem } from '../../one-time-codes/index.ts'
import { checkNewPassword, hashNewPassword, type NewPassword, setPassword } from '../../passwords/index.ts'
import {
  type FieldProblem,
  type HumanUser,
  lineProblem,
  nameProblem,
  ownWordsOf,
  type Phone,
  type Profile,
  problem,
  refuseProblems,
  requireActiveOrganization,
  requireChosenId,
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
  verificationOfNewUser,
} from '../contact.ts'
import { changedProfile, type ProfileChange, profileProblems } from '../profile.ts'
import { inviteByMail } from './invite-human.ts'
import { verifyEmailBy, verifyPhoneBy } from './verify-contact.ts'

/** A link to an account at an identity provider. */
export type NewLink = Omit<IdentityLink, 'userId'>

/** The password of a new human user. */
export interface GivenPassword extends NewPassword {
  readonly changeRequired: boolean
  /** When it was set; if not given, now. */
  readonly setAt?: Instant | undefined
}

/** A new human user as the caller wrote it. */
export interface HumanDraft {
  /** Chosen by the caller; otherwise generated. */
  readonly userId?: string | undefined
  /** Defaults to the email address. */
  readonly userName?: string | undefined
  readonly profile: ProfileChange
  readonly email: GivenEmail
  readonly phone?: GivenPhone | undefined
  readonly metadata?: readonly NewMetadata[]
  readonly password?: GivenPassword | undefined
  /** The base32 secret of an authenticator app that the user already has. */
  readonly totpSecret?: string | undefined
  /** The step of its last code, which is used up; only of a user in an export. */
  readonly totpStep?: number | undefined
  /** Recovery codes that the user already has: the codes, or their hashes. */
  readonly recoveryCodes?: { readonly raw: readonly string[] } | { readonly hashes: readonly string[] } | undefined
  readonly links?: readonly NewLink[]
  /** Who says that the accounts are the user's; not given: the organization. */
  readonly linkSpeaker?: LinkSpeaker
  /** The user cannot sign in before accepting an invitation, which is sent by email. */
  readonly needsSetUp?: boolean
  /** Since when a user of an export has the name. */
  readonly nameSince?: Instant | undefined
}

/** The field names of the request that a draft is made of. */
export interface DraftFields {
  /** The path of profile, email and phone. */
  readonly prefix: string
  /** The path of user ID, username and metadata. */
  readonly outer: string
  readonly userName: 'username' | 'userName'
  /** The secret of the authenticator app and the parts of a link, where they have other names. */
  readonly totpSecret?: string
  readonly links?: { readonly list: string } & Readonly<Record<LinkPart, string>>
}

type LinkPart = 'idpId' | 'userId' | 'userName'

const LINKS = { list: 'idpLinks', idpId: 'idpId', userId: 'userId', userName: 'userName' } as const

function linkField({ prefix, links = LINKS }: DraftFields, index: number, part: LinkPart): string {
  return `${prefix}${links.list}[${index}].${links[part]}`
}

/** A checked human user who can be added. */
export interface PreparedHuman {
  /** Chosen by the caller; otherwise generated in the write. */
  readonly userId: string | undefined
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
    ...problem('user.field_invalid', `${outer}userId`, userId === undefined ? undefined : idProblem('user', userId)),
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
      `${prefix}${fields.totpSecret ?? 'totpSecret'}`,
      totpSecret === undefined ? undefined : totpSecretProblem(totpSecret),
    ),
    ...links.flatMap(({ externalUserId, externalUserName }, index) => [
      ...problem('user.field_invalid', linkField(fields, index, 'userId'), lineProblem(externalUserId)),
      ...problem('user.field_invalid', linkField(fields, index, 'userName'), lineProblem(externalUserName)),
    ]),
  ]
}

function checksOf(draft: HumanDraft, fields: DraftFields): readonly (() => void)[] {
  return [
    () => refuseProblems(problemsOf(draft, fields)),
    () => checkMetadataKeys(draft.metadata ?? [], `${fields.outer}metadata`),
  ]
}

/** Hashes that cannot be checked here. */
function hashProblems(app: App, { recoveryCodes }: HumanDraft, { prefix }: DraftFields): readonly FieldProblem[] {
  if (recoveryCodes === undefined || 'raw' in recoveryCodes) return []
  return recoveryCodes.hashes.flatMap((hash, index) =>
    problem('user.field_invalid', `${prefix}recoveryCodes[${index}].hash`, app.hashing.checkSecret(hash)?.description),
  )
}

/** The invalid fields of a draft, except what depends on settings: the policy of passwords. */
export function violationsOfDraft(draft: HumanDraft, fields: DraftFields): readonly Violation[] {
  return violationsOf(...checksOf(draft, fields))
}

const DEFAULT: ContactVerification = { type: 'default' }

/** Checks a human user and hashes the password before anything is written. Throws with all invalid fields. */
export async function prepareHuman(
  app: App,
  organizationId: string,
  given: HumanDraft,
  fields: DraftFields,
): Promise<PreparedHuman> {
  // A name is typed or pasted: spaces around it are never meant.
  const draft = { ...given, userName: given.userName?.trim() }
  const { userId, email, password, phone } = draft
  const { userName = email.address } = draft
  const profile = changedProfile(draft.profile)
  const ownWords = ownWordsOf(userName, email.address, profile)
  await checkTogether(
    ...checksOf(draft, fields),
    () => refuseProblems(hashProblems(app, draft, fields)),
    () => password && checkNewPassword(app, password, organizationId, ownWords),
  )
  const number = phone === undefined ? undefined : phoneNumber(phone.text)
  return {
    userId,
    userName,
    organizationId,
    profile,
    draft,
    phone: number === undefined ? undefined : { number, isVerified: knownOf(phone?.verification ?? DEFAULT) === true },
    passwordHash: password && (await hashNewPassword(app, password)),
    fields,
  }
}

export interface AddedHuman {
  readonly user: Document<HumanUser>
  /** Set only if the caller asked for it. */
  readonly emailCode: string | undefined
  readonly phoneCode: string | undefined
}

/** Who says that an account belongs to a user: the organization that the caller speaks for. */
export function linkSpeaker({ instanceId }: App, call: Call): LinkSpeaker {
  return call.may('user.credential.write', instanceId) ? 'instance' : 'organization'
}

/**
 * Throws, and names the field, unless users of this organization can sign in with the provider. Guards the provider.
 */
export async function requireProvider(
  app: App,
  work: Work,
  { idpId, organizationId, field }: { readonly idpId: string; readonly organizationId: string; readonly field: string },
): Promise<void> {
  if ((await findProviderOf(app, idpId, [organizationId, app.instanceId], work)) !== undefined) return
  refuseProblems(problem('user.identity_provider_not_found', field, 'must be the ID of an identity provider'))
}

async function addLinks(app: App, work: Work, userId: string, { draft, organizationId, fields }: PreparedHuman) {
  for (const [index, link] of (draft.links ?? []).entries()) {
    const field = linkField(fields, index, 'idpId')
    await requireProvider(app, work, { idpId: link.idpId, organizationId, field })
    await assertIdentityLink(app, work, { userId, ...link }, organizationId, draft.linkSpeaker ?? 'organization')
  }
}

/** Adds a prepared human user as part of a write, with password, second factor, metadata and links. */
export async function addHuman(app: App, work: Work, prepared: PreparedHuman): Promise<AddedHuman> {
  const { userName, organizationId, profile, phone, draft, passwordHash } = prepared
  const userId = prepared.userId ?? (await work.unusedId(users, app.newId))
  const { email, password, needsSetUp = false, nameSince } = draft
  await requireActiveOrganization(work, organizationId)
  await requireChosenId(app, work, { userId: prepared.userId, organizationId, field: `${prepared.fields.outer}userId` })
  const scope = await scopeForName(app, work, { userId, organizationId, userName })
  const isVerified = knownOf(email.verification) === true
  const isVisitor = work.origin.actor === 'visitor'
  const command = {
    type: 'add_human',
    userName,
    ...scope,
    profile,
    ...(nameSince !== undefined && { nameSince }),
    email: {
      address: email.address,
      isVerified,
      ...(email.known ?? { basis: isVerified || !isVisitor ? 'asserted' : 'typed' }),
    },
    ...(phone && { phone }),
    needsSetUp,
  } as const
  const user = (await work.decide(users, userId, command, organizationId)) as Document<HumanUser>
  if (password !== undefined && passwordHash !== undefined) {
    const { changeRequired, setAt } = password
    await setPassword(work, { userId, owner: organizationId, hash: passwordHash, changeRequired, setAt })
  }
  if (draft.totpSecret !== undefined) {
    await importTotp(app, work, { userId, owner: organizationId }, draft.totpSecret, draft.totpStep)
  }
  if (draft.recoveryCodes !== undefined) {
    await giveRecoveryCodes(app, work, { userId, owner: organizationId }, draft.recoveryCodes)
  }
  await setMetadata(work, { userId, organizationId }, draft.metadata ?? [])
  await addLinks(app, work, userId, prepared)
  const phoneCode = await verifyPhoneBy(app, work, user, verificationOfNewUser(draft.phone?.verification ?? DEFAULT))
  // Accepting the invitation verifies the email address, so one email is enough for both.
  // Who was invited elsewhere is not invited again.
  if (needsSetUp && work.origin.arrival === undefined) await inviteByMail(app, work, user, {})
  const emailCode = needsSetUp
    ? undefined
    : await verifyEmailBy(app, work, user, verificationOfNewUser(email.verification))
  work.putLast(users, userId)
  return { user, emailCode, phoneCode }
}
