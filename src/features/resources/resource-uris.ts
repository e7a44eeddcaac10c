/** Which URIs identify a resource. Pure. */
import { isLoopbackHost } from '../../kernel/loopback.ts'
import { resourceKey } from '../../kernel/resource-key.ts'

/** The longest URI of a resource; longer ones are not looked up. */
export const LONGEST_URI = 500

/** Why `uri` cannot identify a resource of this server; undefined when it can. */
export function resourceUriProblem(uri: string, externalUrl: string): string | undefined {
  const url = URL.parse(uri)
  if (url === null || uri.length > LONGEST_URI) return 'must be a URL such as https://mcp.example.com/mcp'
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!isAllowed) return 'must be an https URL, or an http URL of this machine'
  if (/[?#*]/.test(uri)) return 'must not have a query, a fragment or a wildcard'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  // What is compared as text must be written in one way only.
  if (resourceKey(url.href) !== resourceKey(uri)) return `must be written as ${url.href}`
  return url.origin === new URL(externalUrl).origin ? 'must not be an address of this server' : undefined
}
