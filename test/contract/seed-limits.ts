/**
 * The limits that were asked for, as a table: operation, field by its JSON path, least and greatest length. The contract
 * must say the same; what else the contract limits is tested too, but is its own affair.
 */

/**
 * Lengths count characters (code points), of an object those of its compact JSON; of `bytes`, bytes: 500 000 characters of
 * base64 are 375 000 of them.
 */
export interface SeedLimit {
  readonly min: number
  readonly max: number
  readonly required?: true
}

const upTo = (max: number): SeedLimit => ({ min: 0, max })
const filled = (max: number): SeedLimit => ({ min: 1, max })
const needed = (max: number): SeedLimit => ({ min: 1, max, required: true })

export interface SeedOperation {
  readonly limits: Readonly<Record<string, SeedLimit>>
  /** Objects that must be given. */
  readonly required: readonly string[]
  /** Every name of an enum, the default first. */
  readonly enums: Readonly<Record<string, readonly string[]>>
  /** Of these only one can be given. */
  readonly oneofs: Readonly<Record<string, readonly string[]>>
}

/** By the full name of the method. */
export const seedOperations: Readonly<Record<string, SeedOperation>> = {
  'signet.admin.v1.AdminService/AddSMTPConfig': {
    limits: { senderAddress: needed(200), senderName: needed(200), host: needed(500) },
    required: [],
    enums: {},
    oneofs: {},
  },
  'signet.user.v2.UserService/AddHumanUser': {
    limits: {
      userId: filled(200),
      username: filled(200),
      'profile.firstName': needed(200),
      'profile.lastName': needed(200),
      'profile.nickName': upTo(200),
      'profile.displayName': upTo(200),
      'profile.preferredLanguage': upTo(10),
      'email.email': needed(200),
      'email.sendCode.urlTemplate': filled(200),
      'phone.phone': upTo(200),
      'metadata[0].key': needed(200),
      'metadata[0].value': needed(375_000),
      'password.password': needed(200),
      'hashedPassword.hash': needed(200),
      'idpLinks[0].idpId': filled(200),
      'idpLinks[0].userId': filled(200),
      'idpLinks[0].userName': filled(200),
    },
    required: ['profile', 'email'],
    enums: { 'profile.gender': ['GENDER_UNSPECIFIED', 'GENDER_FEMALE', 'GENDER_MALE', 'GENDER_DIVERSE'] },
    oneofs: {
      organisation: ['orgId', 'orgDomain'],
      email: ['sendCode', 'returnCode', 'isVerified'],
      phone: ['sendCode', 'returnCode', 'isVerified'],
      '': ['password', 'hashedPassword'],
    },
  },
  'signet.user.v2.UserService/VerifyPasskeyRegistration': {
    limits: {
      publicKeyCredential: { min: 55, max: 1_048_576, required: true },
      passkeyName: needed(200),
    },
    required: [],
    enums: {},
    oneofs: {},
  },
  'signet.management.v1.ManagementService/AddMachineUser': {
    limits: { userName: needed(200), name: needed(200), description: upTo(500) },
    required: [],
    enums: { accessTokenType: ['ACCESS_TOKEN_TYPE_BEARER', 'ACCESS_TOKEN_TYPE_JWT'] },
    oneofs: {},
  },
}
