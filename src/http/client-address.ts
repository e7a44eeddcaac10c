/**
 * The address of the client behind proxies. A proxy that is trusted names the address that it was called from, in
 * `Forwarded` (RFC 7239) or `X-Forwarded-For`; the headers of all others are not believed.
 */
import { BlockList, isIP } from 'node:net'

/** The address of the client of a request, given the other end of the connection. */
export type ClientAddress = (peer: string, header: (name: string) => string | undefined) => string

/** `::ffff:192.0.2.1` is 192.0.2.1 on a socket that listens for both versions. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** An address in a header: maybe quoted, maybe in brackets, maybe with a port; undefined when it is none. */
function readAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const six = /^\[([^\]]+)\](?::\d+)?$/.exec(bare)?.[1]
  const address = six ?? (bare.split(':').length === 2 ? bare.split(':')[0] : bare)
  return address !== undefined && isIP(address) !== 0 ? plain(address) : undefined
}

/** The addresses that proxies named, the nearest last. */
function hopsOf(header: (name: string) => string | undefined): readonly (string | undefined)[] {
  const forwarded = header('forwarded')
  if (forwarded !== undefined) {
    return forwarded.split(',').map((hop) => readAddress(/(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? ''))
  }
  return header('x-forwarded-for')?.split(',').map(readAddress) ?? []
}

function addTo(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}

/** Whether an address is one of the proxies, which are addresses and networks such as 10.0.0.0/8. */
export function openProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of trusted) addTo(list, network)
  return (address) => {
    const version = isIP(plain(address))
    return version !== 0 && list.check(plain(address), version === 6 ? 'ipv6' : 'ipv4')
  }
}

/** `trusted` are addresses and networks such as 10.0.0.0/8. */
export function openClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => plain(peer)
  const isTrusted = openProxyCheck(trusted)
  return (peer, header) => {
    let client = plain(peer)
    if (!isTrusted(client)) return client
    for (const hop of hopsOf(header).toReversed()) {
      // A proxy that hides the address, or a damaged header: nothing before it can be believed.
      if (hop === undefined) return client
      client = hop
      if (!isTrusted(hop)) return client
    }
    return client
  }
}

/**
 * What requests of one source are counted by: an IPv4 address, or the network of an IPv6 address, in which a single machine can
 * have any number of addresses.
 */
export function sourceOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [before = '', after] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(before), groups(after ?? '')]
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const all = after === undefined ? left : [...left, ...zeros, ...right]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
