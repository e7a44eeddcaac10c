/**
 * What "this machine" means, everywhere: the name localhost and every name below it (RFC 6761 §6.3), 127.0.0.0/8 and
 * ::1. Browsers trust pages there as they trust https (Secure Contexts §3.1), and so do we. Without anything of Node: the
 * console asks too.
 */

const NAME = /^(?:.+\.)?localhost$/i
const IPV4 = /^127(?:\.\d{1,3}){3}$/

/** The networks of this machine: address and length of the prefix. */
export const LOOPBACK_NETWORKS = [
  ['127.0.0.0', 8],
  ['::1', 128],
] as const

/** Whether an IP address, as a socket names it, is one of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || IPV4.test(address.replace(/^::ffff:/i, ''))
}

/** Whether the host of a URL, as its `hostname` has it, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return NAME.test(hostname) || hostname === '[::1]' || IPV4.test(hostname)
}
