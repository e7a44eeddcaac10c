/** Ports that are handed out before anything listens on them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const SCRIPT = `
import { freePort } from ${JSON.stringify(new URL('free-port.ts', import.meta.url).href)}
const ports = await Promise.all(Array.from({ length: 45 }, freePort))
console.log(JSON.stringify(ports))
process.stdin.once('data', () => process.exit()) // Keeps the ports of this process until all have told theirs.
`

suite('a port that is known before anything listens on it', () => {
  test('is handed out once, also by processes that run at the same time', async () => {
    const processes = Array.from({ length: 4 }, () => {
      const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT])
      const told = new Promise<readonly number[]>((resolve) => {
        running.child.stdout?.once('data', (text) => resolve(JSON.parse(text)))
      })
      return { running, told }
    })
    const ports = (await Promise.all(processes.map(({ told }) => told))).flat()
    for (const { running } of processes) running.child.stdin?.end('end\n')
    await Promise.all(processes.map(({ running }) => running))
    assert.equal(ports.length, 180)
    assert.equal(new Set(ports).size, 180)
  })

  test('is none that the system gives to outgoing connections, and none on which somebody listens', async () => {
    let port = await freePort()
    // The port after the last one of a block belongs to somebody else.
    while ((port + 1 - 12_000) % 20 === 0) port = await freePort()
    assert.ok(port >= 12_000 && port < 32_768, String(port))
    const taken = createServer().listen(port + 1, '127.0.0.1')
    await once(taken, 'listening')
    const others = await Promise.all([freePort(), freePort()])
    assert.ok(!others.includes(port + 1))
    taken.close()
  })
})
