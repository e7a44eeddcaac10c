/** Events as a table, or as cards on narrow screens. */
import { Anchor, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { useEventSentence } from '../../events/sentences/index.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { auditTexts } from './texts/index.ts'

/** The pages of things with an ID alone in their address. */
const PAGES_OF: Readonly<Record<string, string>> = {
  user: '/users',
  organization: '/organizations',
  project: '/projects',
  group: '/groups',
  'identity-provider': '/identity-providers',
  webhook: '/webhooks',
}

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
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.what}</Table.Th>
            <Table.Th>{t.by}</Table.Th>
            <Table.Th>{t.object}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={String(event.sequence)}>
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
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {event.type?.type}
      </Text>
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

/** The object by its name; where it has none, by its ID. */
function Target({ event: { aggregate, things } }: { readonly event: Event }) {
  const id = aggregate?.id ?? ''
  const object = things.find(({ member }) => member === 'object')
  const to = object && PAGES_OF[object.type]
  const label = object?.name || id
  return (
    <Stack gap={0}>
      {to === undefined ? (
        <Text size={object?.name ? 'sm' : 'xs'} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
      ) : (
        <Anchor component={Link} to={`${to}/${object?.id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {aggregate?.type?.localized?.localizedMessage}
      </Text>
    </Stack>
  )
}
