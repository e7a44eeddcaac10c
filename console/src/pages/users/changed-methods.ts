/** What is read again after a user was changed. */
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'

export const USER_READS = [UserService.method.getUserByID, UserService.method.listUsers] as const
