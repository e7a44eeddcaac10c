/** A server that dies is started again, by a process that knows nothing about what it serves. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { callApi } from '../support/server-process.ts'
import { type Running, runServer } from './run-server.ts'

const linuxOnly = existsSync('/proc/self/status') ? {} : { skip: 'reads /proc' }

/** The process that serves below the one that supervises. */
function serverBelow(supervisor: number): number | undefined {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ')
  return children[0] ? Number(children[0]) : undefined
}

async function untilServed(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    // Pause: between two looks.
    await sleep(20)
}

async function startSupervised(...options: string[]): Promise<Running & { readonly at: string; readonly pid: number }> {
  const running = await runServer('sources', ['start', ...options], { SIGNET_SUPERVISE: 'true' })
  return { ...running, at: await running.url, pid: running.child.pid ?? 0 }
}

/** Kills the server and waits for another one; gives its process ID. */
async function replaceServer({ pid, at }: { readonly pid: number; readonly at: string }): Promise<number> {
  const before = serverBelow(pid)
  assert.ok(before)
  process.kill(before, 'SIGKILL')
  for (;;) {
    const now = serverBelow(pid)
    if (now !== undefined && now !== before) break
    await sleep(10)
  }
  await untilServed(at)
  return serverBelow(pid) ?? 0
}

suite('a supervised server', linuxOnly, () => {
  test('that dies is back with everything that was acknowledged, and says how often', async () => {
    const server = await startSupervised()
    const { status } = await callApi(server.at, server.dataDir, 'POST', '/management/v1/users/machine', {
      userName: 'robot',
      name: 'Robot',
    })
    assert.equal(status, 200)
    await replaceServer(server)
    await replaceServer(server)
    const found = await callApi(server.at, server.dataDir, 'POST', '/v2/users', {
      queries: [{ userNameQuery: { userName: 'robot' } }],
    })
    assert.equal((found.body as { result: unknown[] }).result.length, 1)
    assert.match(await (await fetch(`${server.at}/metrics`)).text(), /^signet_restarts_total 2$/m)
    assert.match(server.stderr(), /"diedOf":"SIGKILL","msg":"the server died and was started again"/)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('listens on the port of the command line, also after it died', async () => {
    const port = await freePort()
    const server = await startSupervised('--port', String(port))
    assert.equal(new URL(server.at).port, String(port))
    await replaceServer(server)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    const wrong = await runServer('sources', ['start', '--port', '70000'], { SIGNET_SUPERVISE: 'true' })
    assert.equal(await wrong.ended, 1)
    assert.match(wrong.stderr(), /must be a number from 0 to 65535/)
  })

  test('ends with the process that supervises it', async () => {
    const server = await startSupervised()
    const below = serverBelow(server.pid)
    assert.ok(below)
    server.child.kill('SIGKILL')
    while (existsSync(`/proc/${below}`)) await sleep(10)
    await assert.rejects(fetch(`${server.at}/healthz`))
  })

  test('that cannot start is not tried again', async () => {
    const failed = await runServer('sources', ['start'], {
      SIGNET_SUPERVISE: 'true',
      SIGNET_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      SIGNET_MASTER_KEY: randomBytes(32).toString('base64'),
    })
    assert.equal(await failed.ended, 1)
    assert.equal(failed.stderr().match(/signet: /g)?.length, 1)
  })
})
