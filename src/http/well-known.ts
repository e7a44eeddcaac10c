/** The documents under `/.well-known`. */
import { documentPage, type Pages } from './page.ts'

/** The pages by path. `relatedOrigins`: the origins that may use passkeys of this domain (WebAuthn Level 3 §5.11). */
export function wellKnownPages(relatedOrigins: readonly string[]): Pages {
  const body = JSON.stringify({ origins: relatedOrigins })
  return new Map([
    ['/.well-known/webauthn', documentPage(() => ({ status: 200, contentType: 'application/json', body }))],
  ])
}
