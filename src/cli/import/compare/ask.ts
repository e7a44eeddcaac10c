/** Asks a server that speaks this API, ours or the one that people move from. */

/** A server, and whose questions it answers. */
export interface Answering {
  /** `source` or `target`, for messages. */
  readonly side: 'source' | 'target'
  /** The origin. */
  readonly url: string
  readonly token: string
}

export type Json = Readonly<Record<string, unknown>>

/** The server has no answer to a question: it does not know the method, or refuses it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

const TIMEOUT_MS = 60_000
const MOST_TRIES = 5
/** How long to wait before the second try; each following one waits twice as long. */
const PAUSE_MS = 500

function isPassing(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

async function sendOnce(
  { url, token }: Answering,
  verb: 'GET' | 'POST',
  path: string,
  about: Asked,
): Promise<Response> {
  return fetch(new URL(path, url), {
    method: verb,
    headers: {
      authorization: `Bearer ${token}`,
      ...(about.organizationId !== undefined && { 'x-zitadel-orgid': about.organizationId }),
      ...(verb === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(verb === 'POST' && { body: JSON.stringify(about.body ?? {}) }),
    // The token is for this server and no other.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

export interface Asked {
  /** The organization in which the question is asked. */
  readonly organizationId?: string | undefined
  readonly body?: Json
}

/** Asks once, and again when the server or the network is busy. Throws `NoAnswer` for whatever is final. */
export async function ask(server: Answering, verb: 'GET' | 'POST', path: string, about: Asked): Promise<Json> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendOnce(server, verb, path, about).catch((error: unknown) => error as Error)
    if (response instanceof Response && response.ok) return (await response.json()) as Json
    const status = response instanceof Response ? response.status : 0
    await (response instanceof Response ? response.body?.cancel() : undefined)
    if (attempt >= MOST_TRIES || (status !== 0 && !isPassing(status))) {
      const why = response instanceof Response ? `answered ${status}` : `cannot be reached: ${causeOf(response)}`
      throw new NoAnswer(`The ${server.side} ${why} to ${verb} ${path}.`)
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (attempt - 1)))
  }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

const PAGE = 100

/** All objects of a list, page by page, in the order in which they were created. */
export async function* listed(
  server: Answering,
  path: string,
  { organizationId, body = {}, member }: Asked & { readonly member?: string | undefined },
): AsyncGenerator<readonly Json[]> {
  for (let offset = 0; ; offset += PAGE) {
    const page = { offset: String(offset), limit: PAGE, asc: true }
    const asked = { ...body, [member === undefined ? 'query' : 'pagination']: page }
    const answer = await ask(server, 'POST', path, { organizationId, body: asked })
    const found = (answer[member ?? 'result'] ?? []) as readonly Json[]
    if (found.length > 0) yield found
    if (found.length < PAGE) return
  }
}
