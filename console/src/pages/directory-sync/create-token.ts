/** Creates the token of a directory: a machine user of its own, with the one role that it needs. */
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Transport } from '@connectrpc/connect'
import { callUnaryMethod } from '@connectrpc/connect-query'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'

export interface NewDirectory {
  readonly organizationId: string
  readonly name: string
  readonly expirationDate: Timestamp | undefined
}

/** Returns the token. If a step is refused, the user of the steps before is removed again. */
export async function createDirectoryToken(
  transport: Transport,
  { organizationId, name, expirationDate }: NewDirectory,
): Promise<string> {
  const { createUser, addPersonalAccessToken, deleteUser } = UserService.method
  const userType = { case: 'machine', value: { name } } as const
  const { id: userId } = await callUnaryMethod(transport, createUser, { organizationId, userType })
  try {
    await callUnaryMethod(transport, InternalPermissionService.method.createAdministrator, {
      userId,
      resource: { resource: { case: 'organizationId', value: organizationId } },
      roles: ['ORG_DIRECTORY_SYNC'],
    })
    const wanted = { userId, name, ...(expirationDate && { expirationDate }) }
    return (await callUnaryMethod(transport, addPersonalAccessToken, wanted)).token
  } catch (error) {
    await callUnaryMethod(transport, deleteUser, { userId }).catch(() => {})
    throw error
  }
}
