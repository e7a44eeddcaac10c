/** What an event changed, field by field, before and after. */
import { useQuery } from '@connectrpc/connect-query'
import { Table, Text } from '@mantine/core'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Event } from '../../../contract/gen/signet/event/v1/event_pb.ts'
import { useTexts } from '../texts/index.tsx'
import { changesOf } from './event-changes.ts'
import { namedTexts } from './texts/index.ts'

/** As far back as a field is looked for. */
const MOST_EARLIER = 200

/** Nothing for an event without fields. */
export function ChangeTable({ event }: { readonly event: Event }) {
  const { changes: t } = useTexts(namedTexts)
  const { aggregate, sequence, payload = {} } = event
  const { data } = useQuery(AdminService.method.listEvents, {
    aggregateId: aggregate?.id ?? '',
    aggregateTypes: [aggregate?.type?.type ?? ''],
    sequence,
    limit: MOST_EARLIER,
  })
  if (data === undefined) return null
  const changes = changesOf(
    payload,
    data.events.map((one) => one.payload ?? {}),
  )
  if (changes.length === 0) return null
  const isFirst = data.events.length === 0
  return (
    <Table withTableBorder aria-label={t.title} style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.field}</Table.Th>
          {!isFirst && <Table.Th>{t.before}</Table.Th>}
          <Table.Th>{isFirst ? t.value : t.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td>
              <Text size="sm">{field}</Text>
            </Table.Td>
            {!isFirst && <Table.Td c="dimmed">{before ?? '–'}</Table.Td>}
            <Table.Td>{after === '' ? '–' : after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
