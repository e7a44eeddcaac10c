/**
 * A page is a route that responds with a whole document and does its own authorization. Hosted pages, probes, metrics
 * and the OpenAPI document are pages. The router serves them.
 */
import type { Exchange } from './exchange.ts'
import { mediaType } from './protocols/content-type.ts'
import { Failed } from './protocols/errors.ts'
import { STATUS } from './protocols/status.ts'
import { UnreadableForm } from './unreadable-form.ts'
import { readUpload, type Upload } from './upload.ts'

export { UnreadableForm } from './unreadable-form.ts'

/** Headers by name; one with a list is sent once for each of its values. */
export type PageHeaders = Readonly<Record<string, string | readonly string[]>>

/** What a page answers. */
export interface PageAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** By lower-case name; they take the place of the usual ones, `cache-control: no-store` for example. */
  readonly headers?: PageHeaders
}

/** A request as pages see it, independent of the HTTP version. */
export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The query as it was sent: a signature over it is about these very characters. */
  readonly rawQuery: string
  /** Address of the other end of the connection: the browser, or a proxy in front of the server. */
  readonly peer: string
  /** Address of the client, behind the proxies that are trusted. */
  readonly client: string
  readonly requestId: string
  /** What tells a caller without a valid token where to get one. */
  readonly challenge?: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** Of all headers, in lower case. */
  readonly headerNames: readonly string[]
  /** Returns the form fields of the body. Rejects with `UnreadableForm`. */
  readForm(): Promise<URLSearchParams>
  /** Returns the value of a body that is JSON, of up to this size. Rejects with `UnreadableForm`. */
  readJson(maxBytes?: number): Promise<unknown>
  /** Returns a body of up to this size as it is. Rejects with `UnreadableForm`. */
  readBytes(maxBytes: number): Promise<Uint8Array>
  /** Returns the fields of a form with a file of up to this size. Rejects with `UnreadableForm`. */
  readUpload(maxBytes: number): Promise<Upload>
}

/** A route that responds with a whole document. */
export interface Page {
  /**
   * The allowed HTTP methods; others are refused with an API error. If not set, the page gets all requests and refuses
   * methods itself.
   */
  readonly verbs?: readonly string[]
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>
}

/** Path → page. A path that ends with `/*` matches all paths below it; the longest match wins. */
export type Pages = ReadonlyMap<string, Page>

/** The page for unknown addresses, for a browser that accepts these languages. */
export type NotFoundPage = (acceptLanguage: string | undefined) => PageAnswer

/** Far more than any form needs. */
export const MAX_FORM_BYTES = 16 * 1024

/** A page that responds with the same document to all callers, for GET and HEAD. */
export function documentPage(answer: () => PageAnswer | Promise<PageAnswer>): Page {
  return { verbs: ['GET', 'HEAD'], answer }
}

/** A plain-text response. The line break at the end is for `curl`. */
export function textAnswer(status: number, line: string): PageAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${line}\n` }
}

async function readForm(exchange: Exchange): Promise<URLSearchParams> {
  if (mediaType(exchange.header('content-type')) !== 'application/x-www-form-urlencoded') throw new UnreadableForm(415)
  return new URLSearchParams((await readBytes(exchange, MAX_FORM_BYTES)).toString('utf8'))
}

async function readBytes(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  try {
    return await exchange.read({ maxBytes })
  } catch (error) {
    throw error instanceof Failed && error.failure.http === 413 ? new UnreadableForm(413) : error
  }
}

async function readJson(exchange: Exchange, maxBytes: number): Promise<unknown> {
  if (mediaType(exchange.header('content-type')) !== 'application/json') throw new UnreadableForm(415)
  const bytes = await readBytes(exchange, maxBytes)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new UnreadableForm(400)
  }
}

/** The request of an exchange as pages see it. */
export function pageRequestOf(exchange: Exchange): PageRequest {
  let query: URLSearchParams | undefined
  return {
    method: exchange.verb,
    path: exchange.path,
    get query() {
      query ??= new URLSearchParams(exchange.query)
      return query
    },
    get rawQuery() {
      return exchange.query
    },
    peer: exchange.peer,
    get client() {
      return exchange.client
    },
    requestId: exchange.requestId,
    get challenge() {
      return exchange.challenge
    },
    header: (name) => exchange.header(name),
    get headerNames() {
      return exchange.headerNames
    },
    get signal() {
      return exchange.signal
    },
    readForm: () => readForm(exchange),
    readJson: (maxBytes = MAX_FORM_BYTES) => readJson(exchange, maxBytes),
    readBytes: (maxBytes) => readBytes(exchange, maxBytes),
    readUpload: (maxBytes) => readUpload(exchange, maxBytes),
  }
}

/** Sends the response of a page. */
export function replyWithPage(exchange: Exchange, { status, contentType, body, headers }: PageAnswer): void {
  const all: PageHeaders = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  }
  const lines: string[] = []
  for (const name in all) {
    const values = all[name] ?? ''
    if (typeof values === 'string') lines.push(name, values)
    else for (const value of values) lines.push(name, value)
  }
  exchange.reply({ status, code: codeOf(status), headers: lines, hasAllHeaders: true, body })
}

/** The gRPC code for the HTTP status of a page, for logs and metrics. */
function codeOf(status: number): number {
  if (status < 400) return 0
  const known = { 403: STATUS.forbidden, 404: STATUS.not_found, 429: STATUS.exhausted, 503: STATUS.unavailable }[status]
  return (known ?? (status >= 500 ? STATUS.internal : STATUS.invalid)).code
}
