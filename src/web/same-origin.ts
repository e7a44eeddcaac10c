/** Whether a form came from one of our own pages: beside SameSite cookies, what keeps other sites from acting for people. */
import type { PageRequest } from '../http/page.ts'
import { hostOf } from '../http/this-machine.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'

/** Browsers tell where a request comes from only to origins they can trust: https, or the machine itself. */
function isTrustworthy(externalUrl: URL, request: PageRequest): boolean {
  return externalUrl.protocol === 'https:' || isLoopbackHost(hostOf(request)?.hostname ?? '')
}

/** False when a browser says that the form stood on another site's page, or hides where it stood without a reason. */
export function isFromOurselves(request: PageRequest, externalUrl: URL): boolean {
  // Fetch Metadata: `none` is the person, who sent it again by reloading.
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = request.header('origin')
  // Every browser sends the origin of a form that goes to another one.
  if (origin === undefined) return true
  // Our own pages send no referrer, which makes the origin `null` too (Fetch §3.1).
  if (origin === 'null') return !isTrustworthy(externalUrl, request)
  return origin === externalUrl.origin || URL.parse(origin)?.host === hostOf(request)?.host
}
