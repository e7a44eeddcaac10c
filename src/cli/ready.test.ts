import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { readConfig } from '../config/index.ts'
import { askReady } from './ready.ts'

suite('signet ready', () => {
  test('asks the server on this machine, and says why there is no answer', async () => {
    let status = 200
    const paths: (string | undefined)[] = []
    const server = createServer((request, response) => {
      paths.push(request.url)
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { config } = readConfig({ SIGNET_LISTEN: `0.0.0.0:${port}` })
    assert.ok(config)
    assert.equal(await askReady(config), 200)
    status = 503
    assert.equal(await askReady(config), 503)
    assert.deepEqual(paths, ['/readyz', '/readyz'])
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    assert.match(String(await askReady(config)), /ECONNREFUSED/)
  })
})
