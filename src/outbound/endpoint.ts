/** Whether a URL that somebody stores can be posted to. The addresses of a host name are checked at each request. */
import { isIP } from 'node:net'
import { isPublicAddress, isPublicOrOwnAddress } from '../kernel/network-address.ts'

/** Names that always mean this machine (RFC 6761 §6.3). */
const THIS_MACHINE = /(^|\.)localhost\.?$/

/** Why nothing can be posted to a URL; undefined when it can. */
export function endpointProblem(endpoint: string, allowsPrivate: boolean): string | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  if (url.protocol === 'http:' && !allowsPrivate) {
    return 'must be an https URL because secrets are sent to it; for a test, start Signet with SIGNET_ALLOW_PRIVATE_NETWORK=true'
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = allowsPrivate ? isPublicOrOwnAddress : isPublicAddress
  const isPrivate = isIP(host) === 0 ? !allowsPrivate && THIS_MACHINE.test(host) : !isAllowed(host)
  return isPrivate ? 'must not be a private network address' : undefined
}
