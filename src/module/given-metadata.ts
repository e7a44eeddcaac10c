/** The metadata of a SAML party that a caller gives or names. */
import { XmlRefused, xmlTextOf } from '../crypto/xml/parse.ts'
import { MetadataProblem, MOST_METADATA_CHARACTERS } from '../crypto/xml/saml-metadata.ts'
import type { App } from './app.ts'

/** The metadata themselves, or where they are. */
export type GivenMetadata =
  | { readonly case: 'metadataXml'; readonly value: Uint8Array }
  | { readonly case: 'metadataUrl'; readonly value: string }

const FETCH_MS = 10_000

/**
 * All that is said of an address: whether nothing answers there, something else, or metadata of another sort would tell
 * callers about the network. Who has the text is told what is wrong with it.
 */
const NOT_READ =
  'must be the URL of metadata that the server can fetch and use; problems of metadata given as XML are explained'

async function fetchMetadata(app: App, url: string): Promise<string | undefined> {
  try {
    const response = await app.fetchOutside(url, {
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      followsRedirects: true,
      mostBytes: MOST_METADATA_CHARACTERS,
      signal: AbortSignal.timeout(FETCH_MS),
    })
    return response.status === 200 ? xmlTextOf(new Uint8Array(await response.arrayBuffer())) : undefined
  } catch {
    // Unreachable, too large, or not UTF-8.
    return undefined
  }
}

function textOf(value: Uint8Array): string {
  try {
    return xmlTextOf(value)
  } catch (error) {
    if (error instanceof XmlRefused) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error
  }
}

/** What metadata say, once they are read. */
export interface ReadMetadata<Said> {
  readonly from: { readonly metadataXml: string; readonly metadataUrl?: string }
  readonly said: Said
}

/** Reads metadata, fetched once if they are named. Throws `MetadataProblem`. Never call it inside a write. */
export async function readMetadata<Said>(
  app: App,
  given: GivenMetadata,
  read: (metadataXml: string) => Said,
): Promise<ReadMetadata<Said>> {
  if (given.case === 'metadataXml') {
    const metadataXml = textOf(given.value)
    return { from: { metadataXml }, said: read(metadataXml) }
  }
  const metadataXml = await fetchMetadata(app, given.value)
  if (metadataXml === undefined) throw new MetadataProblem(NOT_READ)
  try {
    return { from: { metadataXml, metadataUrl: given.value }, said: read(metadataXml) }
  } catch (error) {
    throw error instanceof MetadataProblem ? new MetadataProblem(NOT_READ) : error
  }
}
