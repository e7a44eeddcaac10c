/**
 * The form in which URIs of resources (RFC 8707) are compared. A URL without a path and one with the path `/` are the same
 * (RFC 3986 §6.2.3), and clients write both; everything else is compared as it is written.
 */
export function resourceKey(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1')
}
