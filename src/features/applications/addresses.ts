/** What an address of an application must look like, whatever it is for. Pure, and without anything of Node: the console asks too. */

/** What is wrong with an address; each reader has sentences of its own for it. */
export type AddressProblem = UnreadableBecause | 'scheme' | 'fragment' | 'host' | 'credentials' | 'origin' | 'endpoint'

/** Why a text is no address at all. */
export type UnreadableBecause = 'spaces' | 'characters' | 'scheme_missing' | 'absolute'

/** Browsers run these, or read local data with them, instead of opening an application. */
const DANGEROUS = /^(?:javascript|data|vbscript|file|blob|filesystem|about|view-source|ws|wss):$/

// A URI consists of printable ASCII characters (RFC 3986 §2); a backslash is read as a slash by browsers.
const URI_TEXT = /^[\x21-\x5b\x5d-\x7e]+$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

export function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}

/** The address, if all browsers read it alike. */
export function parseAddress(text: string): URL | undefined {
  return URI_TEXT.test(text) && SCHEME.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** What is wrong with a text that `parseAddress` cannot read. */
export function unreadableBecause(text: string): UnreadableBecause {
  if (/\s/.test(text)) return 'spaces'
  if (!URI_TEXT.test(text)) return 'characters'
  return SCHEME.test(text) ? 'absolute' : 'scheme_missing'
}

export function isDangerous({ protocol }: URL): boolean {
  return DANGEROUS.test(protocol)
}

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** Why `text` cannot be an origin; undefined when it can. RFC 6454 §6.2: scheme, host and port alone. */
export function originProblem(text: string): AddressProblem | undefined {
  const url = parseAddress(text)
  const isOrigin = url !== undefined && !isDangerous(url) && /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/i.test(text)
  return isOrigin ? undefined : 'origin'
}

/** Why `text` cannot be the URI of an endpoint; undefined when it can. */
export function endpointProblem(text: string): AddressProblem | undefined {
  const url = parseAddress(text)
  if (url === undefined || !isWeb(url)) return 'endpoint'
  if (text.includes('#')) return 'fragment'
  return hasCredentials(url) ? 'credentials' : undefined
}
