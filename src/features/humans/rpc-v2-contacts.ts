/** The v2 methods for email addresses and phone numbers of human users. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { verificationOf } from './contact.ts'
import {
  removePhoneFor,
  sendEmailCodeFor,
  sendPhoneCodeFor,
  setEmailFor,
  setPhoneFor,
  verifyEmailFor,
  verifyPhoneFor,
} from './contacts.ts'

/** The methods for email addresses and phone numbers. */
export function contactMethods(app: App): readonly Method[] {
  return methods(UserService, {
    setEmail: ({ userId, email, verification }, call) =>
      setEmailFor(app, call, userId, { address: email, verification: verificationOf(verification) }),
    resendEmailCode: ({ userId, verification }, call) =>
      sendEmailCodeFor(app, call, userId, { verification: verificationOf(verification), isAgain: true }),
    sendEmailCode: ({ userId, verification }, call) =>
      sendEmailCodeFor(app, call, userId, { verification: verificationOf(verification), isAgain: false }),
    verifyEmail: ({ userId, verificationCode }, call) => verifyEmailFor(app, call, userId, verificationCode),

    setPhone: ({ userId, phone, verification }, call) =>
      setPhoneFor(app, call, userId, { text: phone, verification: verificationOf(verification) }),
    removePhone: ({ userId }, call) => removePhoneFor(app, call, userId),
    resendPhoneCode: ({ userId, verification }, call) =>
      sendPhoneCodeFor(app, call, userId, verificationOf(verification)),
    verifyPhone: ({ userId, verificationCode }, call) => verifyPhoneFor(app, call, userId, verificationCode),
  })
}
