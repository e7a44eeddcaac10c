/** The v1 methods for passwords: that of a human user, and that of oneself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { SendHumanResetPasswordNotificationRequest_Type as NotificationType } from '../../../contract/gen/signet/management/v1/password_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { touchedV2 } from '../../module/details.ts'
import { TO_THE_USER } from '../messages/index.ts'
import { requireHuman, userOfOrganization, userOfOrganizationToChange } from '../users/index.ts'
import { resetPassword } from './handlers/reset-password.ts'
import { changePasswordFor } from './rpc-v2.ts'

async function setFor(app: App, call: Call, userId: string, plain: string, changeRequired: boolean) {
  await userOfOrganizationToChange(app, call, userId)
  return changePasswordFor(app, call, userId, { password: { plain }, changeRequired, field: 'password' })
}

/** The v1 methods for passwords. */
export function passwordMethodsV1(app: App): readonly Method[] {
  return [
    ...methods(AuthService, {
      updateMyPassword: ({ oldPassword, newPassword }, call) =>
        changePasswordFor(app, call, call.caller.userId, {
          password: { plain: newPassword },
          changeRequired: false,
          field: 'newPassword',
          proof: { currentPassword: oldPassword },
        }),
    }),
    ...methods(ManagementService, {
      setHumanInitialPassword: ({ userId, password }, call) => setFor(app, call, userId, password, true),
      setHumanPassword: ({ userId, password, noChangeRequired }, call) =>
        setFor(app, call, userId, password, !noChangeRequired),
      async sendHumanResetPasswordNotification({ userId, type }, call) {
        // Visitors can ask for the same mail, so callers need not have all permissions of the user.
        requireHuman(await userOfOrganization(app, call, userId))
        const medium = type === NotificationType.SMS ? ({ type: 'sms' } as const) : TO_THE_USER
        const { user } = await resetPassword(app, call.origin, { userId, medium, asking: call })
        return { details: touchedV2(user, call.at) }
      },
    }),
  ]
}
