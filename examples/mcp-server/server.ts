/**
 * An MCP server that is protected by Signet. Its clients need no preparation: a request without a token is told where to get
 * one, the client signs the user in there, and comes back with a token for this server alone.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { setting } from '../settings.ts'

const issuer = setting('ISSUER')
const origin = setting('MCP')
/** The name of this server in tokens: the address that clients connect to, as it is registered at Signet. */
const resource = `${origin}/mcp`
const metadataPath = '/.well-known/oauth-protected-resource/mcp'
const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/v2/keys`))

/** Where clients sign users in, and for what (RFC 9728). */
const metadata = { resource, authorization_servers: [issuer], scopes_supported: ['notes:read', 'notes:write'] }
const challenge = { 'www-authenticate': `Bearer resource_metadata="${origin}${metadataPath}"` }

interface Caller {
  readonly sub: string
  readonly scopes: readonly string[]
}

/** The user of a token for this server, and nobody for all other tokens. */
async function callerOf(authorization: string | undefined): Promise<Caller | undefined> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, typ: 'at+jwt', requiredClaims: ['sub', 'exp', 'scope'] })
    if (payload.aud !== resource) return undefined
    return { sub: payload.sub ?? '', scopes: String(payload.scope).split(' ') }
  } catch {
    return undefined
  }
}

const notes = new Map<string, string[]>()

/** The tools that the scopes of a caller allow, on the caller's own notes. */
function toolsFor({ sub, scopes }: Caller): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const own = notes.get(sub) ?? []
  const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  if (scopes.includes('notes:read')) {
    server.registerTool('list_notes', { description: 'All notes of the user.' }, () => answer(JSON.stringify(own)))
  }
  if (scopes.includes('notes:write')) {
    const inputSchema = fromJsonSchema<{ readonly text: string }>({
      type: 'object',
      properties: { text: { type: 'string', maxLength: 1000 } },
      required: ['text'],
    })
    server.registerTool('add_note', { description: 'Adds a note.', inputSchema }, ({ text }) => {
      notes.set(sub, [...own, text].slice(-100))
      return answer('added')
    })
  }
  return server
}

/** Passes a request to the tools of its caller. */
async function serve(request: IncomingMessage, caller: Caller): Promise<Response> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  const body = request.method === 'POST' ? (request as unknown as BodyInit) : null
  const init = { method: request.method ?? 'GET', headers, body, duplex: 'half' }
  return createMcpHandler(() => toolsFor(caller), { maxRequestBodySize: 100_000 }).fetch(new Request(resource, init))
}

const server = createServer(async (request, response) => {
  if (request.url === metadataPath) {
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
  }
  if (request.url !== '/mcp') return response.writeHead(404).end()
  const caller = await callerOf(request.headers.authorization)
  if (caller === undefined) return response.writeHead(401, challenge).end()
  const answer = await serve(request, caller)
  return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
})
server.listen(Number(new URL(origin).port), () => console.log(`MCP server: ${resource}`))
