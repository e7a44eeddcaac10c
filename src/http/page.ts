/**
 * What the port itself serves, with no gate before it: documents for watchers (probes, metrics, the OpenAPI document), and
 * the hosted pages for people, which see more of the request and take forms.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Readable } from 'node:stream'
import { readBody } from './body.ts'
import { lingerAtClose } from './port/linger.ts'
import { restErrorBody } from './protocols/error-details.ts'
import { Failed, wrongVerb } from './protocols/errors.ts'

export interface PageAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Beside or in place of those that every page has, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes the document anew for each request; asked with GET and HEAD only. */
export type Page = () => PageAnswer | Promise<PageAnswer>

/** What a hosted page sees of a request, whatever the version of HTTP. */
export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Address at the other end of the connection: of the browser, or of a proxy before us. */
  readonly peer: string
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** The fields of the form in the body; rejects with `UnreadableForm`. */
  readForm(): Promise<URLSearchParams>
}

/** A page that is asked whatever the method, and says itself what it takes. */
export interface HostedPage {
  answer(request: PageRequest): Promise<PageAnswer>
}

/** Path → page. */
export type Pages = ReadonlyMap<string, Page | HostedPage>

/** The body is no form, or too long for one. */
export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: 413 | 415

  constructor(status: 413 | 415) {
    super(status === 413 ? 'the form is too large' : 'the body is not a form')
    this.status = status
  }
}

/** Far more than any of our forms, far less than anybody could flood us with. */
export const MAX_FORM_BYTES = 16 * 1024

/** A page of plain text; the line break at the end is for people with `curl`. */
export function textPage(status: number, line: string): PageAnswer {
  return {
    status,
    contentType: 'text/plain; charset=utf-8',
    body: `${line}\n`,
  }
}

function splitTarget(target: string): readonly [path: string, query: string] {
  const question = target.indexOf('?')
  return question === -1 ? [target, ''] : [target.slice(0, question), target.slice(question + 1)]
}

/** The page for a request target, whatever its query. */
export function findPage(pages: Pages, target: string | undefined): Page | HostedPage | undefined {
  return target === undefined ? undefined : pages.get(splitTarget(target)[0])
}

async function readFormOf(source: Readable, headers: IncomingHttpHeaders): Promise<URLSearchParams> {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw new UnreadableForm(415)
  if (Number(headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw new UnreadableForm(413)
  try {
    return new URLSearchParams((await readBody(source, { maxBytes: MAX_FORM_BYTES })).toString('utf8'))
  } catch (error) {
    throw error instanceof Failed && error.failure.http === 413 ? new UnreadableForm(413) : error
  }
}

interface Incoming {
  readonly method: string | undefined
  readonly target: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly peer: string | undefined
  readonly source: Readable
}

function requestOf({ method = '', target = '/', headers, peer = '', source }: Incoming): PageRequest {
  const [path, query] = splitTarget(target)
  return {
    method,
    path,
    query: new URLSearchParams(query),
    peer,
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : value?.[0]
    },
    readForm: () => readFormOf(source, headers),
  }
}

const DOCUMENT_VERBS = ['GET', 'HEAD']

/** Programs ask for documents: they are refused in the contract's error shape, as at every path of the contract. */
const NOT_ALLOWED: PageAnswer = {
  status: 405,
  contentType: 'application/json',
  body: restErrorBody(wrongVerb(DOCUMENT_VERBS), 'signet'),
  headers: { allow: DOCUMENT_VERBS.join(', ') },
}

async function compose(page: Page | HostedPage, incoming: Incoming): Promise<PageAnswer> {
  try {
    if (typeof page === 'object') return await page.answer(requestOf(incoming))
    if (incoming.method === 'GET' || incoming.method === 'HEAD') return await page()
    return NOT_ALLOWED
  } catch {
    return textPage(500, 'internal error')
  }
}

function headersOf({ contentType, body, headers }: PageAnswer) {
  return {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  }
}

/** Whether so much of the body is still to come that reading it costs more than a new connection. */
function isLongToCome({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete &&
    (headers['transfer-encoding'] !== undefined ||
      headers.expect !== undefined ||
      Number(headers['content-length'] ?? 0) > MAX_FORM_BYTES)
  )
}

/** How long an answer waits for the rest of a request that it did not need, before the sender is asked to stop. */
const PATIENCE_MS = 500

export async function servePage1(
  page: Page | HostedPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url: target, headers, socket } = request
  const answer = await compose(page, { method, target, headers, peer: socket.remoteAddress, source: request })
  if (response.destroyed) return
  if (isLongToCome(request)) response.setHeader('connection', 'close')
  lingerAtClose(request)
  response.writeHead(answer.status, headersOf(answer)).end(method === 'HEAD' ? undefined : answer.body)
}

export async function servePage2(
  page: Page | HostedPage,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { ':method': method, ':path': target } = headers
  const peer = stream.session?.socket.remoteAddress
  const answer = await compose(page, { method, target, headers, peer, source: stream })
  if (stream.destroyed || stream.headersSent) return
  stream.respond({ ':status': answer.status, ...headersOf(answer) })
  stream.end(method === 'HEAD' ? undefined : answer.body)
  if (stream.readableEnded) return
  stream.resume()
  const timer = setTimeout(() => stream.close(), PATIENCE_MS)
  stream.once('close', () => clearTimeout(timer))
}
