/** The method with which users delete their own account. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { writtenV1 } from '../../module/details.ts'
import { userToChange } from '../users/index.ts'
import { requestDeletion } from './handlers/delete-own-account.ts'

/** RemoveMyUser. */
export function accountMethods(app: App): readonly Method[] {
  return methods(AuthService, {
    async removeMyUser(_, call) {
      const { id } = await userToChange(app, call, call.caller.userId)
      return { details: writtenV1(await app.store.write(call.origin, (work) => requestDeletion(app, work, id))) }
    },
  })
}
