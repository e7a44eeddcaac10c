/** An agent with the client of the TypeScript SDK. What the SDK leaves to an application is what a browser does. */
import assert from 'node:assert/strict'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { allow, CALLBACK } from './agents.ts'
import { isSignInPage } from './openid-flow.ts'
import type { OpenIdWorld } from './openid-world.ts'

/** The text of what a tool answered. */
export function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? ''
}

/** Signs somebody in and allows what a client asks for; answers with the address that the browser comes back to. */
export async function endOfSignIn(world: OpenIdWorld, url: string, name: string): Promise<string> {
  const browser = world.browser()
  const first = await browser.open(url)
  const page = isSignInPage(first) ? await world.signIn(browser, first, name) : first
  return (page.url.startsWith(CALLBACK) ? page : await allow(browser, page)).url
}

/** A store for what the SDK keeps, by the names of its functions. */
function keeper() {
  const kept = new Map<string, unknown>()
  const keep = (name: string) => (value: unknown) => void kept.set(name, value)
  return {
    clientInformation: () => kept.get('client'),
    saveClientInformation: keep('client'),
    tokens: () => kept.get('tokens'),
    saveTokens: keep('tokens'),
    codeVerifier: () => kept.get('verifier'),
    saveCodeVerifier: keep('verifier'),
    discoveryState: () => kept.get('discovery'),
    saveDiscoveryState: keep('discovery'),
  }
}

export interface AgentOptions {
  /** Who signs in. */
  readonly name: string
  /** The address of its metadata document; undefined: it registers itself. */
  readonly clientId?: string
  readonly server?: string
}

/** An agent that knows nothing but the address of a server. */
export function openAgent(world: OpenIdWorld, { name, clientId, server = `${world.url}/mcp` }: AgentOptions) {
  const kept = keeper()
  const asked: URL[] = []
  let end: URL | undefined
  const provider = {
    ...kept,
    ...(clientId !== undefined && { clientMetadataUrl: clientId }),
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Agent', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    async redirectToAuthorization(url: URL) {
      asked.push(url)
      end = new URL(await endOfSignIn(world, url.href, name))
    },
  } as unknown as OAuthClientProvider
  let transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: provider })
  let client = new Client({ name: 'agent', version: '1.0.0' })

  /** Does something; where that leads to a sign-in, again afterwards. */
  const signingIn = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      await transport.finishAuth((end ?? assert.fail('nobody was sent to the server')).searchParams)
      await transport.close()
      transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: provider })
      client = new Client({ name: 'agent', version: '1.0.0' })
      await client.connect(transport)
      return act()
    }
  }
  return {
    connect: () => signingIn(async () => void (client.transport === undefined && (await client.connect(transport)))),
    listTools: async () => (await client.listTools()).tools,
    call: (tool: string, input: Record<string, unknown> = {}) =>
      signingIn(() => client.callTool({ name: tool, arguments: input })),
    close: () => client.close(),
    token: () => (kept.tokens() as { readonly access_token: string } | undefined)?.access_token ?? '',
    /** The scopes that it asked for, each time. */
    scopes: () => asked.map((url) => url.searchParams.get('scope')),
  }
}
