/** The metadata of a SAML party that a caller gives or names. */
import { XmlRefused, xmlTextOf } from '../crypto/xml/parse.ts'
import { MetadataProblem, MOST_METADATA_CHARACTERS } from '../crypto/xml/saml-metadata.ts'
import type { App } from './app.ts'

/** The metadata themselves, or where they are. */
export type GivenMetadata =
  | { readonly case: 'metadataXml'; readonly value: Uint8Array }
  | { readonly case: 'metadataUrl'; readonly value: string }

const FETCH_MS = 10_000

/** Fetches metadata once. Why that failed is not said: it would tell callers about the network. */
async function fetchMetadata(app: App, url: string): Promise<string> {
  try {
    const response = await app.fetchOutside(url, {
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      followsRedirects: true,
      mostBytes: MOST_METADATA_CHARACTERS,
      signal: AbortSignal.timeout(FETCH_MS),
    })
    if (response.status === 200) return xmlTextOf(new Uint8Array(await response.arrayBuffer()))
  } catch {
    // Unreachable, too large, or not UTF-8.
  }
  throw new MetadataProblem('must be the URL of metadata that the server can fetch')
}

/** The text of metadata. Throws `MetadataProblem`. Never call it inside a write. */
export async function metadataText(app: App, { case: type, value }: GivenMetadata): Promise<string> {
  if (type === 'metadataUrl') return fetchMetadata(app, value)
  try {
    return xmlTextOf(value)
  } catch (error) {
    if (error instanceof XmlRefused) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error
  }
}
