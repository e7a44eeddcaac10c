/** Converts users to messages of the v1 and v2 services. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  AccessTokenType as AccessTokenTypeV1,
  UserState as StateV1,
  type UserSchema as UserSchemaV1,
} from '../../../contract/gen/signet/user/v1/user_pb.ts'
import {
  AccessTokenType as AccessTokenTypeV2,
  UserState as StateV2,
  type UserSchema as UserSchemaV2,
} from '../../../contract/gen/signet/user/v2/user_pb.ts'
import type { Instant } from '../../kernel/instant.ts'
import { UNDETERMINED } from '../../kernel/languages.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, detailsV2 } from '../../module/details.ts'
import { words } from '../../module/mapped.ts'
import type { Document } from '../../store/index.ts'
import { assetPath } from '../assets/index.ts'
import type { Gender } from './events.ts'
import {
  type HumanUser,
  isLiving,
  type LivingUser,
  type MachineUser,
  shownName,
  type User,
  type UserStatus,
} from './state.ts'

/** The data in replies about a user that is not in the document of the user. */
export interface ShownFacts {
  readonly password?: ShownPassword | undefined
  /** Until when wrong attempts have locked the user; undefined when they have not. */
  readonly lockedUntil?: Instant | undefined
}

/** The data in replies about the password of a human. */
export interface ShownPassword {
  readonly changeRequired: boolean
  readonly changedAt: number
}

/** Until when wrong attempts alone have locked the user: one who may not act for another reason is not asked to wait. */
function lockEnd({ status }: { readonly status: UserStatus }, { lockedUntil }: ShownFacts): Instant | undefined {
  return status === 'active' || status === 'initial' ? lockedUntil : undefined
}

/** A user whom wrong attempts have locked reads as locked while that lasts. */
function shownStatus(state: { readonly status: UserStatus }, facts: ShownFacts): UserStatus {
  return lockEnd(state, facts) === undefined ? state.status : 'locked'
}

const STATES_V1: Readonly<Record<UserStatus, StateV1>> = {
  active: StateV1.ACTIVE,
  inactive: StateV1.INACTIVE,
  locked: StateV1.LOCKED,
  initial: StateV1.INITIAL,
}

const STATES_V2: Readonly<Record<UserStatus, StateV2>> = {
  active: StateV2.ACTIVE,
  inactive: StateV2.INACTIVE,
  locked: StateV2.LOCKED,
  initial: StateV2.INITIAL,
}

/** The numbers are the same in all services. */
export const genders = words(
  { unspecified: 0, female: 1, male: 2, diverse: 3 } as const satisfies Record<Gender, number>,
  'unspecified',
)

/** The URL of the picture; empty when there is none. */
function avatarUrlOf({ avatar }: HumanUser, externalUrl: string): string {
  return avatar === undefined ? '' : new URL(assetPath(avatar), externalUrl).href
}

/** What others call a user who may be read, and the picture. */
export function namesOf({ externalUrl }: App, user: LivingUser) {
  const avatarUrl = user.type === 'human' ? avatarUrlOf(user, externalUrl) : ''
  return { displayName: shownName(user), preferredLoginName: user.userName, avatarUrl }
}

/** The preferred language; `und`, the tag of an undetermined one, when there is none. */
function languageTag({ profile }: HumanUser): string {
  return profile.preferredLanguage || UNDETERMINED
}

/** The profile of a human in the v1 services. */
export function profileV1(user: HumanUser, externalUrl: string) {
  const { profile } = user
  const preferredLanguage = languageTag(user)
  const gender = genders.show(profile.gender)
  return { ...profile, preferredLanguage, gender, avatarUrl: avatarUrlOf(user, externalUrl) }
}

/** The email address of a human in the v1 services. */
export function emailV1({ email }: HumanUser) {
  return { email: email.address, isEmailVerified: email.isVerified }
}

