/** Reads the log: pages backwards, and what has happened since. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { ListEventsRequestSchema } from '../../../../contract/gen/signet/admin/v1/event_pb.ts'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { isRoutine } from '../../events/routine.ts'
import { environment } from '../../session/environment.ts'
import type { AuditSearch } from './audit-search.ts'
import { momentOf, startOf } from './moments.ts'

export const PAGE_SIZE = 50
/** How many events are read at once, and how often, where many are left out. */
const RAW_PAGE_SIZE = 200
const MOST_READS = 10
const POLL_MS = 2000
const EXPORT_PAGE_SIZE = 1000

type EventFilter = MessageInitShape<typeof ListEventsRequestSchema>

/** The request of a search. */
export function filterOf({ editor, aggregate, kind, type, range, since, until }: AuditSearch): EventFilter {
  const between = { since: startOf(range) ?? momentOf(since), until: momentOf(until) }
  return {
    editorUserId: editor ?? '',
    aggregateId: aggregate ?? '',
    aggregateTypes: kind ? [kind] : [],
    eventTypes: type ? [type] : [],
    ...((between.since ?? between.until) && { creationDateFilter: { case: 'range', value: between } }),
  }
}

async function readEvents(transport: Transport, request: EventFilter, signal?: AbortSignal): Promise<Event[]> {
  return (await callUnaryMethod(transport, AdminService.method.listEvents, request, { signal })).events
}

/** Whether routine events are left out: unless they are asked for, by the switch or by a filter. */
export function leavesOutRoutine({ tokens, type, kind }: AuditSearch): boolean {
  return tokens !== true && type === undefined && kind === undefined
}

function shownOf(events: readonly Event[], search: AuditSearch): Event[] {
  const { clientId } = environment()
  return leavesOutRoutine(search) ? events.filter((event) => !isRoutine(event, clientId)) : [...events]
}

interface EventPage {
  readonly events: readonly Event[]
  /** How many routine events were left out. */
  readonly hidden: number
  /** Where the next page begins; undefined at the end of the log. */
  readonly next: bigint | undefined
}

/** Reads until a page is full, because the server does not leave out routine events. */
async function readPage(
  transport: Transport,
  search: AuditSearch,
  from: bigint,
  signal: AbortSignal,
): Promise<EventPage> {
  const limit = leavesOutRoutine(search) ? RAW_PAGE_SIZE : PAGE_SIZE
  const events: Event[] = []
  let hidden = 0
  let sequence = from
  for (let reads = 0; reads < MOST_READS && events.length < PAGE_SIZE; reads += 1) {
    const read = await readEvents(transport, { ...filterOf(search), sequence, limit }, signal)
    const shown = shownOf(read, search)
    events.push(...shown)
    hidden += read.length - shown.length
    if (read.length < limit) return { events, hidden, next: undefined }
    sequence = read.at(-1)?.sequence ?? sequence
  }
  return { events, hidden, next: sequence }
}

/** The events of a search, the newest first, page by page. */
export function useEvents(search: AuditSearch) {
  const transport = useTransport()
  const { live: _, ...filters } = search
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    initialPageParam: 0n,
    queryFn: ({ pageParam: sequence, signal }) => readPage(transport, search, sequence, signal),
    getNextPageParam: ({ next }) => next,
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
        const shown = shownOf(found, search).reverse()
        if (shown.length > 0) setEvents((before) => [...shown, ...before].slice(0, MOST_LIVE))
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

/** Reads all events of a search that the page shows, the oldest first, page by page. */
export async function* exportedEvents(
  transport: Transport,
  search: AuditSearch,
  signal: AbortSignal,
): AsyncGenerator<readonly Event[]> {
  for (let sequence = 0n; ; ) {
    const request = { ...filterOf(search), asc: true, sequence, limit: EXPORT_PAGE_SIZE }
    const events = await readEvents(transport, request, signal)
    yield shownOf(events, search)
    sequence = events.at(-1)?.sequence ?? sequence
    if (events.length < EXPORT_PAGE_SIZE) return
  }
}
