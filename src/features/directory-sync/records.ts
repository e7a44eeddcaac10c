/**
 * The last requests of directories, for those who set one up. They are no part of the log: each process collects them for a
 * moment and keeps them as data of jobs that no runner takes, a few for each organization, so that every node shows them.
 */
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Origin } from '../../store/index.ts'
import { findOrganization } from '../organizations/index.ts'

export const RECORD = 'directory.requests'
/** Of jobs that no runner takes. */
const NEVER = instant(253_402_300_799_000)
/** How long requests are collected. */
const PAUSE_MS = 1_000
/** Of those that were served, and of the others: a long sync does not push out what went wrong in it. */
const MOST_OF_EACH = 100
/** Organizations whose requests wait to be written. */
const MOST_ORGANIZATIONS = 1_000
/** Requests without a token that counts can come from anybody: of these, one in this time is kept. */
const STRANGERS_MS = 10_000

/** One request. */
export interface DirectoryRequest {
  readonly at: Instant
  readonly method: string
  /** Behind the address of the organization. */
  readonly path: string
  readonly status: number
  readonly scimType: string
  /** Why it was refused. */
  readonly message: string
  /** Empty: nobody who has a role in the organization. */
  readonly userId: string
  readonly milliseconds: number
}

interface Pending {
  readonly organizations: Map<string, DirectoryRequest[]>
  /** When a request of a stranger was last kept, by organization. */
  readonly strangers: Map<string, Instant>
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const pendingOf = perApp(
  (): Pending => ({ organizations: new Map(), strangers: new Map(), timer: undefined, writing: Promise.resolve() }),
)

const CLASSES = ['refused', 'served'] as const
type Class = (typeof CLASSES)[number]

function classOf({ status, message }: DirectoryRequest): Class {
  return status >= 400 || message !== '' ? 'refused' : 'served'
}

/** The rows of an organization have IDs between these two. */
function idsOf(organizationId: string, of: Class): { readonly from: string; readonly to: string } {
  const start = `${RECORD}:${organizationId}:${of}:`
  return { from: start, to: `${start}~` }
}

/** Whether this one is too soon after another request of a stranger. */
function isTooSoon({ strangers }: Pending, organizationId: string, at: Instant): boolean {
  const last = strangers.get(organizationId)
  if (last !== undefined && at - last < STRANGERS_MS) return true
  strangers.delete(organizationId)
  const [oldest] = strangers.keys()
  if (strangers.size >= MOST_ORGANIZATIONS && oldest !== undefined) strangers.delete(oldest)
  strangers.set(organizationId, at)
  return false
}

/** Keeps a request for the list of its organization. Costs nothing but a place in a map. */
export function recordDirectoryRequest(app: App, organizationId: string, request: DirectoryRequest): void {
  const pending = pendingOf(app)
  const { organizations } = pending
  if (request.userId === '' && isTooSoon(pending, organizationId, request.at)) return
  if (!organizations.has(organizationId) && organizations.size >= MOST_ORGANIZATIONS) return
  const waiting = organizations.get(organizationId) ?? []
  organizations.set(organizationId, waiting)
  waiting.push(request)
  if (waiting.length > 2 * MOST_OF_EACH) {
    const ofClass = waiting.filter((one) => classOf(one) === classOf(request))
    if (ofClass.length > MOST_OF_EACH) waiting.splice(waiting.indexOf(ofClass[0] as DirectoryRequest), 1)
  }
  pending.timer ??= setTimeout(() => void flushDirectoryRequests(app), PAUSE_MS).unref()
}

async function read({ store }: App, organizationId: string, of: Class) {
  const { from, to } = idsOf(organizationId, of)
  // Every row has at least one request, so that no more rows are needed.
  return store.jobs.list({ kind: RECORD, from: to, to: from, descending: true, limit: 2 * MOST_OF_EACH })
}

function requestsIn(data: unknown): readonly DirectoryRequest[] {
  return (data as { readonly requests?: readonly DirectoryRequest[] }).requests ?? []
}

/** Removes the rows whose requests are too old to be shown. */
async function trim(app: App, organizationId: string, of: Class): Promise<void> {
  let count = 0
  const old: string[] = []
  for (const { id, data } of await read(app, organizationId, of)) {
    if (count >= MOST_OF_EACH) old.push(id)
    count += requestsIn(data).length
  }
  await app.store.jobs.finish(old)
}

async function write(app: App, organizationId: string, requests: readonly DirectoryRequest[]): Promise<void> {
  // Anybody can name an organization that does not exist.
  if ((await findOrganization(app.store, organizationId)) === undefined) return
  const { jobs } = app.store
  for (const of of CLASSES) {
    const ofClass = requests.filter((one) => classOf(one) === of).slice(-MOST_OF_EACH)
    if (ofClass.length === 0) continue
    const id = `${idsOf(organizationId, of).from}${app.newId()}`
    await jobs.schedule(id, RECORD, NEVER)
    await jobs.rewrite(id, { requests: ofClass })
    await trim(app, organizationId, of)
  }
}

/** Writes what was collected; also before the process ends. */
export function flushDirectoryRequests(app: App): Promise<void> {
  const pending = pendingOf(app)
  clearTimeout(pending.timer)
  pending.timer = undefined
  pending.writing = pending.writing.then(async () => {
    const collected = [...pending.organizations]
    pending.organizations.clear()
    try {
      for (const [organizationId, requests] of collected) await write(app, organizationId, requests)
    } catch (error) {
      // They are only shown: nobody waits for them.
      app.log.warn({ err: error }, 'the last requests of directories were not stored')
    }
  })
  return pending.writing
}

/** The last requests, the newest first. */
export async function lastDirectoryRequests(app: App, organizationId: string): Promise<readonly DirectoryRequest[]> {
  const found = await Promise.all(
    CLASSES.map(async (of) => {
      const rows = await read(app, organizationId, of)
      return rows
        .flatMap(({ data }) => requestsIn(data).toReversed())
        .sort((one, other) => other.at - one.at)
        .slice(0, MOST_OF_EACH)
    }),
  )
  return found.flat().sort((one, other) => other.at - one.at)
}

/** Removes the requests of a removed organization; returns how many rows there were. */
export async function removeRequestsOf(app: App, organizationId: string, _: Origin, limit: number): Promise<number> {
  const rows = (await Promise.all(CLASSES.map((of) => read(app, organizationId, of)))).flat().slice(0, limit)
  await app.store.jobs.finish(rows.map(({ id }) => id))
  return rows.length
}
