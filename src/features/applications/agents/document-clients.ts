/**
 * Clients that are known by the address of a document with their metadata (draft-ietf-oauth-client-id-metadata-document).
 * The document is fetched when a request names it, by the guarded fetch, and remembered as long as it says, within bounds.
 * That it could not be read is remembered, too: anybody can name any address.
 */

import type { Instant } from '../../../kernel/instant.ts'
import { SizedCache } from '../../../kernel/sized-cache.ts'
import { type App, perApp } from '../../../module/app.ts'
import { type ClientMetadata, isProblem, readMetadata } from './client-metadata.ts'

const LONGEST_URL = 500
const MOST_BYTES = 10_240
const TIMEOUT_MS = 5_000
const SHORTEST_MS = 60_000
const LONGEST_MS = 86_400_000
/** For how long a document that could not be read is not asked for again. */
const FAILURE_MS = 60_000
/** How many documents are fetched at once; each holds a connection for as long as a stranger lets it. */
const MOST_AT_ONCE = 50

/** Why there is no client at an address. */
export type DocumentProblem = string

interface Remembered {
  readonly until: Instant
  readonly found: ClientMetadata | DocumentProblem
}

interface Memory {
  readonly documents: SizedCache<Remembered>
  readonly underway: Map<string, Promise<ClientMetadata | DocumentProblem>>
}

const memoryOf = perApp(
  (): Memory => ({
    documents: new SizedCache({ characters: 4_000_000, longest: 2 * MOST_BYTES }),
    underway: new Map(),
  }),
)

/** Whether a client ID is the address of a document: https, with a path, in its only spelling and without anything else. */
export function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > LONGEST_URL || /[?#@\\*\s]/.test(clientId)) return false
  const url = URL.parse(clientId)
  // Names of hosts only: an address is nobody's name.
  return url?.href === clientId && url.pathname !== '/' && /\.[a-z][a-z0-9-]*$/.test(url.hostname)
}

/** Whether a document is in one of these domains; without any, it may be anywhere. */
export function isInDomains(clientId: string, domains: readonly string[]): boolean {
  const host = URL.parse(clientId)?.hostname ?? ''
  return domains.length === 0 || domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** What is remembered about a document; undefined when nothing is, or it is too old. */
export function rememberedDocument(app: App, clientId: string): ClientMetadata | DocumentProblem | undefined {
  const known = memoryOf(app).documents.get(clientId)
  return known !== undefined && known.until > app.clock() ? known.found : undefined
}

/** How long an answer may be kept, as its headers say. */
function ageOf({ headers }: Response): number {
  const control = headers.get('cache-control') ?? ''
  if (/\bno-(?:store|cache)\b/i.test(control)) return SHORTEST_MS
  const seconds = Number(/\bmax-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1] ?? 0)
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1000))
}

async function fetchDocument(app: App, clientId: string): Promise<readonly [ClientMetadata | DocumentProblem, number]> {
  let response: Response
  // Not AbortSignal.timeout: its timers stay until they are due, and strangers decide how many there are.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), TIMEOUT_MS)
  try {
    response = await app.fetchOutside(clientId, {
      headers: { accept: 'application/json' },
      followsRedirects: false,
      mostBytes: MOST_BYTES,
      signal: deadline.signal,
    })
  } catch {
    // Why it could not be reached is not said: it would tell strangers about the network.
    return ['the metadata document cannot be fetched', FAILURE_MS]
  } finally {
    clearTimeout(timer)
  }
  if (response.status !== 200) return [`the metadata document is answered with ${response.status}`, FAILURE_MS]
  const type = /^[^;\s]*/.exec(response.headers.get('content-type') ?? '')?.[0] ?? ''
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/i.test(type)) return ['the metadata document is not JSON', FAILURE_MS]
  const read = await readDocument(response, clientId)
  return [read, typeof read === 'string' ? FAILURE_MS : ageOf(response)]
}

async function readDocument(response: Response, clientId: string): Promise<ClientMetadata | DocumentProblem> {
  let given: unknown
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer()))
  } catch {
    return 'the metadata document is not JSON'
  }
  const metadata = (typeof given === 'object' ? (given ?? {}) : {}) as Readonly<Record<string, unknown>>
  if (metadata.client_id !== clientId) return 'client_id of the metadata document is not its address'
  if (typeof metadata.client_name !== 'string' || metadata.client_name === '') return 'client_name is missing'
  const read = readMetadata(given, clientId)
  return isProblem(read) ? read.description : read
}

async function fetchOnce(app: App, clientId: string): Promise<ClientMetadata | DocumentProblem> {
  const { documents } = memoryOf(app)
  const [found, age] = await fetchDocument(app, clientId)
  const size = typeof found === 'string' ? found.length : JSON.stringify(found).length
  documents.set(clientId, { until: (app.clock() + age) as Instant, found }, size)
  return found
}

/**
 * The metadata at an address, remembered or fetched. `mayFetch` is asked before something is sent, and counts who causes
 * it. Of several requests at once, one fetches.
 */
export async function documentAt(
  app: App,
  clientId: string,
  mayFetch: () => boolean,
): Promise<ClientMetadata | DocumentProblem> {
  const known = rememberedDocument(app, clientId)
  if (known !== undefined) return known
  const { underway } = memoryOf(app)
  const running = underway.get(clientId)
  if (running !== undefined) return running
  if (underway.size >= MOST_AT_ONCE || !mayFetch()) return 'too many metadata documents are asked for; try again later'
  const fetching = fetchOnce(app, clientId).finally(() => underway.delete(clientId))
  underway.set(clientId, fetching)
  return fetching
}

/** How much is remembered, for tests. */
export function rememberedCharacters(app: App): number {
  return memoryOf(app).documents.characters
}
