/**
 * The only file that uses the library of the protocol. Each request has a server of its own, and nothing stays: no sessions,
 * no streams, no subscriptions.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import type { ToolAnswer } from './call-tool.ts'
import type { ToolDescription } from './tools.ts'

/** What a caller can use. */
export interface Toolbox {
  readonly version: string
  readonly instructions: string
  list(): readonly ToolDescription[]
  /** Undefined when there is no such tool. */
  call(name: string, input: unknown): Promise<ToolAnswer | undefined>
}

function serverOf({ version, instructions, list, call }: Toolbox): Server {
  const server = new Server({ name: 'signet', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: list() as never }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = await call(params.name, params.arguments ?? {})
    if (answer === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    const { text, failure, isWrong = false } = answer
    return { content: [{ type: 'text', text }], ...((failure || isWrong) && { isError: true }) }
  })
  return server
}

/** Answers one request whose body was read. */
async function answerMessage(toolbox: Toolbox, request: Request, parsedBody: unknown): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(toolbox), { maxSubscriptions: 0, keepAliveMs: 0 })
  return handler.fetch(request, { parsedBody })
}

/** The request as the library reads it: no credentials, and nothing of the network. */
function requestFor(request: PageRequest, uri: string): Request {
  const names = request.headerNames.filter((name) => /^(?:accept|content-type|mcp-[a-z-]+)$/.test(name))
  const headers = names.map((name): [string, string] => [name, request.header(name) ?? ''])
  return new Request(uri, { method: 'POST', headers, signal: request.signal })
}

/** The same as the answer of a page. The answer of the library can be a stream, which ends after the tool has answered. */
export async function answerPage(
  toolbox: Toolbox,
  request: PageRequest,
  uri: string,
  body: unknown,
): Promise<PageAnswer> {
  const response = await answerMessage(toolbox, requestFor(request, uri), body)
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, contentType, body: await response.text() }
}
