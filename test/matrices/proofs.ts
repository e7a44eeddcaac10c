/**
 * Every place in the contract where somebody shows something that proves something: secrets (`debug_redact`), and the
 * credentials of WebAuthn, which are JSON objects of a limited length. Read from the descriptors, by method and path.
 */
import { type DescField, type DescMessage, hasOption } from '@bufbuild/protobuf'
import { json_length } from '../../contract/gen/signet/v1/options_pb.ts'
import { allMethods } from '../support/services.ts'

export interface Proof {
  /** `SetSession checks.totp.code`. */
  readonly way: string
  /** `signet.session.v2.CheckTOTP.code`. */
  readonly field: string
}

function isProof(field: DescField): boolean {
  return field.proto.options?.debugRedact === true || hasOption(field, json_length)
}

function proofsIn(message: DescMessage, path: string, seen: readonly DescMessage[]): readonly Proof[] {
  return seen.includes(message)
    ? []
    : message.fields.flatMap((field) => {
        const way = `${path}${field.localName}`
        if (isProof(field)) return [{ way, field: `${message.typeName}.${field.name}` }]
        return field.message === undefined ? [] : proofsIn(field.message, `${way}.`, [...seen, message])
      })
}

/** All of them. */
export const proofs: readonly Proof[] = [...allMethods].flatMap(([name, { input }]) =>
  proofsIn(input, `${name.split('/')[1]} `, []),
)

/** Why some proofs count more than once, or are none. */
export const KEPT = 'it is given to be kept, not to be compared'
const NO_CHALLENGE = 'a session that is only being created has not asked for anything'
const CURRENT = 'the token of a session is good until it is renewed; oidc-service.test.ts shows older ones'
const DEVICE = 'it names a device and can be read until the user has answered'
const SHARED = 'it is used by the handler of the v2 method, which is in the matrix'
const PASSWORD = 'a password is good more than once'

/** Proofs that count more than once, by way or by field, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'CreateSession checks.webAuthN.credentialAssertionData': NO_CHALLENGE,
  'CreateSession checks.otpSms.code': NO_CHALLENGE,
  'CreateSession checks.otpEmail.code': NO_CHALLENGE,
  'signet.session.v2.CheckPassword.password': PASSWORD,
  'signet.user.v2.SetPasswordRequest.current_password': PASSWORD,
  'signet.user.v2.SetPassword.current_password': PASSWORD,
  'signet.auth.v1.UpdateMyPasswordRequest.old_password': PASSWORD,
  'signet.auth.v1.VerifyMyEmailRequest.code': SHARED,
  'signet.auth.v1.VerifyMyPhoneRequest.code': SHARED,
  'signet.auth.v1.VerifyMyAuthFactorOTPRequest.code': SHARED,
  'signet.user.v1.WebAuthNVerification.public_key_credential': SHARED,
  'signet.auth.v1.UpdateMyPasswordRequest.new_password': KEPT,
  'signet.management.v1.ImportHumanUserRequest.HashedPassword.value': KEPT,
  'signet.management.v1.ImportHumanUserRequest.otp_code': KEPT,
  'signet.management.v1.ImportHumanUserRequest.RecoveryCode.raw': KEPT,
  'signet.management.v1.ImportHumanUserRequest.RecoveryCode.hash': KEPT,
  'signet.oidc.v2.GetDeviceAuthorizationRequestRequest.user_code': DEVICE,
  'signet.oidc.v2.Session.session_token': CURRENT,
  'signet.saml.v2.Session.session_token': CURRENT,
  'signet.settings.v2.SetHostedLoginTranslationRequest.translations': KEPT,
  'signet.user.v2.Password.password': KEPT,
  'signet.user.v2.HashedPassword.hash': KEPT,
  'signet.user.v2.LDAPCredentials.password': PASSWORD,
  'signet.user.v2.AddHumanUserRequest.totp_secret': KEPT,
  'signet.user.v2.CreateUserRequest.Human.totp_secret': KEPT,
}

/** Secrets that administrators bring: of mail servers, of senders of text messages, of identity providers, of new users. */
const BROUGHT =
  /^signet\.(admin|management)\.v1\.[\w.]+\.(password|initial_password|bind_password|client_secret|private_key|token)$/

/** Why a proof is no artefact; undefined when it must be one. */
export function exclusionOf({ way, field }: Proof): string | undefined {
  return EXCLUDED[way] ?? EXCLUDED[field] ?? (BROUGHT.test(field) ? KEPT : undefined)
}

/** What is excluded by name, for whoever looks after the table. */
export const excludedNames: readonly string[] = Object.keys(EXCLUDED)
