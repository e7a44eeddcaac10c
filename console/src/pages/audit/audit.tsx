/** The event log: who did what to what, with filters, a live view and an export. */
import { Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { EventDrawer } from '../../events/event-drawer.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { useTexts } from '../../texts/index.tsx'
import { AuditFilters } from './audit-filters.tsx'
import type { AuditSearch } from './audit-search.ts'
import { EventTable } from './event-table.tsx'
import { ExportButton } from './export-button.tsx'
import { useEvents, useLiveEvents } from './read-events.ts'
import { auditTexts } from './texts/index.ts'

/** The page. */
export function AuditPage() {
  const t = useTexts(auditTexts)
  const search = useSearch({ from: '/audit' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<Event>()
  usePageTitle(t.title)
  const set = (change: AuditSearch) => {
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: '/audit', search: Object.fromEntries(kept) as never, replace: true })
  }
  return (
    <Stack gap="md" component="section">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1}>{t.title}</Title>
          <Text c="dimmed">{t.description}</Text>
        </div>
        <Group>
          <Switch
            label={t.live}
            checked={search.live === true}
            onChange={(event) => set({ live: event.currentTarget.checked || undefined } as AuditSearch)}
          />
          <ExportButton search={search} />
        </Group>
      </Group>
      <AuditFilters search={search} onChange={set} />
      <Events search={search} onShow={setShown} onClear={() => void navigate({ to: '/audit', search: {} as never })} />
      <EventDrawer event={shown} onClose={() => setShown(undefined)} />
    </Stack>
  )
}

interface EventsProps {
  readonly search: AuditSearch
  onShow(event: Event): void
  onClear(): void
}

function Events({ search, onShow, onClear }: EventsProps) {
  const t = useTexts(auditTexts)
  const { list } = useTexts(partsTexts)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useEvents(search)
  const read = data?.pages.flat()
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
          {t.liveHint(fresh.length)}
        </Text>
      )}
      {events.length === 0 && (
        <Paper withBorder p="xl" ta="center">
          <Stack align="center" gap="xs">
            <Text>{Object.keys(filters).length > 0 ? list.nothingFound : list.empty}</Text>
            {Object.keys(filters).length > 0 && (
              <Button variant="default" onClick={onClear}>
                {list.clear}
              </Button>
            )}
          </Stack>
        </Paper>
      )}
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
