/** The v2 method that lists the authentication methods of a user. */
import { AuthenticationMethodType } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV2 } from '../../module/details.ts'
import { type AuthenticationMethod, authenticationMethodsOf } from '../humans/index.ts'
import { userForCaller } from '../users/index.ts'

const METHOD_TYPES: Readonly<Record<AuthenticationMethod, AuthenticationMethodType>> = {
  password: AuthenticationMethodType.PASSWORD,
  passkey: AuthenticationMethodType.PASSKEY,
  idp: AuthenticationMethodType.IDP,
  totp: AuthenticationMethodType.TOTP,
  u2f: AuthenticationMethodType.U2F,
  otp_sms: AuthenticationMethodType.OTP_SMS,
  otp_email: AuthenticationMethodType.OTP_EMAIL,
  recovery_code: AuthenticationMethodType.RECOVERY_CODE,
}

export function signInMethods(app: App): readonly Method[] {
  return methods(UserService, {
    async listAuthenticationMethodTypes({ userId, domainQuery }, call) {
      const user = await userForCaller(app, call, userId)
      const domain = domainQuery && { name: domainQuery.domain, withUnbound: domainQuery.includeWithoutDomain }
      const found = await authenticationMethodsOf(app, userId, domain)
      const authMethodTypes = found.map((method) => METHOD_TYPES[method]).sort((a, b) => a - b)
      const page = { total: authMethodTypes.length, sequence: user.sequence }
      return { details: listDetailsV2(page, call.at), authMethodTypes }
    },
  })
}
