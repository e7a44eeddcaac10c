/** The configuration of a service provider from the metadata that a caller gives or names. */
import { xmlTextOf } from '../../../crypto/xml/parse.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { LoginVersion, SamlAttribute, SamlConfig } from '../events.ts'
import { applicationRefusals } from '../refusals.ts'
import { MetadataProblem, MOST_METADATA_CHARACTERS, readProvider } from './metadata.ts'

/** The metadata themselves, or where they are. */
export type GivenMetadata =
  | { readonly case: 'metadataXml'; readonly value: Uint8Array }
  | { readonly case: 'metadataUrl'; readonly value: string }

const FETCH_MS = 10_000

function problem(field: string, description: string) {
  return refused(applicationRefusals, 'application.config_invalid', { violations: [{ field, description }] })
}

/** Fetches metadata once. Why that failed is not said: it would tell callers about the network. */
async function fetchMetadata(app: App, url: string, field: string): Promise<string> {
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
  throw problem(field, 'must be the URL of metadata that the server can fetch')
}

export interface SamlChoices {
  readonly loginVersion?: LoginVersion
  readonly attributes?: readonly SamlAttribute[]
  readonly allowsUnsolicited?: true
}

/** The members of a configuration that follow from its metadata. `prefix` is the path of its fields in the request. */
export async function configOfMetadata(app: App, given: GivenMetadata, prefix: string): Promise<SamlConfig> {
  const field = `${prefix}${given.case}`
  try {
    const isUrl = given.case === 'metadataUrl'
    const metadataXml = isUrl ? await fetchMetadata(app, given.value, field) : xmlTextOf(given.value)
    const provider = readProvider(metadataXml)
    return { type: 'saml', metadataXml, ...(isUrl && { metadataUrl: given.value }), ...provider }
  } catch (error) {
    if (error instanceof MetadataProblem) throw problem(field, error.message)
    if (error instanceof Error && error.name === 'XmlRefused') throw problem(field, `cannot be read: ${error.message}`)
    throw error
  }
}

/** The configuration with what a caller chose beside the metadata. */
export function withChoices(
  config: SamlConfig,
  { loginVersion, attributes, allowsUnsolicited }: SamlChoices,
): SamlConfig {
  const { loginVersion: _, attributes: __, allowsUnsolicited: ___, ...rest } = config
  return {
    ...rest,
    ...(loginVersion && { loginVersion }),
    ...(attributes && attributes.length > 0 && { attributes }),
    ...(allowsUnsolicited && { allowsUnsolicited }),
  }
}
