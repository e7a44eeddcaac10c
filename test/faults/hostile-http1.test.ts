/** Requests over HTTP/1.1 that no decent client sends: a clear answer, and the process lives. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { suite, test } from 'node:test'
import { assertServesHonest, openHostile } from './hostile-support.ts'
import { meet } from './raw-http2.ts'

const patient = { timeout: 600_000 }

const refusedWith: readonly (readonly [string, string, RegExp])[] = [
  ['bytes that are no HTTP', '\0\x01\x02garbage\r\n\r\n', /^HTTP\/1\.1 400.*http\.malformed/s],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
  ['a request with two hosts', 'GET / HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 400.*http\.malformed/s],
  ['headers of 20 000 bytes', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
  [
    'a length and chunks at once (request smuggling)',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    /^HTTP\/1\.1 400/,
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcd',
    /^HTTP\/1\.1 400/,
  ],
  ['a header name with a space', 'GET / HTTP/1.1\r\nhost: a\r\nx : y\r\n\r\n', /^HTTP\/1\.1 400/],
  ['a method nobody knows', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1\.1 400/],
]

suite('hostile HTTP/1.1 peers', () => {
  for (const [what, bytes, expected] of refusedWith) {
    test(`${what} is answered clearly`, patient, async () => {
      const port = await openHostile()
      const peer = meet(port.number, bytes)
      await peer.closed
      assert.match(peer.heard(), expected)
      await assertServesHonest(port)
      await port.close()
    })
  }

  test('a header named __proto__ is a header like any other', patient, async () => {
    const seen: string[] = []
    const router = {
      http1: (asked: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
        seen.push(...Object.keys(asked.headersDistinct), ...Object.keys(asked.headers), ...asked.rawHeaders)
        response.end('hello')
      },
      http2: () => {},
    }
    const port = await openHostile({}, { router })
    await new Promise<void>((resolve, reject) => {
      const headers = ['host', 'a', '__proto__', 'x', 'constructor', 'y', 'connection', 'close']
      const asking = request({ host: '127.0.0.1', port: port.number, headers }, (answer) =>
        answer.resume().on('end', resolve),
      )
      asking.on('error', reject)
      asking.end()
    })
    assert.ok(seen.includes('constructor'))
    assert.equal(({} as Record<string, unknown>).x, undefined)
    await port.close()
  })

  test('connections reset in the middle of a body leave nothing behind', patient, async () => {
    const port = await openHostile()
    for (let round = 0; round < 50; round++) {
      const peer = meet(port.number, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\nabc')
      setTimeout(() => peer.socket.resetAndDestroy(), round % 5)
      await peer.closed
    }
    while (port.connections > 0 || port.inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await assertServesHonest(port)
    await port.close()
  })
})
