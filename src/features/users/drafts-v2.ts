/** People in the words of the v2 service, as this room understands them. */

import type { SetHumanEmail } from '../../../contract/gen/signet/user/v2/email_pb.ts'
import type { AddHumanUserRequest, IDPLink, SetHumanProfile } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import type { CreateUserRequest_Human } from '../../../contract/gen/signet/user/v2/lifecycle_pb.ts'
import type { HashedPassword, Password, SetPassword } from '../../../contract/gen/signet/user/v2/password_pb.ts'
import type { SetHumanPhone } from '../../../contract/gen/signet/user/v2/phone_pb.ts'
import { Gender as GenderV2 } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import type { DraftFields, HumanDraft, NewLink } from './adding-humans.ts'
import { verificationOf } from './contact.ts'
import type { Gender } from './events.ts'
import type { GivenPassword, ReplacedPassword } from './needs.ts'
import type { ProfileChange } from './profile.ts'

const GENDERS: Readonly<Record<GenderV2, Gender>> = {
  [GenderV2.UNSPECIFIED]: 'unspecified',
  [GenderV2.FEMALE]: 'female',
  [GenderV2.MALE]: 'male',
  [GenderV2.DIVERSE]: 'diverse',
}

/** A gender of the contract; not given stays not given. */
export function genderOf(gender: GenderV2 | undefined): Gender | undefined {
  return gender === undefined ? undefined : GENDERS[gender]
}

type ProfileMessage = {
  readonly [Name in Exclude<keyof SetHumanProfile, '$typeName' | '$unknown'>]?: SetHumanProfile[Name] | undefined
}

/** A profile, or what is given of one. */
export function profileOf(profile: ProfileMessage): ProfileChange {
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    nickName: profile.nickName,
    displayName: profile.displayName,
    preferredLanguage: profile.preferredLanguage,
    gender: genderOf(profile.gender),
  }
}

/** An e-mail address and how it is to be verified. */
export function emailOf({ email, verification }: SetHumanEmail) {
  return {
    address: email,
    verification: verificationOf(verification),
  }
}

/** A phone number and how it is to be verified. */
export function phoneOf({ phone, verification }: SetHumanPhone) {
  return {
    text: phone,
    verification: verificationOf(verification),
  }
}

/** The oneof of a password and a hash. */
type PasswordMessage =
  | { readonly case: 'password'; readonly value: Password }
  | { readonly case: 'hashedPassword'; readonly value: HashedPassword }
  | { readonly case: undefined; readonly value?: undefined }

/** The password of a message; `prefix` leads to it. */
export function passwordOf(message: PasswordMessage, prefix: string): GivenPassword | undefined {
  switch (message.case) {
    case 'password': {
      const { password, changeRequired } = message.value
      return { password: { plain: password }, changeRequired, field: `${prefix}password.password` }
    }
    case 'hashedPassword': {
      const { hash, changeRequired } = message.value
      return { password: { hash }, changeRequired, field: `${prefix}hashedPassword.hash` }
    }
    case undefined:
      return undefined
  }
}

function proofOf({ verification }: SetPassword): ReplacedPassword['proof'] {
  switch (verification.case) {
    case 'currentPassword':
      return { currentPassword: verification.value }
    case 'verificationCode':
      return { verificationCode: verification.value }
    case undefined:
      return undefined
  }
}

/** A new password for somebody who is there. */
export function replacedPasswordOf(message: SetPassword | undefined, prefix: string): ReplacedPassword | undefined {
  const given = message && passwordOf(message.passwordType, prefix)
  return given && message && { ...given, proof: proofOf(message) }
}

function linkOf({ idpId, userId, userName }: IDPLink): NewLink {
  return {
    idpId,
    externalUserId: userId,
    externalUserName: userName,
  }
}

/** How a request for a person names its fields; `outer` leads to the whole. */
export function fieldsOfHuman(outer = ''): DraftFields {
  return { prefix: outer, outer, userName: 'username' }
}

type HumanMessage = Pick<
  AddHumanUserRequest,
  'profile' | 'email' | 'phone' | 'passwordType' | 'idpLinks' | 'totpSecret'
>

function draftOf({ profile, email, phone, passwordType, idpLinks, totpSecret }: HumanMessage, prefix: string) {
  return {
    profile: profileOf(profile ?? {}),
    email: email === undefined ? { address: '', verification: { type: 'default' } as const } : emailOf(email),
    // An empty number is no number.
    phone: phone === undefined || phone.phone === '' ? undefined : phoneOf(phone),
    password: passwordOf(passwordType, prefix),
    links: idpLinks.map(linkOf),
    totpSecret,
  }
}

/** The person of an AddHumanUser request. */
export function draftOfHuman(request: AddHumanUserRequest, { prefix }: DraftFields = fieldsOfHuman()): HumanDraft {
  return {
    ...draftOf(request, prefix),
    userId: request.userId,
    userName: request.username,
    metadata: request.metadata,
  }
}

/** The person of a CreateUser request, but for what is beside it. */
export function draftOfCreated(human: CreateUserRequest_Human): HumanDraft {
  return draftOf({ ...human, phone: human.phone, totpSecret: human.totpSecret }, 'human.')
}
