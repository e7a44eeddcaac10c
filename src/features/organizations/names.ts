/** Validates domains of organizations. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

// RFC 1123 §2.1: letters, digits and hyphens; a last label of digits only would be taken for an address.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The longest first label of a domain that is made from a name. */
const LONGEST_LABEL = 40

/**
 * The domains that a new organization can have without proving one: its name below our host, or else with its ID, which
 * nobody else has. None where our host is an address, or the name has no letters that a domain can have.
 */
export function domainsFor(name: string, id: string, host: string): readonly string[] {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const label = letters.slice(0, LONGEST_LABEL).replace(/^-+|-+$/g, '')
  const labels = [label, [label, id.toLowerCase()].filter((part) => part !== '').join('-')]
  return labels.flatMap((one) => (one === '' ? [] : (canonicalDomain(`${one}.${host}`) ?? [])))
}

/** The stored form of a domain: ASCII, lower case, no dot at the end. Undefined when it is not a domain name. */
export function canonicalDomain(text: string): string | undefined {
  const normal = text.normalize('NFKC').toLowerCase()
  // Characters that end a host in a URL (a slash, a question mark) would silently cut off the rest.
  if (/[^a-z0-9.\u0080-\u{10ffff}-]/u.test(normal)) return undefined
  const domain = domainToASCII(normal.endsWith('.') ? normal.slice(0, -1) : normal)
  const labels = domain.split('.')
  const isDomain =
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '') &&
    isIP(domain) === 0
  return isDomain ? domain : undefined
}
