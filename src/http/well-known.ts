/** What others look for under `/.well-known`. */
import type { Page } from './page.ts'

/** The pages by path. `relatedOrigins`: which pages may ask for passkeys of this domain (WebAuthn Level 3 §5.11). */
export function wellKnownPages(relatedOrigins: readonly string[]): ReadonlyMap<string, Page> {
  const body = JSON.stringify({ origins: relatedOrigins })
  return new Map<string, Page>([
    ['/.well-known/webauthn', () => ({ status: 200, contentType: 'application/json', body })],
  ])
}
