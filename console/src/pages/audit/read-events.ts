/** Reads the log: pages backwards, and what has happened since. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Transport } from '@connectrpc/connect'
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { ListEventsRequestSchema } from '../../../../contract/gen/signet/admin/v1/event_pb.ts'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import type { AuditSearch } from './audit-search.ts'

export const PAGE_SIZE = 50
const POLL_MS = 2000
const EXPORT_PAGE_SIZE = 1000

type EventFilter = MessageInitShape<typeof ListEventsRequestSchema>

function momentOf(local: string | undefined) {
  const date = new Date(local ?? '')
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date)
}

/** The request of a search. */
export function filterOf({ editor, aggregate, kind, type, since, until }: AuditSearch): EventFilter {
  const range = { since: momentOf(since), until: momentOf(until) }
  return {
    editorUserId: editor ?? '',
    aggregateId: aggregate ?? '',
    aggregateTypes: kind ? [kind] : [],
    eventTypes: type ? [type] : [],
    ...((range.since ?? range.until) && { creationDateFilter: { case: 'range', value: range } }),
  }
}

async function readEvents(transport: Transport, request: EventFilter, signal?: AbortSignal): Promise<Event[]> {
  return (await callUnaryMethod(transport, AdminService.method.listEvents, request, { signal })).events
}

/** The events of a search, the newest first, page by page. */
export function useEvents(search: AuditSearch) {
  const transport = useTransport()
  const { live: _, ...filters } = search
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    initialPageParam: 0n,
    queryFn: ({ pageParam: sequence, signal }) =>
      readEvents(transport, { ...filterOf(search), sequence, limit: PAGE_SIZE }, signal),
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.sequence),
    structuralSharing: false,
  })
}

/** How many new events are kept while the live view is on. */
const MOST_LIVE = 500

/** The events after a sequence, the newest first, as long as it is switched on. */
export function useLiveEvents(search: AuditSearch, from: bigint | undefined): readonly Event[] {
  const transport = useTransport()
  const [events, setEvents] = useState<readonly Event[]>([])
  const last = useRef(0n)
  const key = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the search, which is a new object each time
  useEffect(() => {
    setEvents([])
    if (!search.live || from === undefined) return
    last.current = from
    const stop = new AbortController()
    let timer = 0
    const poll = async () => {
      try {
        const request = { ...filterOf(search), asc: true, sequence: last.current, limit: 200 }
        const found = await readEvents(transport, request, stop.signal)
        last.current = found.at(-1)?.sequence ?? last.current
        if (found.length > 0) setEvents((before) => [...found.reverse(), ...before].slice(0, MOST_LIVE))
      } catch {
        // The notice about the lost connection says it; the next poll tries again.
      }
      if (!stop.signal.aborted) timer = window.setTimeout(poll, POLL_MS)
    }
    timer = window.setTimeout(poll, POLL_MS)
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [key, from, transport])
  return events
}

/** Reads all events of a search, the oldest first, and tells how many there are so far. */
export async function exportEvents(
  transport: Transport,
  search: AuditSearch,
  signal: AbortSignal,
  onPage: (events: readonly Event[]) => void,
): Promise<void> {
  let sequence = 0n
  for (;;) {
    const request = { ...filterOf(search), asc: true, sequence, limit: EXPORT_PAGE_SIZE }
    const events = await readEvents(transport, request, signal)
    onPage(events)
    sequence = events.at(-1)?.sequence ?? sequence
    if (events.length < EXPORT_PAGE_SIZE) return
  }
}
