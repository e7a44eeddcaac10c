/**
 * Wakes the queues that new events are for. Every process that runs jobs reads the end of the log; which of them wakes a
 * queue does not matter. Nothing depends on it but time: a queue that was not woken looks by itself.
 */
import { type App, perApp } from '../../module/app.ts'
import type { DestinationRef, EventFilter } from '../../module/destinations.ts'
import type { StoredEvent } from '../../store/index.ts'
import { HELD, LANES, QUEUE, queueId, refOf, WORKING } from './names.ts'
import { headOf } from './run-queue.ts'

const EVERY_MS = 500
const PAGE = 500
/** How many pages are read at once. Whoever is further behind wakes every queue instead of looking at each event. */
const MOST_PAGES = 20
/** How many queues one statement wakes. */
const AT_ONCE = 400

interface Wanting {
  readonly ref: DestinationRef
  readonly wants: EventFilter
}

/** Those that want one of the events. Most name types, so that few events are compared with them. */
function wantingAny(some: readonly Wanting[] = [], events: readonly StoredEvent[]): readonly Wanting[] {
  const byType = Map.groupBy(events, ({ type }) => type)
  return some.filter(({ wants }) => {
    const candidates = wants.types?.flatMap((type) => byType.get(type) ?? []) ?? events
    return candidates.some((event) => isWanted(wants, event))
  })
}

function isWanted({ kinds, owner, matches }: EventFilter, event: StoredEvent): boolean {
  return (
    (kinds === undefined || kinds.includes(event.kind)) &&
    (owner === undefined || owner === event.owner) &&
    (matches?.(event) ?? true)
  )
}

class Watch {
  readonly #app: App
  readonly #known = new Set<string>()
  /** By the owner whose events they get; undefined: those of all. An event is compared only with those that may get it. */
  #wanting: ReadonlyMap<string | undefined, readonly Wanting[]> = new Map()
  #position: number | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(app: App) {
    this.#app = app
  }

  begin(): void {
    this.#timer = setInterval(() => void this.look(), EVERY_MS)
    this.#timer.unref()
    void this.look()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Looks once, after what is being looked at. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() =>
      this.#look().catch((error: unknown) => this.#app.log.warn({ error }, 'could not look for new events')),
    )
    return this.#looking
  }

  async #load(): Promise<void> {
    const { destinations } = this.#app
    const lists = destinations.map(async (kind) =>
      (await kind.list(this.#app)).map(({ id, wants }) => ({ ref: { kind: kind.name, id }, wants })),
    )
    this.#wanting = Map.groupBy((await Promise.all(lists)).flat(), ({ wants }) => wants.owner)
  }

  async #look(): Promise<void> {
    const { store, destinations } = this.#app
    if (this.#position === undefined) {
      const head = await headOf(store)
      await this.#load()
      await this.#wake([...this.#wanting.values()].flat())
      await this.#wakeRemoved(await this.#held())
      this.#position = head
      return
    }
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const events = await store.events({ from: this.#position, limit: PAGE })
      const last = events.at(-1)
      if (last === undefined) return
      const changed = destinations.flatMap(({ name, dependsOn }) =>
        events.flatMap(({ kind, id }) => (dependsOn.includes(kind) ? { kind: name, id } : [])),
      )
      if (changed.length > 0) await this.#load()
      await this.#wakeRemoved(changed)
      await this.#wake(this.#wantingOneOf(events))
      this.#position = last.sequence
      if (events.length < PAGE) return
    }
    this.#position = undefined
    await this.#look()
  }

  #wantingOneOf(events: readonly StoredEvent[]): readonly Wanting[] {
    const byOwner = Map.groupBy(events, ({ owner }) => owner)
    return [
      ...wantingAny(this.#wanting.get(undefined), events),
      ...[...byOwner].flatMap(([owner, own]) => wantingAny(this.#wanting.get(owner), own)),
    ]
  }

  /** The destinations whose queues wait until somebody resumes them. */
  async #held(): Promise<readonly DestinationRef[]> {
    const held: DestinationRef[] = []
    for (let from: string | undefined; ; ) {
      const jobs = await this.#app.store.jobs.list({ kind: HELD, limit: AT_ONCE, ...(from !== undefined && { from }) })
      held.push(...jobs.map(({ id }) => refOf(id)))
      if (jobs.length < AT_ONCE) return held
      from = jobs.at(-1)?.id
    }
  }

  /** Wakes the queues of destinations that are gone, however they wait: a queue without a destination ends. */
  async #wakeRemoved(refs: readonly DestinationRef[]): Promise<void> {
    const { clock, destinations, store } = this.#app
    for (const ref of refs) {
      const kind = destinations.find(({ name }) => name === ref.kind)
      if (kind === undefined || (await kind.find(this.#app, ref.id)) !== undefined) continue
      this.#known.delete(queueId(ref))
      await store.jobs.wake([queueId(ref)], LANES, QUEUE, clock())
    }
  }

  async #wake(some: readonly Wanting[]): Promise<void> {
    const { clock, store } = this.#app
    const ids = some.map(({ ref }) => queueId(ref))
    for (const id of ids) {
      if (this.#known.has(id)) continue
      await store.jobs.schedule(id, QUEUE, clock())
      this.#known.add(id)
    }
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await store.jobs.wake(ids.slice(at, at + AT_ONCE), WORKING, undefined, clock())
    }
  }
}

/** The watch of one process. */
export const watchOf = perApp((app) => new Watch(app))
