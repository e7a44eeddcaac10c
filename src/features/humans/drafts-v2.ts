/** Converts v2 requests for human users to drafts and changes. */
import type { SetHumanEmail } from '../../../contract/gen/signet/user/v2/email_pb.ts'
import type { AddHumanUserRequest, IDPLink, SetHumanProfile } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import type { CreateUserRequest_Human } from '../../../contract/gen/signet/user/v2/lifecycle_pb.ts'
import type { HashedPassword, Password, SetPassword } from '../../../contract/gen/signet/user/v2/password_pb.ts'
import type { SetHumanPhone } from '../../../contract/gen/signet/user/v2/phone_pb.ts'
import type { ReplacedPassword } from '../passwords/index.ts'
import { genders } from '../users/index.ts'
import { type GivenEmail, type GivenPhone, verificationOf } from './contact.ts'
import type { DraftFields, GivenPassword, HumanDraft, NewLink } from './handlers/add-human.ts'
import type { HumanChange } from './handlers/change-human.ts'
import type { ProfileChange } from './profile.ts'

type ProfileMessage = {
  readonly [Name in Exclude<keyof SetHumanProfile, '$typeName' | '$unknown'>]?: SetHumanProfile[Name] | undefined
}

function profileOf(profile: ProfileMessage): ProfileChange {
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    nickName: profile.nickName,
    displayName: profile.displayName,
    preferredLanguage: profile.preferredLanguage,
    gender: profile.gender === undefined ? undefined : genders.read(profile.gender),
  }
}

function emailOf({ email, verification }: SetHumanEmail): GivenEmail {
  return { address: email, verification: verificationOf(verification) }
}

function phoneOf({ phone, verification }: SetHumanPhone): GivenPhone {
  return { text: phone, verification: verificationOf(verification) }
}

/** The oneof of a password and a hash. */
type PasswordMessage =
  | { readonly case: 'password'; readonly value: Password }
  | { readonly case: 'hashedPassword'; readonly value: HashedPassword }
  | { readonly case: undefined; readonly value?: undefined }

/** The password of a message; `prefix` is its path. */
function passwordOf(message: PasswordMessage, prefix: string): GivenPassword | undefined {
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

function replacedPasswordOf(message: SetPassword | undefined, prefix: string): ReplacedPassword | undefined {
  const given = message && passwordOf(message.passwordType, prefix)
  return given && message && { ...given, proof: proofOf(message) }
}

/** The changes to a human user in a request. */
interface ChangeMessage {
  readonly username?: string | undefined
  readonly profile?: ProfileMessage | undefined
  readonly email?: SetHumanEmail | undefined
  readonly phone?: SetHumanPhone | undefined
  readonly password?: SetPassword | undefined
}

/** The change of an UpdateHumanUser or UpdateUser request; `prefix` is the path of the human user in it. */
export function changeOfHuman(message: ChangeMessage, prefix = ''): HumanChange {
  const { username, profile, email, phone, password } = message
  return {
    userName: username,
    profile: profile && profileOf(profile),
    email: email && emailOf(email),
    phone: phone && phoneOf(phone),
    password: replacedPasswordOf(password, `${prefix}password.`),
  }
}

function linkOf({ idpId, userId, userName }: IDPLink): NewLink {
  return { idpId, externalUserId: userId, externalUserName: userName }
}

/** The field names of a request for a human user; `outer` is the path of the human user in it. */
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
    // An empty text means no phone number.
    phone: phone === undefined || phone.phone === '' ? undefined : phoneOf(phone),
    password: passwordOf(passwordType, prefix),
    links: idpLinks.map(linkOf),
    totpSecret,
  }
}

/** The human user of an AddHumanUser request. */
export function draftOfHuman(request: AddHumanUserRequest, { prefix }: DraftFields = fieldsOfHuman()): HumanDraft {
  return {
    ...draftOf(request, prefix),
    userId: request.userId,
    userName: request.username,
    metadata: request.metadata,
  }
}

/** The human user of a CreateUser request, without the fields of the request itself. */
export function draftOfCreated(human: CreateUserRequest_Human): HumanDraft {
  return draftOf({ ...human, phone: human.phone, totpSecret: human.totpSecret }, 'human.')
}
