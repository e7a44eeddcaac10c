/**
 * A simulation of many instances on some PostgreSQL servers. Each instance has one sequence: while a batch of commits is
 * written, those that arrive wait for the next one. A batch takes the processor of its server for each commit, one core at a
 * time, and then waits for the disk and the standby without a processor. Commits arrive at random moments.
 */

/** An instance: where it is, and how many commits a second it is asked for. */
export interface Placed {
  readonly server: number
  readonly rate: number
}

export interface Model {
  readonly instances: readonly Placed[]
  readonly servers: number
  readonly coresOfServer: number
  /** The processor time of a commit on the server, in milliseconds. */
  readonly commitMs: number
  /** How long a batch waits to be durable, in milliseconds, in the mean. */
  readonly waitMs: number
  /** The most commits of a batch. */
  readonly batch: number
  readonly seconds: number
  readonly seed: number
}

export interface Simulated {
  /** Commits a second that were written. */
  readonly rate: number
  /** The part of the cores' time that was used, by server. */
  readonly used: readonly number[]
  /** From the arrival of a commit until it is durable, in milliseconds; sorted. */
  readonly latencies: Float64Array
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The share of commits that each of `count` instances gets: the n-th gets less by the power `skew` of its rank. */
export function skewedRates(total: number, count: number, skew: number, most = Number.POSITIVE_INFINITY): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** -skew)
  const capped = new Set<number>()
  // What an instance may not have goes to the others, until none has too much.
  for (;;) {
    const left = total - (capped.size === 0 ? 0 : capped.size * most)
    const sum = weights.reduce((before, weight, rank) => before + (capped.has(rank) ? 0 : weight), 0)
    const rates = weights.map((weight, rank) => (capped.has(rank) ? most : (left * weight) / sum))
    const above = rates.flatMap((rate, rank) => (rate > most && !capped.has(rank) ? [rank] : []))
    if (above.length === 0) return rates
    if (capped.size + above.length >= count) throw new RangeError(`${count} instances cannot share ${total} commits`)
    for (const rank of above) capped.add(rank)
  }
}

/** Puts each instance, the largest first, on the server that has least; `kept` stay where they are. */
export function placeByRate(
  rates: readonly number[],
  servers: readonly number[],
  kept: readonly Placed[] = [],
): Placed[] {
  const load = new Map(servers.map((server) => [server, 0]))
  for (const { server, rate } of kept) load.set(server, (load.get(server) ?? 0) + rate)
  const placed = rates
    .toSorted((a, b) => b - a)
    .map((rate) => {
      const [server = 0] = [...load].reduce((least, one) => (one[1] < least[1] ? one : least))
      load.set(server, (load.get(server) ?? 0) + rate)
      return { server, rate }
    })
  return [...kept, ...placed]
}

/** What happens next: the sequence of an instance is free at a time. A binary heap by time. */
class Agenda {
  readonly #entries: { readonly at: number; readonly instance: number }[] = []

  add(at: number, instance: number): void {
    const entries = this.#entries
    let index = entries.push({ at, instance }) - 1
    for (let above = (index - 1) >> 1; index > 0 && (entries[above]?.at ?? 0) > at; above = (index - 1) >> 1) {
      this.#swap(index, above)
      index = above
    }
  }

  next(): { readonly at: number; readonly instance: number } | undefined {
    const entries = this.#entries
    const first = entries[0]
    const last = entries.pop()
    if (entries.length === 0 || last === undefined) return first
    entries[0] = last
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      const below = (entries[right]?.at ?? Infinity) < (entries[left]?.at ?? Infinity) ? right : left
      if ((entries[below]?.at ?? Infinity) >= (entries[index]?.at ?? 0)) return first
      this.#swap(index, below)
      index = below
    }
  }

  #swap(one: number, other: number): void {
    const entries = this.#entries
    const entry = entries[one] as (typeof entries)[number]
    entries[one] = entries[other] as (typeof entries)[number]
    entries[other] = entry
  }
}

/** Runs the model. Times are in milliseconds. */
export function simulate({
  instances,
  servers,
  coresOfServer,
  commitMs,
  waitMs,
  batch,
  seconds,
  seed,
}: Model): Simulated {
  const random = randomFrom(seed)
  const pause = (mean: number) => -Math.log(1 - random()) * mean
  const end = seconds * 1_000
  const cores = Array.from({ length: servers }, () => new Float64Array(coresOfServer))
  const busy = new Float64Array(servers)
  const latencies: number[] = []
  const agenda = new Agenda()
  const waiting: number[][] = instances.map(() => [])
  const arrivals = instances.map(({ rate }, instance) => {
    const first = pause(1_000 / rate)
    agenda.add(first, instance)
    return first
  })
  for (let event = agenda.next(); event !== undefined; event = agenda.next()) {
    const { at, instance } = event
    const { server, rate } = instances[instance] as Placed
    const queue = waiting[instance] as number[]
    let arrival = arrivals[instance] as number
    for (; arrival <= at && arrival < end; arrival += pause(1_000 / rate)) queue.push(arrival)
    arrivals[instance] = arrival
    if (queue.length === 0) {
      if (arrival < end) agenda.add(arrival, instance)
      continue
    }
    const together = queue.splice(0, batch)
    const free = cores[server] as Float64Array
    const core = free.indexOf(Math.min(...free))
    const begun = Math.max(at, free[core] as number)
    const written = begun + together.length * commitMs
    free[core] = written
    busy[server] = (busy[server] as number) + (Math.min(written, end) - Math.min(begun, end))
    const durable = written + pause(waitMs)
    // What is durable after the end counts for nobody, so that a queue that grows is seen.
    if (durable <= end) for (const since of together) latencies.push(durable - since)
    else if (begun >= end) continue
    agenda.add(durable, instance)
  }
  return {
    rate: latencies.length / seconds,
    used: [...busy].map((time) => time / end / coresOfServer),
    latencies: Float64Array.from(latencies).sort(),
  }
}
