/**
 * The example of an MCP server, used by the client of the TypeScript SDK that nobody prepared: from 401 to a tool call, by
 * metadata document and by registration. Those of other languages: `mcp-other-clients.test.ts`.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CLIENT, tokensFor } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { openAgent, textOf } from '../support/mcp-agent.ts'
import { startExample, WAYS } from '../support/mcp-example.ts'
import { MCP, readToken } from '../support/resources.ts'

for (const engine of engines) {
  suite(`the example of an MCP server on ${engine.name}`, () => {
    const example = startExample(engine)

    for (const [how, client] of WAYS) {
      test(`is used by the client of the TypeScript SDK by ${how}`, async () => {
        const { world, address } = example
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

    test('refuses a token for another resource', async () => {
      const { world, address } = example
      const { access_token: token } = await tokensFor(world, CLIENT, { resource: MCP, scope: 'tools:read' })
      const answer = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 401)
    })
  })
}
