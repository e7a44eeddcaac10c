/**
 * Fetches URLs that callers chose without giving them access to the internal network: every connection, also after a
 * redirect, goes to an address that was checked after the DNS lookup.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Tracer } from '../kernel/tracer.ts'
import { allowedAddresses, ForbiddenAddress, guardedLookup, type IsAllowed, type Resolve } from './lookup.ts'

/** Why a fetch failed. */
export type OutboundProblem =
  | 'address_forbidden'
  | 'too_many_redirects'
  | 'too_large'
  | 'too_slow'
  /** The response has a content coding that was not requested. Its decoded size has no limit. */
  | 'encoded'
  | 'unreachable'

/** The error of a guarded fetch. Its message never describes the other server. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
  readonly problem: OutboundProblem

  constructor(problem: OutboundProblem, options?: ErrorOptions) {
    super(`the request outside failed: ${problem}`, options)
    this.problem = problem
  }
}

export interface GuardedRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Follows redirects for requests without a body. Defaults to false. */
  readonly followsRedirects?: boolean
  /** For addresses that strangers name: nothing private is reached, whatever the guard allows to administrators. */
  readonly isForStranger?: boolean
  /** A lower limit than that of the guard. */
  readonly mostBytes?: number
  /**
   * With `status`, the body is not read, whatever its length and coding. With `beginning`, the status is the answer, and of
   * the body what arrives soon and is not too long. Defaults to everything.
   */
  readonly reads?: 'everything' | 'beginning' | 'status'
  readonly signal?: AbortSignal
}

/** Fetches a URL. Resolves with the whole response for any status, rejects with `OutboundFailed`. */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<Response>

export interface GuardOptions {
  /** Whether addresses of this machine and of its private network are allowed. Plain http is allowed only for them. */
  readonly allowsPrivate: boolean
  readonly resolve?: Resolve
  /** Certificates to trust instead of those of the system; for tests. */
  readonly ca?: string
  readonly timeoutMilliseconds?: number
  readonly mostBytes?: number
  /** Gives each request a span, whose trace the other server can continue. */
  readonly tracer?: Tracer | undefined
}

/** How long the beginning of a body is waited for. */
const BEGINNING_MS = 1000
const MOST_REDIRECTS = 5
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Statuses whose responses have no body (Fetch §2.2.3). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** Returns the rule for the addresses that a URL may resolve to. */
function ruleFor(url: URL, allowsPrivate: boolean): IsAllowed {
  return allowedAddresses(url.protocol === 'https:', allowsPrivate && /^https?:$/.test(url.protocol))
}

/** Parses a URL and checks it. The addresses of a host name are checked when it is resolved. */
function checkedUrl(text: string, base: URL | undefined, allowsPrivate: boolean): URL {
  const url = URL.parse(text, base)
  const isPlain = url !== null && url.username === '' && url.password === ''
  if (!isPlain || (base?.protocol === 'https:' && url.protocol !== 'https:')) {
    throw new OutboundFailed('address_forbidden')
  }
  // An IP address is not resolved, so it is checked here. The parser has normalized all other notations.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = ruleFor(url, allowsPrivate)
  if (!/^https?:$/.test(url.protocol) || (isIP(host) !== 0 && !isAllowed(host))) {
    throw new OutboundFailed('address_forbidden')
  }
  return url
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function problemOf(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error
  if (error instanceof ForbiddenAddress) return new OutboundFailed('address_forbidden', { cause: error })
  return new OutboundFailed('unreachable', { cause: error })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

/** Reads the first bytes of a body. Whatever the other server does, it ends soon, and once. */
function readBeginning(incoming: IncomingMessage, most: number, done: (content: Buffer<ArrayBuffer>) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  let isDone = false
  const end = () => {
    clearTimeout(timer)
    if (!isDone) done(Buffer.concat(chunks).subarray(0, most))
    isDone = true
  }
  const timer = setTimeout(end, BEGINNING_MS)
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (!isDone) chunks.push(chunk)
    if (length >= most) end()
  })
  for (const event of ['error', 'aborted', 'end', 'close']) incoming.on(event, end)
}

