/** Events as a table, or as cards on narrow screens. */
import { Anchor, Code, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { useEventSentence } from '../../events/sentences/index.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { auditTexts } from './texts/index.ts'

interface EventTableProps {
  readonly events: readonly Event[]
  onShow(event: Event): void
}

/** The events; each opens at the side. */
export function EventTable(props: EventTableProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />
}

function Rows({ events, onShow }: EventTableProps) {
  const t = useTexts(auditTexts)
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" horizontalSpacing="md" highlightOnHover aria-label={t.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.sequence}</Table.Th>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.what}</Table.Th>
            <Table.Th>{t.by}</Table.Th>
            <Table.Th>{t.object}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={String(event.sequence)}>
              <Table.Td c="dimmed">{String(event.sequence)}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <When time={event.creationDate} />
              </Table.Td>
              <Table.Td>
                <What event={event} onShow={onShow} />
              </Table.Td>
              <Table.Td>
                <Editor event={event} />
              </Table.Td>
              <Table.Td>
                <Target event={event} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Cards({ events, onShow }: EventTableProps) {
  const t = useTexts(auditTexts)
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t.title}>
      {events.map((event) => (
        <Paper withBorder p="sm" component="li" key={String(event.sequence)}>
          <What event={event} onShow={onShow} />
          <Group gap="xs" justify="space-between">
            <Editor event={event} />
            <When time={event.creationDate} />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

function What({ event, onShow }: { readonly event: Event; onShow(event: Event): void }) {
  const sentence = useEventSentence()
  return (
    <Stack gap={0} align="flex-start">
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onShow(event)}>
        {sentence(event)}
      </Anchor>
      <Code style={{ overflowWrap: 'anywhere' }}>{event.type?.type}</Code>
    </Stack>
  )
}

function Editor({ event: { editor } }: { readonly event: Event }) {
  const t = useTexts(auditTexts)
  // The server itself, visitors and removed users have no display name.
  if (!editor?.displayName) {
    const names: Readonly<Record<string, string | undefined>> = t.editors
    return <Text size="sm">{names[editor?.userId ?? ''] ?? editor?.userId}</Text>
  }
  return (
    <Anchor component={Link} to="/users/$userId" params={{ userId: editor.userId } as never} size="sm">
      {editor.displayName}
    </Anchor>
  )
}

function Target({ event: { aggregate } }: { readonly event: Event }) {
  const id = aggregate?.id ?? ''
  return (
    <Stack gap={0}>
      <Text size="sm">{aggregate?.type?.type}</Text>
      {aggregate?.type?.type === 'user' ? (
        <Anchor component={Link} to="/users/$userId" params={{ userId: id } as never} size="xs">
          {id}
        </Anchor>
      ) : (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
      )}
    </Stack>
  )
}
