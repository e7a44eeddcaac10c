/**
 * The example of an MCP server, used by clients of the Python package and of the Go SDK that nobody prepared,
 * where these are installed: from 401 to a tool call, by metadata document and by registration.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CALLBACK } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { endOfSignIn } from '../support/mcp-agent.ts'
import { type McpExample, startExample, WAYS } from '../support/mcp-example.ts'
import { readToken } from '../support/resources.ts'

/** A command that prints where to sign in, reads where that ended, and prints what a tool answered; or why there is none. */
type Client = { readonly command: readonly [string, ...string[]] } | { readonly missing: string }

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../support/${name}`, import.meta.url))
}

function pythonClient(): Client {
  const { status } = spawnSync('python3', ['-c', 'from mcp import Client'], { stdio: 'ignore' })
  if (status !== 0) return { missing: 'python3 has no package mcp of version 2 here' }
  return { command: ['python3', pathOf('mcp_client.py')] }
}

function goClient(): Client {
  const folder = mkdtempSync(join(tmpdir(), 'signet-mcp-go-'))
  after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'client')
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd: pathOf('mcp-go'), env, stdio: 'ignore' })
  if (status !== 0) return { missing: 'go has no module of the MCP SDK here: go mod download in test/support/mcp-go' }
  return { command: [program] }
}

/** From the first request to the answer of a tool. */
async function callTool(
  { world, address }: McpExample,
  [program, ...first]: readonly [string, ...string[]],
  { name, clientId }: { readonly name: string; readonly clientId?: string },
) {
  const words = [address, CALLBACK, 'list_notes', ...(clientId === undefined ? [] : [clientId])]
  const client = spawn(program, [...first, ...words])
  const said: string[] = []
  client.stderr.on('data', (text: Buffer) => said.push(text.toString()))
  let last = ''
  for await (const line of createInterface({ input: client.stdout })) {
    last = line
    if (line.startsWith(world.url)) client.stdin.write(`${await endOfSignIn(world, line, name)}\n`)
  }
  assert.match(last, /^\{/, said.join(''))
  return JSON.parse(last) as { readonly text: string; readonly token: string }
}

const CLIENTS = [
  ['the Python package', pythonClient()],
  ['the Go SDK', goClient()],
] as const

for (const engine of engines) {
  suite(`the example of an MCP server on ${engine.name}`, () => {
    const example = startExample(engine)

    for (const [what, client] of CLIENTS) {
      for (const [how, way] of WAYS) {
        const skip = 'missing' in client && client.missing
        test(`is used by the client of ${what} by ${how}`, { skip }, async () => {
          const { text, token } = await callTool(example, 'command' in client ? client.command : ['false'], way)
          assert.deepEqual(JSON.parse(text), [])
          assert.equal(readToken(token).aud, example.address)
        })
      }
    }
  })
}
