/**
 * Clients that are known by the address of a document with their metadata (draft-ietf-oauth-client-id-metadata-document).
 * The document is fetched when a request names it (see fetched-json.ts).
 */

import type { App } from '../../../module/app.ts'
import { type ClientMetadata, isProblem, readMetadata } from './client-metadata.ts'
import { FetchedJson, type FetchProblem } from './fetched-json.ts'

const LONGEST_URL = 500

function readDocument(given: unknown, clientId: string): ClientMetadata | FetchProblem {
  const metadata = (typeof given === 'object' ? (given ?? {}) : {}) as Readonly<Record<string, unknown>>
  if (metadata.client_id !== clientId) return 'client_id of the metadata document is not its address'
  if (typeof metadata.client_name !== 'string' || metadata.client_name === '') return 'client_name is missing'
  const read = readMetadata(given, clientId)
  return isProblem(read) ? read.description : read
}

const documents = new FetchedJson<ClientMetadata>({
  name: 'the metadata document',
  mostBytes: 10_240,
  characters: 4_000_000,
  read: readDocument,
})

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
export function rememberedDocument(app: App, clientId: string): ClientMetadata | FetchProblem | undefined {
  return documents.remembered(app, clientId)
}

/** The metadata at an address, remembered or fetched. `mayFetch` is asked before something is sent. */
export function documentAt(
  app: App,
  clientId: string,
  mayFetch: () => boolean,
): Promise<ClientMetadata | FetchProblem> {
  return documents.at(app, clientId, mayFetch)
}

/** How much is remembered, for tests. */
export function rememberedCharacters(app: App): number {
  return documents.characters(app)
}
