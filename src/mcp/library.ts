/**
 * The only file that uses the library of the protocol. Each request has a server of its own, and nothing stays: no sessions,
 * no streams, no subscriptions.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
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
    const { text, failure } = answer
    return { content: [{ type: 'text', text }], ...(failure && { isError: true }) }
  })
  return server
}

/** Answers one request whose body was read. */
export async function answerMessage(toolbox: Toolbox, request: Request, parsedBody: unknown): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(toolbox), { maxSubscriptions: 0, keepAliveMs: 0 })
  return handler.fetch(request, { parsedBody })
}
