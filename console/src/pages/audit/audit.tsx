/** The event log: who did what to what, with filters, a live view and an export. */
import { useTransport } from '@connectrpc/connect-query'
import { Button, Group, Switch, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { EventDrawer } from '../../events/event-drawer.tsx'
import { useEventSentence } from '../../events/sentences/index.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AuditFilters } from './audit-filters.tsx'
import type { AuditSearch } from './audit-search.ts'
import { DownloadButton } from './download-button.tsx'
import { EventTable } from './event-table.tsx'
import { EVENT_HEADINGS, eventRow } from './exported-rows.ts'
import { exportedEvents, leavesOutRoutine, useEvents, useLiveEvents } from './read-events.ts'
import { NoRows } from './sign-ins.tsx'
import { auditTexts } from './texts/index.ts'

/** The page. */
export function AuditPage() {
  const t = useTexts(auditTexts)
  const search = useSearch({ from: '/audit/events' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<Event>()
  const set = (change: AuditSearch) => {
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: '/audit/events', search: Object.fromEntries(kept) as never, replace: true })
  }
  return (
    <AreaPage
      title={t.title}
      description={t.description}
      links={<AreaLinks area="/audit" />}
      actions={
        <>
          <Switch
            label={t.live}
            checked={search.live === true}
            onChange={(event) => set({ live: event.currentTarget.checked || undefined } as AuditSearch)}
          />
          <EventDownload search={search} />
        </>
      }
    >
      <AuditFilters search={search} onChange={set} />
      <Switch
        label={t.tokens}
        description={t.tokensHint}
        checked={!leavesOutRoutine(search)}
        // A filter by type says what is shown.
        disabled={search.type !== undefined || search.kind !== undefined}
        onChange={(event) => set({ tokens: event.currentTarget.checked || undefined } as AuditSearch)}
      />
      <Events
        search={search}
        onShow={setShown}
        onClear={() => void navigate({ to: '/audit/events', search: {} as never })}
      />
      <EventDrawer event={shown} onClose={() => setShown(undefined)} />
    </AreaPage>
  )
}

function EventDownload({ search }: { readonly search: AuditSearch }) {
  const transport = useTransport()
  const sentence = useEventSentence()
  async function* readPages(signal: AbortSignal) {
    for await (const events of exportedEvents(transport, search, signal)) {
      yield events.map((event) => eventRow(event, sentence(event)))
    }
  }
  return <DownloadButton name="signet-events" headings={EVENT_HEADINGS} readPages={readPages} />
}

interface EventsProps {
  readonly search: AuditSearch
  onShow(event: Event): void
  onClear(): void
}

function Events({ search, onShow, onClear }: EventsProps) {
  const t = useTexts(auditTexts)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useEvents(search)
  const read = data?.pages.flatMap(({ events }) => events)
  const hidden = data?.pages.reduce((sum, page) => sum + page.hidden, 0) ?? 0
  const fresh = useLiveEvents(search, data && (read?.[0]?.sequence ?? 0n))
  if (read === undefined) {
    return error === null ? <PageLoader /> : <FailureNotice error={error} onRetry={refetch} />
  }
  const events = [...fresh, ...read]
  const { live: _, ...filters } = search
  return (
    <>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {search.live && (
        <Text size="sm" c="dimmed" role="status">
          {t.liveHint({ count: fresh.length })}
        </Text>
      )}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {t.hidden({ count: hidden })}
        </Text>
      )}
      {events.length === 0 && <NoRows isFiltered={Object.keys(filters).length > 0} onClear={onClear} />}
      {events.length > 0 && <EventTable events={events} onShow={onShow} />}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.older}
          </Button>
        </Group>
      )}
    </>
  )
}
