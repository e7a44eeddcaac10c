/**
 * The form in which URIs of resources (RFC 8707) are compared. A URL without a path and one with the path `/` are the same
 * (RFC 3986 §6.2.3), and clients write both; everything else is compared as it is written.
 */
export function resourceKey(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1')
}

/** How else the URI of a resource is written: with or without a slash at its end, and the dot of the root after its host. */
export function spellingsOf(uri: string): readonly string[] {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]+)(.*)$/i.exec(uri) ?? []
  const plain = origin.replace(/\.(:\d+)?$/, '$1')
  const trimmed = path.replace(/\/+$/, '')
  const hosts = [plain, plain.replace(/(:\d+)?$/, '.$1')]
  return hosts.flatMap((host) => [resourceKey(`${host}${trimmed}`), resourceKey(`${host}${trimmed}/`)])
}
