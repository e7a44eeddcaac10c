/** One event with everything that the log has about it, at the side of the page. */
import { Button, Code, CopyButton, Drawer, Group, Stack, Text } from '@mantine/core'
import type { Event } from '../../../contract/gen/signet/event/v1/event_pb.ts'
import { partsTexts } from '../parts/texts/index.ts'
import { When } from '../parts/when.tsx'
import { useTexts } from '../texts/index.tsx'
import { ChangeTable } from './change-table.tsx'
import { readableJson } from './event-json.ts'
import { useEventSentence } from './sentences/index.ts'

interface EventDrawerProps {
  readonly event: Event | undefined
  onClose(): void
}

/** The drawer; closed without an event. */
export function EventDrawer({ event, onClose }: EventDrawerProps) {
  const t = useTexts(partsTexts)
  const sentence = useEventSentence()
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={event?.type?.type ?? ''}
      styles={{
        header: { backgroundColor: 'var(--signet-surface)' },
        content: { backgroundColor: 'var(--signet-surface)' },
        title: { fontWeight: 600, overflowWrap: 'anywhere' },
      }}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {event && (
        <Stack>
          <Group justify="space-between">
            <Text>{sentence(event)}</Text>
            <When time={event.creationDate} />
          </Group>
          <ChangeTable event={event} />
          <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {readableJson(event)}
          </Code>
          <CopyButton value={readableJson(event)}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} w="fit-content">
                {copied ? t.copied : t.copy({ label: 'JSON' })}
              </Button>
            )}
          </CopyButton>
        </Stack>
      )}
    </Drawer>
  )
}
