/**
 * JSON at addresses that strangers name: fetched by the guarded fetch, in bounds, and remembered as long as its headers say,
 * within bounds. That it could not be read is remembered, too: anybody can name any address.
 */

import { type Instant, instant } from '../../../kernel/instant.ts'
import { registrableDomain } from '../../../kernel/registrable-domain.ts'
import { Places } from '../../../kernel/share.ts'
import { SizedCache } from '../../../kernel/sized-cache.ts'
import { type App, perApp } from '../../../module/app.ts'

const TIMEOUT_MS = 5_000
const SHORTEST_MS = 60_000
const LONGEST_MS = 86_400_000
/** For how long something that could not be read is not asked for again. */
const FAILURE_MS = 60_000
/**
 * How many of a sort are fetched at once: half of them from the hosts of one domain, because each holds a connection for as
 * long as its host lets it.
 */
const MOST_AT_ONCE = 50

/** Why there is nothing at an address. */
export type FetchProblem = string

export interface JsonSort<Value extends object> {
  /** What it is called in problems. */
  readonly name: string
  readonly mostBytes: number
  /** How much is remembered on each node, in each of two generations. */
  readonly characters: number
  read(given: unknown, url: string): Value | FetchProblem
}

interface Remembered<Value> {
  readonly fetchedAt: Instant
  readonly until: Instant
  readonly found: Value | FetchProblem
}

/** How long an answer may be kept, as its headers say. */
function ageOf({ headers }: Response): number {
  const control = headers.get('cache-control') ?? ''
  if (/\bno-(?:store|cache)\b/i.test(control)) return SHORTEST_MS
  const seconds = Number(/\bmax-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1] ?? 0)
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1000))
}

async function responseAt(app: App, url: string, mostBytes: number): Promise<Response | undefined> {
  // Not AbortSignal.timeout: its timers stay until they are due, and strangers decide how many there are.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), TIMEOUT_MS)
  const { signal } = deadline
  const headers = { accept: 'application/json' }
  try {
    return await app.fetchOutside(url, { headers, followsRedirects: false, isForStranger: true, mostBytes, signal })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

async function jsonOf(response: Response): Promise<{ readonly given: unknown } | undefined> {
  const type = /^[^;\s]*/.exec(response.headers.get('content-type') ?? '')?.[0] ?? ''
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/i.test(type)) return undefined
  try {
    return { given: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer())) }
  } catch {
    return undefined
  }
}

/** One sort of JSON, and what each node remembers of it. */
export class FetchedJson<Value extends object> {
  readonly #sort: JsonSort<Value>
  readonly #memoryOf

  constructor(sort: JsonSort<Value>) {
    this.#sort = sort
    const { characters, mostBytes } = sort
    this.#memoryOf = perApp(() => ({
      kept: new SizedCache<Remembered<Value>>({ characters, longest: 2 * mostBytes }),
      underway: new Map<string, Promise<Value | FetchProblem>>(),
      places: new Places(MOST_AT_ONCE),
    }))
  }

  /** What is remembered; undefined when nothing is, or it is too old. */
  remembered(app: App, url: string): Value | FetchProblem | undefined {
    return this.#entry(app, url)?.found
  }

  /**
   * What is at an address, remembered or fetched. `mayFetch` is asked before something is sent, and counts who causes it. Of
   * several requests at once, one fetches. What does not suit is fetched again, if that was not done within a minute.
   */
  async at(
    app: App,
    url: string,
    mayFetch: () => boolean,
    suits: (found: Value) => boolean = () => true,
  ): Promise<Value | FetchProblem> {
    const known = this.#entry(app, url)
    if (known !== undefined) {
      const isRecent = known.fetchedAt > app.clock() - SHORTEST_MS
      if (typeof known.found === 'string' || isRecent || suits(known.found)) return known.found
    }
    const { underway, places } = this.#memoryOf(app)
    const running = underway.get(url)
    if (running !== undefined) return running
    const { hostname } = new URL(url)
    const leave = places.take(registrableDomain(hostname) ?? hostname)
    if (leave === undefined || !mayFetch()) {
      leave?.()
      return `too many addresses are asked for ${this.#sort.name}; try again later`
    }
    const fetching = this.#fetch(app, url).finally(() => {
      underway.delete(url)
      leave()
    })
    underway.set(url, fetching)
    return fetching
  }

  /** How much is remembered, for tests. */
  characters(app: App): number {
    return this.#memoryOf(app).kept.characters
  }

  #entry(app: App, url: string): Remembered<Value> | undefined {
    const known = this.#memoryOf(app).kept.get(url)
    return known !== undefined && known.until > app.clock() ? known : undefined
  }

  async #fetch(app: App, url: string): Promise<Value | FetchProblem> {
    const [found, age] = await this.#read(app, url)
    const fetchedAt = app.clock()
    const before = this.#entry(app, url)
    // What is still valid is not lost because its host did not answer.
    const isKept = typeof found === 'string' && typeof before?.found === 'object'
    const kept = isKept ? { ...before, fetchedAt } : { fetchedAt, until: instant(fetchedAt + age), found }
    const size = typeof kept.found === 'string' ? kept.found.length : JSON.stringify(kept.found).length
    this.#memoryOf(app).kept.set(url, kept, size)
    return kept.found
  }

  async #read(app: App, url: string): Promise<readonly [Value | FetchProblem, number]> {
    const { name, mostBytes, read } = this.#sort
    const response = await responseAt(app, url, mostBytes)
    // Why it could not be reached is not said: it would tell strangers about the network.
    if (response === undefined) return [`${name} cannot be fetched`, FAILURE_MS]
    if (response.status !== 200) return [`${name} is answered with ${response.status}`, FAILURE_MS]
    const json = await jsonOf(response)
    if (json === undefined) return [`${name} is not JSON`, FAILURE_MS]
    const found = read(json.given, url)
    return [found, typeof found === 'string' ? FAILURE_MS : ageOf(response)]
  }
}
