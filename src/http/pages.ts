/** Small documents that the port itself serves, with no gate before them: probes, metrics, the OpenAPI document. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'

export interface PageAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
}

/** Makes the document anew for each request. */
export type Page = () => PageAnswer | Promise<PageAnswer>

/** Path → page. */
export type Pages = ReadonlyMap<string, Page>

/** A page of plain text; the line break at the end is for people with `curl`. */
export const textPage = (status: number, line: string): PageAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${line}\n`,
})

/** The page for a request target, whatever its query. */
export const findPage = (pages: Pages, target: string | undefined): Page | undefined => {
  if (target === undefined) return undefined
  const query = target.indexOf('?')
  return pages.get(query === -1 ? target : target.slice(0, query))
}

const compose = async (page: Page, method: string | undefined): Promise<PageAnswer> => {
  if (method !== 'GET' && method !== 'HEAD') return textPage(405, 'method not allowed')
  try {
    return await page()
  } catch {
    return textPage(500, 'internal error')
  }
}

const headersOf = ({ status, contentType, body }: PageAnswer) => ({
  'content-type': contentType,
  'content-length': Buffer.byteLength(body),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
})

export const servePage1 = async (page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  request.resume()
  const answer = await compose(page, request.method)
  if (response.destroyed) return
  response.writeHead(answer.status, headersOf(answer)).end(request.method === 'HEAD' ? undefined : answer.body)
}

export const servePage2 = async (
  page: Page,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  stream.resume()
  const answer = await compose(page, headers[':method'])
  if (stream.destroyed || stream.headersSent) return
  stream.respond({ ':status': answer.status, ...headersOf(answer) })
  stream.end(headers[':method'] === 'HEAD' ? undefined : answer.body)
}
