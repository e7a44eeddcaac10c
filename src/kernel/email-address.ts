/**
 * E-mail addresses as we take them: a strict subset of RFC 5321 that every mail server and library reads alike. No
 * quoted local parts, no comments, no address literals; the domain may be an internationalized one.
 */
import { domainToASCII } from 'node:url'

/** RFC 5321 §4.1.2: a dot-string of atoms; §4.5.3.1.1: at most 64 octets. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// What would end a host name in an address on the web, or be mapped to such a character unseen.
const DOMAIN_TEXT = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u

/** The longest local part, domain and whole, in ASCII (RFC 5321 §4.5.3.1). */
const LONGEST_LOCAL_PART = 64
const LONGEST_DOMAIN = 253
const LONGEST_ADDRESS = 254

function asciiDomain(domain: string): string | undefined {
  if (!DOMAIN_TEXT.test(domain) || !domain.isWellFormed()) return undefined
  const ascii = domainToASCII(domain)
  const labels = ascii.split('.')
  const isDomain =
    ascii.length <= LONGEST_DOMAIN &&
    labels.every((label) => LABEL.test(label)) &&
    // An IPv4 address, or what would be taken for one.
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  return isDomain ? ascii : undefined
}

/** The address as it goes over the wire, its domain in ASCII and lower case; undefined when it is not one we take. */
export function wireAddress(text: string): string | undefined {
  const at = text.indexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (local.length > LONGEST_LOCAL_PART || !LOCAL_PART.test(local)) return undefined
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === undefined) return undefined
  const address = `${local}@${domain}`
  return address.length <= LONGEST_ADDRESS ? address : undefined
}

/** Whether a text is an e-mail address that we take. */
export function isEmailAddress(text: string): boolean {
  return wireAddress(text) !== undefined
}
