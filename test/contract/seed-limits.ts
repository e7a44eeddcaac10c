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

function upTo(max: number): SeedLimit {
  return { min: 0, max }
}
function filled(max: number): SeedLimit {
  return { min: 1, max }
}
function needed(max: number): SeedLimit {
  return { min: 1, max, required: true }
}

export interface SeedOperation {
  /** A field in braces stands in the path; an empty one would be another path, which REST cannot ask for. */
  readonly rest: readonly [verb: string, path: string]
  readonly limits: Readonly<Record<string, SeedLimit>>
  /** Objects that must be given. */
  readonly required: readonly string[]
  /** Every name of an enum, the default first. */
  readonly enums: Readonly<Record<string, readonly string[]>>
  /** Of these only one can be given. */
  readonly oneofs: Readonly<Record<string, readonly string[]>>
}

const STYLING_TYPES = ['STYLING_TYPE_UNSPECIFIED', 'STYLING_TYPE_GOOGLE']
const MAPPING_FIELDS = [
  'OIDC_MAPPING_FIELD_UNSPECIFIED',
  'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
  'OIDC_MAPPING_FIELD_EMAIL',
]

/** By the full name of the method. */
export const seedOperations: Readonly<Record<string, SeedOperation>> = {
  'signet.management.v1.ManagementService/AddOrgOIDCIDP': {
    rest: ['POST', '/management/v1/idps/oidc'],
    limits: { name: needed(200), clientId: needed(200), clientSecret: needed(200), issuer: needed(200) },
    required: [],
    enums: { stylingType: STYLING_TYPES, displayNameMapping: MAPPING_FIELDS, usernameMapping: MAPPING_FIELDS },
    oneofs: {},
  },
  'signet.management.v1.ManagementService/UpdateOrgIDP': {
    rest: ['PUT', '/management/v1/idps/{idpId}'],
    limits: { idpId: filled(200), name: needed(200) },
    required: [],
    enums: { stylingType: STYLING_TYPES },
    oneofs: {},
  },
  'signet.admin.v1.AdminService/AddSMTPConfig': {
    rest: ['POST', '/admin/v1/smtp'],
    limits: { senderAddress: needed(200), senderName: needed(200), host: needed(500) },
    required: [],
    enums: {},
    oneofs: {},
  },
  'signet.user.v2.UserService/AddHumanUser': {
    rest: ['POST', '/v2/users/human'],
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
    rest: ['POST', '/v2/users/{userId}/passkeys/{passkeyId}'],
    limits: {
      publicKeyCredential: { min: 55, max: 1_048_576, required: true },
      passkeyName: needed(200),
    },
    required: [],
    enums: {},
    oneofs: {},
  },
  'signet.management.v1.ManagementService/AddMachineUser': {
    rest: ['POST', '/management/v1/users/machine'],
    limits: { userName: needed(200), name: needed(200), description: upTo(500) },
    required: [],
    enums: { accessTokenType: ['ACCESS_TOKEN_TYPE_BEARER', 'ACCESS_TOKEN_TYPE_JWT'] },
    oneofs: {},
  },
}
