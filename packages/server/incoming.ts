/** A request in one form: of the web (`Request`) or of Node (`req`). Nothing here believes the header `Host`. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type AnyRequest = Request | IncomingMessage

export interface Incoming {
  readonly method: string
  /** The path and the query. */
  readonly path: string
  header(name: string): string
  body(): Promise<string>
}

const LONGEST_BODY = 64 * 1024

function isWeb(request: AnyRequest): request is Request {
  return typeof (request.headers as Headers).get === 'function'
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > LONGEST_BODY) throw new Error('The body is too long.')
    all.push(chunk)
  }
  return Buffer.concat(all).toString()
}

/** A form that something before us has read, as Express does. */
function parsedForm(request: IncomingMessage): string | undefined {
  const { body } = request as { readonly body?: unknown }
  if (typeof body === 'string') return body
  return typeof body === 'object' && body !== null
    ? String(new URLSearchParams(body as Record<string, string>))
    : undefined
}

export function incoming(request: AnyRequest): Incoming {
  if (isWeb(request)) {
    const { pathname, search } = new URL(request.url)
    return {
      method: request.method,
      path: pathname + search,
      header: (name) => request.headers.get(name) ?? '',
      body: () => read((request.body ?? []) as AsyncIterable<Uint8Array>),
    }
  }
  // A router of Express cuts off the path that it is mounted at.
  const { originalUrl = request.url ?? '/' } = request as { readonly originalUrl?: string }
  return {
    method: request.method ?? 'GET',
    path: originalUrl,
    header: (name) => String(request.headers[name] ?? ''),
    body: async () => parsedForm(request) ?? read(request),
  }
}

/** Sends an answer of the web with Node. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  setCookies(response, answer.headers.getSetCookie())
  response.end(Buffer.from(await answer.arrayBuffer()))
}

export function setCookies(response: ServerResponse, cookies: readonly string[]): void {
  for (const cookie of cookies) response.appendHeader('set-cookie', cookie)
}