/** Creates a guarded fetch. Limits one fetch to 30 seconds and 20 MB, including redirects. */
export function openGuardedFetch(options: GuardOptions): GuardedFetch {
  const { resolve, ca, timeoutMilliseconds = 30_000, mostBytes = 20 * 1024 * 1024, tracer } = options
  const allowsPrivate = ({ isForStranger = false }: GuardedRequest) => options.allowsPrivate && !isForStranger

  const askTraced = (tracer: Tracer, url: URL, asked: GuardedRequest, signal: AbortSignal) => {
    const method = asked.method ?? 'GET'
    // Neither path nor query: a webhook can have its secret there.
    const attributes = { 'http.request.method': method, 'server.address': url.hostname, 'server.port': portOf(url) }
    return tracer.trace(`${method} outside`, 'client', attributes, async (span) => {
      const headers = span === undefined ? asked.headers : { ...asked.headers, traceparent: span.traceparent }
      const response = await ask(url, { ...asked, ...(headers && { headers }) }, signal)
      span?.set({ 'http.response.status_code': response.status })
      return response
    })
  }

  const ask = (url: URL, asked: GuardedRequest, signal: AbortSignal) =>
    new Promise<Response>((settle, fail) => {
      const { method = 'GET', headers = {}, body } = asked
      const most = Math.min(mostBytes, asked.mostBytes ?? mostBytes)
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const broken = (error: Error) => fail(signal.aborted ? new OutboundFailed('too_slow') : problemOf(error))
      const outgoing = request(
        url,
        {
          method,
          signal,
          agent: false,
          lookup: guardedLookup(ruleFor(url, allowsPrivate(asked)), resolve),
          headers: { 'user-agent': 'Signet', ...headers, 'accept-encoding': 'identity' },
          ...(ca !== undefined && { ca }),
        },
        (incoming) => {
          const status = incoming.statusCode ?? 0
          const coding = incoming.headers['content-encoding'] ?? 'identity'
          const refuse = (problem: OutboundProblem) => {
            outgoing.destroy()
            fail(new OutboundFailed(problem))
          }
          const answer = (content: Buffer<ArrayBuffer> | null) => {
            try {
              settle(new Response(content, { status, headers: headersOf(incoming) }))
            } catch (error) {
              fail(problemOf(error))
            }
          }
          if (asked.reads === 'status') {
            answer(null)
            return outgoing.destroy()
          }
          const chunks: Buffer[] = []
          let length = 0
          if (asked.reads === 'beginning') {
            const isReadable = coding.toLowerCase() === 'identity' && !WITHOUT_BODY.includes(status)
            readBeginning(incoming, isReadable ? most : 0, (content) => {
              answer(isReadable ? content : null)
              outgoing.destroy()
            })
            return
          }
          if (coding.toLowerCase() !== 'identity') return refuse('encoded')
          incoming.on('data', (chunk: Buffer) => {
            length += chunk.length
            if (length > most) refuse('too_large')
            else chunks.push(chunk)
          })
          incoming.on('error', broken)
          incoming.on('end', () => answer(WITHOUT_BODY.includes(status) ? null : Buffer.concat(chunks)))
        },
      )
      outgoing.on('error', broken)
      // Without a listener the connection would be closed, and the request would never end.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy()
        fail(new OutboundFailed('unreachable'))
      })
      outgoing.end(body)
    })

  return async (text, request = {}) => {
    const limit = AbortSignal.timeout(timeoutMilliseconds)
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal])
    let url = checkedUrl(text, undefined, allowsPrivate(request))
    for (let redirects = 0; ; redirects++) {
      if (signal.aborted) throw new OutboundFailed('too_slow')
      const response = await (tracer === undefined
        ? ask(url, request, signal)
        : askTraced(tracer, url, request, signal))
      const location = response.headers.get('location')
      const isSentOn = request.followsRedirects === true && request.body === undefined
      if (!isSentOn || location === null || !REDIRECTS.includes(response.status)) return response
      if (redirects === MOST_REDIRECTS) throw new OutboundFailed('too_many_redirects')
      const next = checkedUrl(location, url, allowsPrivate(request))
      // Credentials are sent only to the origin that was called first.
      if (next.origin !== url.origin) request = { ...request, headers: {} }
      url = next
    }
  }
}