/** The phone number of a human in the v1 services; undefined when there is none. */
export function phoneV1({ phone }: HumanUser) {
  return phone && { phone: phone.number, isPhoneVerified: phone.isVerified }
}

function humanV1(user: HumanUser, password: ShownPassword | undefined, externalUrl: string) {
  const phone = phoneV1(user)
  return {
    case: 'human' as const,
    value: {
      profile: profileV1(user, externalUrl),
      email: emailV1(user),
      phone: phone ?? {},
      ...(password && { passwordChanged: timestampFromMs(password.changedAt) }),
    },
  }
}

function machineV1({ name, description, hasSecret, accessTokenType }: MachineUser) {
  return {
    case: 'machine' as const,
    value: {
      name,
      description,
      hasSecret,
      accessTokenType: accessTokenType === 'jwt' ? AccessTokenTypeV1.JWT : AccessTokenTypeV1.BEARER,
    },
  }
}

/** A user as the v1 services show it. */
export function userV1(
  { externalUrl }: App,
  document: Document<User>,
  facts: ShownFacts = {},
): MessageInitShape<typeof UserSchemaV1> {
  const { id, state } = document
  const details = detailsV1(document)
  if (!isLiving(state)) return { id, details, state: StateV1.DELETED }
  return {
    id,
    details,
    state: STATES_V1[shownStatus(state, facts)],
    userName: state.userName,
    loginNames: [state.userName],
    preferredLoginName: state.userName,
    type: state.type === 'human' ? humanV1(state, facts.password, externalUrl) : machineV1(state),
  }
}

// The fields that `User` itself has are not repeated here, as existing clients expect.
function humanV2(user: HumanUser, password: ShownPassword | undefined, externalUrl: string) {
  return {
    case: 'human' as const,
    value: {
      profile: {
        givenName: user.profile.firstName,
        familyName: user.profile.lastName,
        nickName: user.profile.nickName,
        displayName: user.profile.displayName,
        preferredLanguage: languageTag(user),
        gender: genders.show(user.profile.gender),
        avatarUrl: avatarUrlOf(user, externalUrl),
      },
      email: { email: user.email.address, isVerified: user.email.isVerified },
      // Existing clients look into it without asking whether there is one.
      phone: { phone: user.phone?.number ?? '', isVerified: user.phone?.isVerified ?? false },
      ...(password && {
        passwordChangeRequired: password.changeRequired,
        passwordChanged: timestampFromMs(password.changedAt),
      }),
      ...(user.mfaInitSkippedAt !== undefined && { mfaInitSkipped: timestampFromMs(user.mfaInitSkippedAt) }),
      ...(user.managedBy && {
        managedBy: { directoryId: user.managedBy.directoryId, since: timestampFromMs(user.managedBy.since) },
      }),
    },
  }
}

function machineV2({ name, description, hasSecret, accessTokenType }: MachineUser) {
  return {
    case: 'machine' as const,
    value: {
      name,
      description,
      hasSecret,
      accessTokenType: accessTokenType === 'jwt' ? AccessTokenTypeV2.JWT : AccessTokenTypeV2.BEARER,
    },
  }
}

/** A user as the v2 service shows it. */
export function userV2(
  { externalUrl }: App,
  document: Document<User>,
  facts: ShownFacts = {},
): MessageInitShape<typeof UserSchemaV2> {
  const { id: userId, state } = document
  const details = detailsV2(document)
  if (!isLiving(state)) return { userId, details, state: StateV2.DELETED }
  const lockedUntil = lockEnd(state, facts)
  return {
    userId,
    details,
    state: STATES_V2[shownStatus(state, facts)],
    username: state.userName,
    loginNames: [state.userName],
    preferredLoginName: state.userName,
    invited: state.type === 'human' && state.invitation !== undefined,
    ...(lockedUntil !== undefined && { lockedUntil: timestampFromMs(lockedUntil) }),
    type: state.type === 'human' ? humanV2(state, facts.password, externalUrl) : machineV2(state),
  }
}
