/**
 * Fetching a small text from an address somebody else chose, without letting them look around in our own network: the
 * address is checked when the connection is made, on what the name resolved to (no second lookup, no rebinding).
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const BLOCKED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
// Of IPv6 only global unicast is public (RFC 4291 §2.4); inside of it, what is not routed or leads to IPv4 is not.
const PUBLIC_IPV6 = ['2000::', 3] as const
const BLOCKED_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const blocked = new BlockList()
for (const [net, prefix] of BLOCKED_IPV4) blocked.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of BLOCKED_IPV6) blocked.addSubnet(net, prefix, 'ipv6')
const publicIpv6 = new BlockList()
publicIpv6.addSubnet(...PUBLIC_IPV6, 'ipv6')

/** Whether an address belongs to the public internet. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4')
    case 6:
      return publicIpv6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
    default:
      return false
  }
}

/** Resolves a name to all its addresses; tests pass their own. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveAll: Resolve = (hostname, done) => dnsLookup(hostname, { all: true }, done)

/** A lookup for sockets that knows only public addresses. One private address among many spoils them all. */
export const publicLookup =
  (resolve: Resolve = resolveAll): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, [])
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new Error('the name does not lead to the public internet'), [])
      }
      return options.all === true ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
  }

export interface FetchOptions {
  readonly signal: AbortSignal
  readonly mostBytes: number
  readonly timeoutMs: number
  readonly resolve?: Resolve
}

/** The text at an https address; undefined for every answer but 200 and for whatever goes wrong. Follows no redirect. */
export const fetchText = (url: URL, options: FetchOptions): Promise<string | undefined> =>
  new Promise((settle) => {
    // An address instead of a name is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) return settle(undefined)
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
    const outgoing = request(url, { signal, lookup: publicLookup(options.resolve), agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > options.mostBytes) outgoing.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => settle(response.statusCode === 200 ? text : undefined))
      response.on('error', () => settle(undefined))
    })
    outgoing.on('error', () => settle(undefined))
    outgoing.end()
  })
