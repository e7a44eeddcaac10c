/**
 * Our own API for agents, by the Model Context Protocol (streamable HTTP, without sessions): a page at `/mcp`. It takes
 * access tokens for exactly this resource, see `features/resources/own-door.ts`, and translates tools to methods.
 */
import { type Authorize, bearerOf } from '../access/authorization.ts'
import type { Caller, RequestHead } from '../access/call.ts'
import type { Method } from '../access/method.ts'
import { identifyAtDoor } from '../features/grants/index.ts'
import { ownDoor, READ_SCOPE, WRITE_SCOPE } from '../features/resources/index.ts'
import { type Page, type PageAnswer, type PageRequest, type Pages, UnreadableForm } from '../http/page.ts'
import type { Fault } from '../http/protocols/errors.ts'
import type { Intercept } from '../http/protocols/interception.ts'
import { bearerChallenge, DOOR_PATH } from '../kernel/page-paths.ts'
import { Refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'

export { docsDoorPages } from './docs-door.ts'

export interface McpOptions {
  readonly app: App
  readonly methods: readonly Method[]
  /** Authorizes callers of the door. */
  readonly authorize: Authorize
  /** Actions before and after methods. */
  readonly intercept: Intercept | undefined
  readonly log: (fault: Fault) => void
}

/** Far more than a tool is called with; it is read after the caller is known. */
const MAX_MESSAGE_BYTES = 256 * 1024

let loaded: Promise<typeof import('./serve.ts')> | undefined

/** The library and the descriptions of the contract are large; most servers never need them. */
function load(): Promise<typeof import('./serve.ts')> {
  loaded ??= import('./serve.ts')
  return loaded
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers }
}

/** An answer that tells the client where to get which token (RFC 6750 §3, RFC 9728 §5.1). */
function challenge({ externalUrl }: App, status: 401 | 403, error: string, text: string, scope: string): PageAnswer {
  const parts = [`scope="${scope}"`]
  // A request without a token is no error (RFC 6750 §3.1).
  if (error !== '') parts.unshift(`error="${error}"`)
  const body = { error: error || 'invalid_token', error_description: text }
  return json(status, body, { 'www-authenticate': bearerChallenge(externalUrl, DOOR_PATH, ...parts) })
}

/** The caller of a request; or the answer for one that has no token that counts here. */
async function callerOf(app: App, head: RequestHead): Promise<Caller | PageAnswer> {
  try {
    const bearer = bearerOf(head)
    if (bearer === undefined) return challenge(app, 401, '', 'An access token is required.', READ_SCOPE)
    const caller = await identifyAtDoor(app, bearer, app.clock(), head.header('origin') || undefined)
    return caller ?? challenge(app, 401, 'invalid_token', 'The access token does not count here.', READ_SCOPE)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.kind === 'unauthenticated') return challenge(app, 401, 'invalid_token', error.message, READ_SCOPE)
    return json(403, { error: 'access_denied', error_description: error.message })
  }
}

function headOf(request: PageRequest): RequestHead {
  const { method: verb, path, requestId, signal } = request
  return { verb, path, requestId, signal, header: (name) => request.header(name) }
}

function doorPage({ app, methods, authorize, intercept, log }: McpOptions): Page {
  return {
    verbs: ['POST'],
    async answer(request) {
      if ((await ownDoor(app)) === undefined) return json(404, { error: 'not_found' })
      const head = headOf(request)
      const caller = await callerOf(app, head)
      if ('status' in caller) return caller
      try {
        const body = await request.readJson(MAX_MESSAGE_BYTES)
        // Several messages at once, which an earlier version of the protocol had, would be several requests.
        if (Array.isArray(body)) return json(400, { error: 'invalid_request', error_description: 'Send one message.' })
        const { answerCaller } = await load()
        const answer = await answerCaller({ app, methods, authorize, intercept, log, caller, head }, request, body)
        if (answer !== 'scope_missing') return answer
        const text = 'The tool needs a scope that the access token does not have.'
        return challenge(app, 403, 'insufficient_scope', text, `${READ_SCOPE} ${WRITE_SCOPE}`)
      } catch (error) {
        if (!(error instanceof UnreadableForm)) throw error
        const text = 'The body is not JSON, or is too long.'
        return json(error.status, { error: 'invalid_request', error_description: text })
      }
    },
  }
}

/** The page for agents. */
export function mcpPages(options: McpOptions): Pages {
  return new Map([[DOOR_PATH, doorPage(options)]])
}
