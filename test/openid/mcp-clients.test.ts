/**
 * The example of an MCP server, used by real clients that nobody prepared: from 401 to a tool call, by metadata document and by
 * registration.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allowAt, allowHere, CALLBACK, CLIENT, metadataOf, openWeb, tokensFor } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { endOfSignIn, openAgent, textOf } from '../support/mcp-agent.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, readToken, resource, setResources } from '../support/resources.ts'

const EXAMPLE = fileURLToPath(new URL('../../examples/mcp-server/server.ts', import.meta.url))
const BOTH = { clientIdMetadataDocuments: true, dynamicRegistration: true }

const PYTHON_CLIENT = fileURLToPath(new URL('../support/mcp_client.py', import.meta.url))

/** Why the client of the Python package is not tried. */
function withoutPython(): string | false {
  const { status } = spawnSync('python3', ['-c', 'from mcp import Client'], { stdio: 'ignore' })
  return status !== 0 && 'python3 has no package mcp of version 2 here'
}

for (const engine of engines) {
  suite(`the example of an MCP server on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let server: ChildProcess
    let address: string

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      await world.addPerson('ada')
      await world.addPerson('bob')
      const origin = `http://localhost:${await freePort()}`
      address = `${origin}/mcp`
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
    })
    after(async () => {
      server.kill()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    for (const [how, client] of [
      ['a metadata document', { name: 'ada', clientId: CLIENT }],
      ['registration', { name: 'bob' }],
    ] as const) {
      test(`is used by the client of the TypeScript SDK by ${how}`, async () => {
        const agent = openAgent(world, { ...client, server: address })
        await agent.connect()
        assert.equal(readToken(agent.token()).aud, address)
        assert.deepEqual(
          (await agent.listTools()).map(({ name }) => name),
          ['list_notes', 'add_note'],
        )
        assert.equal(textOf(await agent.call('add_note', { text: how })), 'added')
        assert.deepEqual(JSON.parse(textOf(await agent.call('list_notes'))), [how])
        await agent.close()
      })
    }

    for (const [how, name, words] of [
      ['a metadata document', 'ada', [CLIENT]],
      ['registration', 'bob', []],
    ] as const) {
      test(`is used by the client of the Python package by ${how}`, { skip: withoutPython() }, async () => {
        const python = spawn('python3', [PYTHON_CLIENT, address, CALLBACK, 'list_notes', ...words])
        const said: string[] = []
        python.stderr.on('data', (text: Buffer) => said.push(text.toString()))
        let last = ''
        for await (const line of createInterface({ input: python.stdout })) {
          last = line
          if (line.startsWith(world.url)) python.stdin.write(`${await endOfSignIn(world, line, name)}\n`)
        }
        assert.match(last, /^\{/, said.join(''))
        const { text, token } = JSON.parse(last) as { readonly text: string; readonly token: string }
        assert.ok(Array.isArray(JSON.parse(text)))
        assert.equal(readToken(token).aud, address)
      })
    }

    test('refuses a token for another resource', async () => {
      const { access_token: token } = await tokensFor(world, CLIENT, { resource: MCP, scope: 'tools:read' })
      const answer = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 401)
    })
  })
}
