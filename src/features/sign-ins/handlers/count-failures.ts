/**
 * Adds up, in this process, what anybody can cause without an account: failures beyond the limit, unknown clients, and what
 * applications sent and was refused. It is written every few seconds, the first request of an application at once, so that
 * nobody makes the log grow by asking often.
 */

import { type Instant, instant } from '../../../kernel/instant.ts'
import { type App, perApp } from '../../../module/app.ts'
import { MOST_RECEIVED } from '../decider.ts'
import { REASONS, refusedRequests, tallies } from '../documents.ts'
import type { CountedFailure, Reason, Received } from '../events.ts'

/** How often it is written, if there is something. */
const PAUSE_MS = 5_000
/** An application that keeps sending the same is written less and less often, down to this. */
const LONGEST_PAUSE_MS = 300_000
/** Beyond this many, failures are counted for the whole instance. */
const MOST_PLACES = 500
/** Of further applications, requests are only counted. */
const MOST_APPLICATIONS = 200
const LONGEST_VALUE = 2_000

interface Waiting {
  readonly owner: string
  received: Map<string, Received>
  others: Map<Received['what'], number>
  dueAt: number
  pauseMs: number
}

interface Pending {
  readonly failures: Map<string, CountedFailure>
  readonly applications: Map<string, Waiting>
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const pendingOf = perApp(
  (): Pending => ({ failures: new Map(), applications: new Map(), timer: undefined, writing: Promise.resolve() }),
)

function schedule(app: App, pending: Pending): void {
  pending.timer ??= setTimeout(() => void flush(app), PAUSE_MS).unref()
}

/** Counts a failure without keeping anything else of it. */
export function countOnly(
  app: App,
  {
    organizationId,
    applicationId,
    reason,
    times = 1,
  }: {
    readonly organizationId: string
    readonly applicationId?: string | undefined
    readonly reason: Reason
    readonly times?: number
  },
): void {
  const pending = pendingOf(app)
  const { failures } = pending
  const whole = { organizationId, ...(applicationId !== undefined && { applicationId }), reason }
  const isKnown = failures.has(JSON.stringify(whole)) || failures.size < MOST_PLACES
  const place = isKnown ? whole : { organizationId: app.instanceId, reason }
  const key = JSON.stringify(place)
  failures.set(key, { ...place, count: (failures.get(key)?.count ?? 0) + times })
  schedule(app, pending)
}

/** Keeps what an application sent and was refused. */
export function countReceived(
  app: App,
  {
    applicationId,
    owner,
    what,
    value,
    at,
  }: {
    readonly applicationId: string
    readonly owner: string
    readonly what: Received['what']
    readonly value: string
    readonly at: Instant
  },
): void {
  const pending = pendingOf(app)
  const { applications } = pending
  const isFirst = !applications.has(applicationId)
  if (isFirst && applications.size >= MOST_APPLICATIONS) {
    countOnly(app, { organizationId: owner, applicationId, reason: REASONS[what] })
    return
  }
  const waiting = applications.get(applicationId) ?? {
    owner,
    received: new Map(),
    others: new Map(),
    dueAt: 0,
    pauseMs: PAUSE_MS,
  }
  applications.set(applicationId, waiting)
  const cut = value.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_VALUE)
  const key = `${what} ${cut}`
  const known = waiting.received.get(key)
  // The newest ones are kept; of those that do not fit, the number.
  waiting.received.delete(key)
  waiting.received.set(key, {
    what,
    value: cut,
    count: (known?.count ?? 0) + 1,
    firstAt: known?.firstAt ?? at,
    lastAt: at,
  })
  const [oldest] = waiting.received
  if (waiting.received.size > MOST_RECEIVED && oldest !== undefined) {
    const [dropped, { what: other, count }] = oldest
    waiting.received.delete(dropped)
    waiting.others.set(other, (waiting.others.get(other) ?? 0) + count)
  }
  // Who sets an application up looks at its page at once.
  if (isFirst) void flush(app)
  else schedule(app, pending)
}

async function writeReceived(app: App, applicationId: string, waiting: Waiting, at: Instant): Promise<void> {
  const { owner, received, others } = waiting
  // Requests that arrive meanwhile come with the next event.
  waiting.received = new Map()
  waiting.others = new Map()
  const count = (what: Received['what'], times: number) =>
    countOnly(app, { organizationId: owner, applicationId, reason: REASONS[what], times })
  for (const [what, times] of others) count(what, times)
  const command = { applicationId, received: [...received.values()] }
  try {
    await app.store.write({ actor: 'server', at }, (work) =>
      work.decide(refusedRequests, applicationId, command, owner),
    )
  } catch (error) {
    for (const one of command.received) count(one.what, one.count)
    throw error
  }
  waiting.dueAt = at + waiting.pauseMs
  waiting.pauseMs = Math.min(waiting.pauseMs * 2, LONGEST_PAUSE_MS)
}

async function writeAll(app: App, pending: Pending, isLast: boolean): Promise<void> {
  const at = instant(app.clock())
  for (const [applicationId, waiting] of pending.applications) {
    if (waiting.received.size === 0) {
      // Quiet for as long as it was loud: the next request is written soon again.
      if (at >= waiting.dueAt) pending.applications.delete(applicationId)
      continue
    }
    if (at < waiting.dueAt && !isLast) continue
    await writeReceived(app, applicationId, waiting, at)
  }
  const failures = [...pending.failures.values()]
  if (failures.length === 0) return
  pending.failures.clear()
  const command = { failures }
  try {
    await app.store.write({ actor: 'server', at }, (work) => work.begin(tallies, app.newId(), command, app.instanceId))
  } catch (error) {
    // Counted with the next ones.
    for (const { count: times, ...place } of failures) countOnly(app, { ...place, times })
    throw error
  }
}

/** Writes what was added up; also before the process ends. */
export function flush(app: App, isLast = false): Promise<void> {
  const pending = pendingOf(app)
  clearTimeout(pending.timer)
  pending.timer = undefined
  pending.writing = pending.writing.then(async () => {
    try {
      await writeAll(app, pending, isLast)
    } catch (error) {
      app.log.warn({ error }, 'failed sign-ins could not be counted yet')
    }
    if (!isLast && (pending.failures.size > 0 || pending.applications.size > 0)) schedule(app, pending)
  })
  return pending.writing
}
