/** The headers of every hosted page, whatever its status. */

/** Styles and images from ourselves only, nothing inline, nothing embedded, and no site may embed our pages. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

const ONE_YEAR_IN_SECONDS = 365 * 24 * 60 * 60

/** The addresses of our pages contain codes: nothing may cache them, and no referrer may pass them on. */
export function securityHeaders(externalUrl: URL): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(externalUrl.protocol === 'https:' ? { 'strict-transport-security': `max-age=${ONE_YEAR_IN_SECONDS}` } : {}),
  }
}
