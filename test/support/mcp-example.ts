/** The example of an MCP server, beside a Signet that lets clients in that nobody prepared. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allowAt, allowHere, CLIENT, metadataOf, openWeb } from './agents.ts'
import type { TestEngine } from './engines.ts'
import { freePort } from './free-port.ts'
import { type OpenIdWorld, openOpenIdWorld } from './openid-world.ts'
import { MCP, resource, setResources } from './resources.ts'

const EXAMPLE = fileURLToPath(new URL('../../examples/mcp-server/server.ts', import.meta.url))
const BOTH = { clientIdMetadataDocuments: true, dynamicRegistration: true }

/** How clients come without preparation: who signs in, and the address of the client's metadata document, if it has one. */
export const WAYS = [
  ['a metadata document', { name: 'ada', clientId: CLIENT }],
  ['registration', { name: 'bob' }],
] as const satisfies readonly (readonly [string, { readonly name: string; readonly clientId?: string }])[]

export interface McpExample {
  readonly world: OpenIdWorld
  /** What clients connect to. */
  readonly address: string
}

/** Starts both before the tests of a suite and ends them afterwards. */
export function startExample(engine: TestEngine): McpExample {
  const web = openWeb()
  const started: { world?: OpenIdWorld; address?: string } = {}
  let server: ChildProcess | undefined
  before(async () => {
    const world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
    // Known before anything else can fail, so that it is closed afterwards.
    started.world = world
    for (const [, { name }] of WAYS) await world.addPerson(name)
    const origin = `http://localhost:${await freePort()}`
    const address = `${origin}/mcp`
    const [projectId, other] = [await world.addProject(), await world.addProject()]
    await setResources(world, projectId, resource(address, { scopes: ['notes:read', 'notes:write'] }))
    await setResources(world, other, resource(MCP))
    web.publish(CLIENT, metadataOf(CLIENT))
    await allowHere(world, {
      clientIdMetadataDocuments: { enabled: true, allowedDomains: [] },
      dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
    })
    for (const id of [projectId, other]) await allowAt(world, id, BOTH)
    server = spawn(process.execPath, [EXAMPLE], {
      env: { ...process.env, ISSUER: world.url, MCP: origin },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (server.stdout !== null) await once(server.stdout, 'data')
    started.address = address
  })
  after(async () => {
    server?.kill()
    await started.world?.dispose()
    assert.deepEqual(started.world?.faults, [])
  })
  return started as McpExample
}
