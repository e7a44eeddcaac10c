/** Validates and compares names and domains of organizations. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { foldText } from '../../kernel/fold-text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|[\p{Zl}\p{Zp}\p{Cf}\p{Cn}\p{Co}]/u

/** Longest key, in UTF-16 units: an index entry has a limit. */
const LONGEST_KEY = 600

/** The key of a name. Names with the same key are equal. */
export function nameKey(name: string): string {
  return foldText(name).replaceAll(/\s+/gu, ' ').trim()
}

/** Why `name` cannot be the name of an organization; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (!name.isWellFormed() || CONTROL.test(name)) return 'must not contain control or invisible characters'
  const key = nameKey(name)
  if (key === '') return 'must not be empty'
  return key.length > LONGEST_KEY ? 'is too long when written without ligatures' : undefined
}

// RFC 1123 §2.1: letters, digits and hyphens; a last label of digits only would be taken for an address.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

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

/**
 * Why a caller cannot choose `id` for an organization; undefined when it is valid. It must fit into a request header.
 */
export function idProblem(id: string): string | undefined {
  return /^[\x21-\x7e]{1,200}$/.test(id) ? undefined : 'must consist of printable ASCII characters without spaces'
}
