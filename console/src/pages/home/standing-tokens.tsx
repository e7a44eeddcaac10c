/** Reminds administrators of tokens with their power that never expire, such as the one of the first start. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TimestampFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { Section } from '../../parts/section.tsx'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** What never expires does so at the end of this year. */
const LAST_YEAR = timestampFromDate(new Date('9999-01-01T00:00:00Z'))

/** The tokens; nothing where there are none. */
export function StandingTokens() {
  const t = useTexts(homeTexts)
  const administrators = useQuery(InternalPermissionService.method.listAdministrators, {
    pagination: { limit: 1000 },
    filters: [{ filter: { case: 'resource', value: { resource: { case: 'instance', value: true } } } }],
  })
  const names = new Map(administrators.data?.administrators.map(({ user }) => [user?.id, user?.displayName]))
  const tokens = useQuery(UserService.method.listPersonalAccessTokens, {
    pagination: { limit: 1000, asc: true },
    filters: [
      {
        filter: {
          case: 'expirationDateFilter',
          value: { timestamp: LAST_YEAR, method: TimestampFilterMethod.AFTER_OR_EQUALS },
        },
      },
    ],
  })
  const rows = tokens.data?.result.filter(({ userId }) => names.has(userId)) ?? []
  if (rows.length === 0) return null
  return (
    <Section title={t.standing.title} description={t.standing.hint}>
      <ItemList
        label={t.standing.title}
        list={{ rows, error: tokens.error, refetch: tokens.refetch }}
        keyOf={({ id }) => id}
        textOf={({ id }) => id}
        empty=""
        columns={[
          { key: 'user', header: t.standing.user, cell: ({ userId }) => names.get(userId) ?? userId },
          { key: 'created', header: t.standing.created, cell: ({ creationDate }) => <When time={creationDate} /> },
          {
            key: 'used',
            header: t.standing.used,
            cell: ({ lastUsedDate }) =>
              lastUsedDate === undefined ? <Text size="sm">{t.standing.notUsed}</Text> : <When time={lastUsedDate} />,
          },
        ]}
        actions={({ userId }) => (
          <Anchor
            component={Link}
            to="/users/$userId"
            params={{ userId } as never}
            search={{ tab: 'keys' } as never}
            size="sm"
          >
            {t.standing.open}
          </Anchor>
        )}
      />
    </Section>
  )
}
