/** What happened to a user, or what the user did, in sentences, the newest first. */
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query'
import { Anchor, Button, Group, SegmentedControl, Stack, Text, Timeline } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminService } from '../../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Event } from '../../../../../contract/gen/signet/event/v1/event_pb.ts'
import { EventDrawer } from '../../../events/event-drawer.tsx'
import { useEventSentence } from '../../../events/sentences/index.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { PageLoader } from '../../../parts/page-loader.tsx'
import { Section } from '../../../parts/section.tsx'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { historyTexts } from './texts/index.ts'

const PAGE_SIZE = 50

type Side = 'about' | 'by'

function useHistory(userId: string, side: Side) {
  const transport = useTransport()
  return useInfiniteQuery({
    queryKey: ['history', userId, side],
    initialPageParam: 0n,
    queryFn: async ({ pageParam: sequence, signal }) => {
      const about = side === 'about' ? { aggregateId: userId } : { editorUserId: userId }
      const request = { sequence, limit: PAGE_SIZE, ...about }
      return (await callUnaryMethod(transport, AdminService.method.listEvents, request, { signal })).events
    },
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.sequence),
    // The key of a query must be JSON, and the pages are not part of it.
    structuralSharing: false,
  })
}

/** The tab. */
export function HistoryTab({ userId }: { readonly userId: string }) {
  const t = useTexts(historyTexts)
  const [side, setSide] = useState<Side>('about')
  const [shown, setShown] = useState<Event>()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useHistory(userId, side)
  const events = data?.pages.flat()
  return (
    <Section title={t.title} description={t.hint}>
      <SegmentedControl
        value={side}
        onChange={(value) => setSide(value as Side)}
        data={[
          { value: 'about', label: t.about },
          { value: 'by', label: t.by },
        ]}
        aria-label={t.title}
      />
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {events === undefined && error === null && <PageLoader />}
      {events?.length === 0 && <Text c="dimmed">{t.empty}</Text>}
      {events !== undefined && events.length > 0 && (
        <Timeline bulletSize={12} lineWidth={2} active={events.length}>
          {events.map((event) => (
            <Timeline.Item key={String(event.sequence)}>
              <HistoryLine event={event} onShow={setShown} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      <Group justify="space-between">
        {hasNextPage ? (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.older}
          </Button>
        ) : (
          <span />
        )}
        <Anchor
          component={Link}
          to="/audit/events"
          search={(side === 'about' ? { aggregate: userId } : { editor: userId }) as never}
          size="sm"
        >
          {t.toAudit}
        </Anchor>
      </Group>
      <EventDrawer event={shown} onClose={() => setShown(undefined)} />
    </Section>
  )
}

function HistoryLine({ event, onShow }: { readonly event: Event; onShow(event: Event): void }) {
  const t = useTexts(historyTexts)
  const sentence = useEventSentence()
  const { editor, aggregate } = event
  const isOther = editor !== undefined && editor.userId !== aggregate?.id
  return (
    <Stack gap={0}>
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onShow(event)}>
        {sentence(event)}
      </Anchor>
      <Group gap="xs" c="dimmed">
        <When time={event.creationDate} />
        {isOther && editor.displayName !== '' && <Text size="sm">{t.byEditor({ name: editor.displayName })}</Text>}
      </Group>
    </Stack>
  )
}
