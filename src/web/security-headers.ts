/** The headers of every hosted page, whatever its status. */

/** Styles and images from ourselves only, nothing inline, nothing embedded; only these sites may embed our pages. */
function contentSecurityPolicy(embeddingOrigins: readonly string[]): string {
  const ancestors = embeddingOrigins.length === 0 ? "'none'" : ["'self'", ...embeddingOrigins].join(' ')
  return `default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors ${ancestors}; form-action 'self'`
}

const ONE_YEAR_IN_SECONDS = 365 * 24 * 60 * 60

/** The addresses of our pages contain codes: nothing may cache them, and no referrer may pass them on. */
export function securityHeaders(
  externalUrl: URL,
  embeddingOrigins: readonly string[] = [],
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(embeddingOrigins),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(externalUrl.protocol === 'https:' ? { 'strict-transport-security': `max-age=${ONE_YEAR_IN_SECONDS}` } : {}),
  }
}
