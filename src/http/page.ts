/**
 * What a page is: a route that answers with a whole document and decides itself who may see it. Hosted pages, probes,
 * metrics and the OpenAPI document are pages. The router serves them.
 */
import type { Exchange } from './exchange.ts'
import { mediaType } from './protocols/content-type.ts'
import { Failed } from './protocols/errors.ts'
import { STATUS } from './protocols/status.ts'

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

/** What a page sees of a request, whatever the version of HTTP. */
export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Address at the other end of the connection: of the browser, or of a proxy before us. */
  readonly peer: string
  readonly requestId: string
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** The fields of the form in the body; rejects with `UnreadableForm`. */
  readForm(): Promise<URLSearchParams>
}

/** A route that answers with a whole document. */
export interface Page {
  /**
   * The HTTP methods it takes; others are refused in the contract's error shape. Not given: the page is asked whatever
   * the method, and refuses in its own words.
   */
  readonly verbs?: readonly string[]
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>
}

/** Path → page. A path that ends with `/*` stands for all paths below it; of several, the longest is asked. */
export type Pages = ReadonlyMap<string, Page>

/** The page at addresses where there is nothing, for a browser that accepts these languages. */
export type NotFoundPage = (acceptLanguage: string | undefined) => PageAnswer

/** The body is no form, or too long for one. */
export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: 413 | 415

  constructor(status: 413 | 415) {
    super(status === 413 ? 'the form is too large' : 'the body is not a form')
    this.status = status
  }
}

/** Far more than any of our forms needs. */
export const MAX_FORM_BYTES = 16 * 1024

const FORM_BOUNDS = { maxBytes: MAX_FORM_BYTES }

/** A page that is the same document for everybody, made anew for each request: GET and HEAD. */
export function documentPage(answer: () => PageAnswer | Promise<PageAnswer>): Page {
  return { verbs: ['GET', 'HEAD'], answer }
}

/** An answer of plain text; the line break at the end is for people with `curl`. */
export function textAnswer(status: number, line: string): PageAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${line}\n` }
}

async function readForm(exchange: Exchange): Promise<URLSearchParams> {
  if (mediaType(exchange.header('content-type')) !== 'application/x-www-form-urlencoded') throw new UnreadableForm(415)
  try {
    return new URLSearchParams((await exchange.read(FORM_BOUNDS)).toString('utf8'))
  } catch (error) {
    throw error instanceof Failed && error.failure.http === 413 ? new UnreadableForm(413) : error
  }
}

/** The request of an exchange as pages see it. */
export function pageRequestOf(exchange: Exchange): PageRequest {
  return {
    method: exchange.verb,
    path: exchange.path,
    query: new URLSearchParams(exchange.query),
    peer: exchange.peer,
    requestId: exchange.requestId,
    header: (name) => exchange.header(name),
    readForm: () => readForm(exchange),
  }
}

/** Sends the answer of a page. */
export function replyWithPage(exchange: Exchange, { status, contentType, body, headers }: PageAnswer): void {
  const all: PageHeaders = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
  exchange.reply({ status, code: codeOf(status), headers: lines, hasAllHeaders: true, body })
}

/** The gRPC code by which logs and metrics know the HTTP status of a page. */
function codeOf(status: number): number {
  if (status < 400) return 0
  const known = { 403: STATUS.forbidden, 404: STATUS.not_found, 429: STATUS.exhausted, 503: STATUS.unavailable }[status]
  return (known ?? (status >= 500 ? STATUS.internal : STATUS.invalid)).code
}
