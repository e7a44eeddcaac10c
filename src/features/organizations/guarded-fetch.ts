/**
 * Fetching a small text from an address somebody else chose, without letting them look around in our own network: the
 * address is checked when the connection is made, on what the name resolved to (no second lookup, no rebinding).
 */
import { request } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup, type IsAllowed, type Resolve } from '../../access/outbound.ts'
import { isPublicAddress } from '../../kernel/network-address.ts'

export interface FetchOptions {
  readonly signal: AbortSignal
  readonly mostBytes: number
  readonly timeoutMs: number
  /** Where we may connect to; not given: the public internet. */
  readonly isAllowed?: IsAllowed
  readonly resolve?: Resolve
}

/** The text at an https address; undefined for every answer but 200 and for whatever goes wrong. Follows no redirect. */
export const fetchText = (url: URL, options: FetchOptions): Promise<string | undefined> =>
  new Promise((settle) => {
    const { isAllowed = isPublicAddress } = options
    // An address instead of a name is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isAllowed(host))) return settle(undefined)
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
    const lookup = guardedLookup(isAllowed, options.resolve)
    const outgoing = request(url, { signal, lookup, agent: false }, (response) => {
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
