/** A user document in the words of the v2 service. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AccessTokenType, Gender, type UserSchema, UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { detailsV2 } from '../../access/details.ts'
import type { Document } from '../../store/index.ts'
import type { PasswordFacts } from './needs.ts'
import { type HumanUser, isLiving, type LivingUser, type MachineUser, type User } from './state.ts'

const STATE = {
  active: UserState.ACTIVE,
  inactive: UserState.INACTIVE,
  locked: UserState.LOCKED,
  initial: UserState.INITIAL,
} as const satisfies Record<LivingUser['status'], UserState>

const GENDER = {
  unspecified: Gender.UNSPECIFIED,
  female: Gender.FEMALE,
  male: Gender.MALE,
  diverse: Gender.DIVERSE,
} as const

function human(userId: string, user: HumanUser, password: PasswordFacts | undefined) {
  return {
    case: 'human' as const,
    value: {
      userId,
      state: STATE[user.status],
      username: user.userName,
      loginNames: [user.userName],
      preferredLoginName: user.userName,
      profile: {
        givenName: user.profile.firstName,
        familyName: user.profile.lastName,
        nickName: user.profile.nickName,
        displayName: user.profile.displayName,
        preferredLanguage: user.profile.preferredLanguage,
        gender: GENDER[user.profile.gender],
      },
      email: { email: user.email.address, isVerified: user.email.isVerified },
      ...(user.phone && { phone: { phone: user.phone.number, isVerified: user.phone.isVerified } }),
      ...(password && {
        passwordChangeRequired: password.changeRequired,
        passwordChanged: timestampFromMs(password.changedAt),
      }),
    },
  }
}

function machine({ name, description, hasSecret, accessTokenType }: MachineUser) {
  return {
    case: 'machine' as const,
    value: {
      name,
      description,
      hasSecret,
      accessTokenType: accessTokenType === 'jwt' ? AccessTokenType.JWT : AccessTokenType.BEARER,
    },
  }
}

/** A user as the v2 service shows it. */
export function userV2(
  document: Document<User>,
  password?: PasswordFacts | undefined,
): MessageInitShape<typeof UserSchema> {
  const { id: userId, state } = document
  const details = detailsV2(document)
  if (!isLiving(state)) return { userId, details, state: UserState.DELETED }
  return {
    userId,
    details,
    state: STATE[state.status],
    username: state.userName,
    loginNames: [state.userName],
    preferredLoginName: state.userName,
    type: state.type === 'human' ? human(userId, state, password) : machine(state),
  }
}
