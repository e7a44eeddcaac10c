/** The query that finds people by what administrators remember of them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { TextQueryMethod } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type { SearchQuerySchema } from '../../../../contract/gen/signet/user/v2/query_pb.ts'

type Query = MessageInitShape<typeof SearchQuerySchema>

/** Users whose display name, user name or address contains the text, or whose id it is. */
export function anyNameContains(text: string): Query {
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  const queries: Query[] = [
    { query: { case: 'displayNameQuery', value: { displayName: text, method } } },
    { query: { case: 'userNameQuery', value: { userName: text, method } } },
    { query: { case: 'emailQuery', value: { emailAddress: text, method } } },
    { query: { case: 'inUserIdsQuery', value: { userIds: [text] } } },
  ]
  return { query: { case: 'orQuery', value: { queries } } }
}
