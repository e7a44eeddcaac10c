/** Reads all users of a search page by page, as the list does, and writes them as rows of CSV. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { callUnaryMethod } from '@connectrpc/connect-query'
import { type SearchQuerySchema, UserFieldName } from '../../../../../contract/gen/signet/user/v2/query_pb.ts'
import { Type, type User } from '../../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { exportColumns, type UserBody, writeHeader, writeRow } from '../../../../../src/kernel/csv/user-columns.ts'
import { STATES } from '../user-state.tsx'

type Query = MessageInitShape<typeof SearchQuerySchema>

/** The most that the server gives at once. */
const PAGE = 1000

function bodyOf({ userId, username, state, type, details }: User): UserBody {
  const human = type.case === 'human' ? type.value : undefined
  const { givenName, familyName, nickName, displayName, preferredLanguage } = human?.profile ?? {}
  const { email, phone } = human ?? {}
  return {
    userId,
    organization: { orgId: details?.resourceOwner },
    username,
    profile: { givenName, familyName, nickName, displayName, preferredLanguage },
    email: { email: email?.email, isVerified: email?.isVerified },
    ...(phone !== undefined && phone.phone !== '' && { phone: { phone: phone.phone, isVerified: phone.isVerified } }),
    state: Object.entries(STATES).find(([, value]) => value === state)?.[0],
  }
}

/** The file in parts: browsers keep those outside of the page's memory. Tells after each part how many users it has. */
export async function exportUsers(
  transport: Transport,
  queries: readonly Query[],
  signal: AbortSignal,
  onPage: (users: number) => void,
): Promise<Blob> {
  const columns = exportColumns()
  const parts = [new Blob([writeHeader(columns)])]
  let users = 0
  for (;;) {
    const { result } = await callUnaryMethod(
      transport,
      UserService.method.listUsers,
      {
        query: { offset: BigInt(users), limit: PAGE, asc: true },
        sortingColumn: UserFieldName.CREATION_DATE,
        queries: [...queries, { query: { case: 'typeQuery', value: { type: Type.HUMAN } } }],
      },
      { signal },
    )
    parts.push(new Blob([result.map((user) => writeRow(columns, bodyOf(user))).join('')]))
    users += result.length
    onPage(users)
    if (result.length < PAGE) return new Blob(parts, { type: 'text/csv' })
  }
}
