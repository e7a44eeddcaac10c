/**
 * The scenarios for authorization servers of `@modelcontextprotocol/conformance`, where it is installed
 * (CONTRIBUTING.md), for a client with a metadata document and for one that registers itself.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { allowAt, allowHere, CLIENT, metadataOf, openWeb } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { endOfSignIn } from '../support/mcp-agent.ts'
import { ask } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'WARNING' | 'FAILURE' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

const PACKAGE = '@modelcontextprotocol/conformance'

/** The program of the package; older versions have no scenarios for authorization servers. */
function findProgram(): string | undefined {
  try {
    const description = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
    const { version } = JSON.parse(readFileSync(description, 'utf8')) as { readonly version: string }
    return version.startsWith('0.1.') ? undefined : join(dirname(description), 'dist/index.js')
  } catch {
    return undefined
  }
}

const program = findProgram()
const skip = program === undefined && `${PACKAGE} is not installed: npm install --no-save ${PACKAGE}@0.2.0-alpha.12`

for (const engine of engines) {
  suite(`the scenarios for authorization servers on ${engine.name}`, { skip }, () => {
    const web = openWeb()
    let world: OpenIdWorld

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      await world.addPerson('ada')
      const projectId = await world.addProject()
      await setResources(world, projectId, resource(MCP))
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, {
        clientIdMetadataDocuments: { enabled: true },
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
      })
      await allowAt(world, projectId, { clientIdMetadataDocuments: true, dynamicRegistration: true })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const register = async (port: number): Promise<string> => {
      const body = { client_name: 'Agent', redirect_uris: [`http://127.0.0.1:${port}/callback`] }
      const headers = { 'content-type': 'application/json' }
      const url = `${world.url}/oauth/v2/register`
      const answer = await ask(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.body.client_id
    }

    for (const [how, clientFor] of [
      ['a metadata document', async () => CLIENT],
      ['a registration', register],
    ] as const) {
      test(`succeed without a warning for a client with ${how}`, async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'signet-conformance-'))
        afterwards(t, () => rm(folder, { recursive: true }))
        const port = await freePort()
        const client = ['--client-id', await clientFor(port), '--resource', MCP]
        const words = ['authorization', '--url', world.url, '--port', String(port), ...client, '--output-dir', folder]
        const run = spawn(process.execPath, [program ?? '', ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
        const said: string[] = []
        for await (const line of createInterface({ input: run.stdout })) {
          said.push(line)
          const url = /https?:\/\/\S+\/authorize\?\S+/.exec(line)?.[0]
          if (url !== undefined) await fetch(await endOfSignIn(world, url, 'ada'))
        }
        const checks = globSync(join(folder, '**/*.json')).flatMap(
          (file) => JSON.parse(readFileSync(file, 'utf8')) as Check[],
        )
        const found = checks.map(({ id, status, errorMessage = '' }) => `${id}: ${status} ${errorMessage}`.trim())
        assert.ok(found.length >= 3, said.join('\n'))
        assert.deepEqual(
          found.filter((text) => !text.endsWith(': SUCCESS')),
          [],
          said.join('\n'),
        )
        t.diagnostic(found.join(', '))
      })
    }
  })
}
