/** Which part of the network an IP address belongs to, for connections to addresses that callers chose. */
import { BlockList, isIP } from 'node:net'
import { LOOPBACK_NETWORKS } from './loopback.ts'

const BLOCKED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
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
for (const [net, prefix] of [...BLOCKED_IPV4, ...BLOCKED_IPV6, ...LOOPBACK_NETWORKS]) {
  blocked.addSubnet(net, prefix, familyOf(net))
}
const publicIpv6 = new BlockList()
publicIpv6.addSubnet(...PUBLIC_IPV6, 'ipv6')

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4')
    case 6:
      return publicIpv6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
    default:
      return false
  }
}

/** Loopback and the networks that organizations run for themselves (RFC 1918, RFC 4193, RFC 6598). */
const OWN_NETWORK = [
  ...LOOPBACK_NETWORKS,
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
] as const

/** Where clouds tell a machine its own credentials, inside of the networks above; link-local is not among them at all. */
const METADATA = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'] as const

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

const ownNetwork = new BlockList()
for (const [net, prefix] of OWN_NETWORK) ownNetwork.addSubnet(net, prefix, familyOf(net))
const metadata = new BlockList()
for (const address of METADATA) metadata.addAddress(address, familyOf(address))

/**
 * Whether an address belongs to the public internet, to this machine or to its operator's own network. Link-local
 * addresses, the metadata services of clouds, multicast and addresses that only stand for another one never do.
 */
export function isPublicOrOwnAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const family = familyOf(address)
  // BlockList takes `::ffff:10.0.0.1` for `10.0.0.1`; a mapped address is refused in every form.
  if (family === 'ipv6' && /^::ffff:|^0*(:0*)*:ffff:/i.test(address)) return false
  if (metadata.check(address, family)) return false
  return isPublicAddress(address) || ownNetwork.check(address, family)
}
