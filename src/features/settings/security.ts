/** The security settings that apply: embedding of the hosted pages, and what applications may do. */

import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { settings } from './documents.ts'
import { settingsRefusals } from './refusals.ts'
import { BUILT_IN_SECURITY, isClientDomain, isEmbeddingOrigin } from './security-values.ts'
import type { SecuritySettings } from './values.ts'

/** How many clients can register themselves in an hour where nobody set it. */
export const DEFAULT_REGISTRATIONS_PER_HOUR = 60

/** Throws, and names the fields, unless these are origins that a page can allow to embed it. */
export function checkEmbeddingOrigins(origins: readonly string[], field = 'embeddedIframe.allowedOrigins'): void {
  const description = 'must be an origin such as https://app.example.com'
  const violations = origins.flatMap((origin, index) =>
    isEmbeddingOrigin(origin) ? [] : [{ field: `${field}[${index}]`, description }],
  )
  if (violations.length > 0) throw refused(settingsRefusals, 'settings.origin_invalid', { violations })
}

/** Throws, and names the fields, unless these are domains that clients can belong to. */
export function checkClientDomains(domains: readonly string[]): void {
  const description = 'must be a domain such as example.com'
  const violations = domains.flatMap((domain, index) =>
    isClientDomain(domain) ? [] : [{ field: `clientIdMetadataDocuments.allowedDomains[${index}]`, description }],
  )
  if (violations.length > 0) throw refused(settingsRefusals, 'settings.domain_invalid', { violations })
}

/** The security settings of the instance. */
export async function securitySettings(app: App, reader: Reader = app.store): Promise<SecuritySettings> {
  return (await reader.get(settings, app.instanceId))?.state.security ?? BUILT_IN_SECURITY
}

/** The origins whose pages may embed the hosted pages; none unless embedding is allowed. */
export async function embeddingOrigins(app: App): Promise<readonly string[]> {
  const security = await securitySettings(app)
  return security.allowsEmbedding ? security.embeddingOrigins.filter(isEmbeddingOrigin) : []
}
