/** `kill -9` while eight machines get tokens: every token that was acknowledged works after the restart. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { type Running, runServer } from './run-server.ts'

const ROUNDS = Number(process.env.SIGNET_TEST_ROUNDS ?? 8)
const CLIENTS = 8

suite('kill -9 while tokens are issued', { timeout: 600_000 }, () => {
  let dataDir: string
  let listen: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'signet-kill-tokens-'))
    listen = `127.0.0.1:${await freePort()}`
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  const start = async (): Promise<Running> => {
    const server = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir, SIGNET_LISTEN: listen })
    await server.url
    return server
  }
  const url = () => `http://${listen}`

  const addMachine = async (): Promise<string> => {
    const bearer = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
    const call = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const response = await fetch(`${url()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.ok(response.ok, `${path} ${response.status}`)
      return (await response.json()) as Readonly<Record<string, string>>
    }
    const { userId } = await call('/management/v1/users/machine', { userName: 'robot', name: 'Robot' })
    const { clientSecret } = await call(`/v2/users/${userId}/secret`, {})
    return `Basic ${Buffer.from(`robot:${clientSecret}`).toString('base64')}`
  }

  /** Gets tokens until the server is gone; `tokens` are those that arrived complete. */
  const issue = async (authorization: string, tokens: string[]): Promise<void> => {
    for (;;) {
      try {
        const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid profile' })
        const response = await fetch(`${url()}/oauth/v2/token`, { method: 'POST', headers: { authorization }, body })
        const { access_token: token } = (await response.json()) as { readonly access_token: string }
        tokens.push(token)
      } catch {
        return
      }
    }
  }

  const works = async (token: string): Promise<boolean> => {
    const response = await fetch(`${url()}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status === 200
  }

  test(`${ROUNDS} rounds: every token that a machine received works after the restart`, async (context) => {
    let server = await start()
    const authorization = await addMachine()
    let count = 0
    for (let round = 0; round < ROUNDS; round++) {
      const tokens: string[] = []
      const clients = Array.from({ length: CLIENTS }, () => issue(authorization, tokens))
      await sleep(100 + Math.random() * 400)
      server.child.kill('SIGKILL')
      await server.ended
      await Promise.all(clients)
      server = await start()
      for (const token of tokens) assert.ok(await works(token), `token ${tokens.indexOf(token)} of ${tokens.length}`)
      count += tokens.length
    }
    server.child.kill('SIGTERM')
    await server.ended
    assert.ok(count > 0)
    context.diagnostic(`${ROUNDS} kills: ${count} tokens, all of them work`)
  })
})
