/** A user document in the words of the v1 services. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AccessTokenType, Gender, type UserSchema, UserState } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { detailsV1 } from '../../access/details.ts'
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

function human({ profile, email, phone }: HumanUser, password: PasswordFacts | undefined) {
  return {
    case: 'human' as const,
    value: {
      profile: { ...profile, gender: GENDER[profile.gender] },
      email: { email: email.address, isEmailVerified: email.isVerified },
      ...(phone && { phone: { phone: phone.number, isPhoneVerified: phone.isVerified } }),
      ...(password && { passwordChanged: timestampFromMs(password.changedAt) }),
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

/** A user as the v1 services show it. */
export function userV1(
  document: Document<User>,
  password?: PasswordFacts | undefined,
): MessageInitShape<typeof UserSchema> {
  const { id, state } = document
  const details = detailsV1(document)
  if (!isLiving(state)) return { id, details, state: UserState.DELETED }
  return {
    id,
    details,
    state: STATE[state.status],
    userName: state.userName,
    loginNames: [state.userName],
    preferredLoginName: state.userName,
    type: state.type === 'human' ? human(state, password) : machine(state),
  }
}
