/** Slow peers are dropped in time, and nobody else notices (trust N6). */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Router } from '../../src/http/router.ts'
import { assertServesHonest, emptied, openHostile, selfSigned } from './hostile-support.ts'
import { DATA, END_HEADERS, END_STREAM, frame, getSlash, HEADERS, meet, meet2, PREFACE } from './raw-http2.ts'

const LONG = 60_000
// Each deadline is tested with the others out of reach.
const shortHeaders = { headerMs: 200, exchangeMs: LONG, idleMs: LONG }
const short = { headerMs: LONG, exchangeMs: 300, idleMs: LONG }
const patient = { timeout: 600_000 }

suite('slow peers', () => {
  const cases: readonly (readonly [string, (port: number) => ReturnType<typeof meet>])[] = [
    ['a connection that says nothing', (port) => meet(port)],
    ['a part of the HTTP/2 preface', (port) => meet(port, PREFACE.subarray(0, 10))],
    ['an unfinished HTTP/1.1 header', (port) => meet(port, 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ')],
    [
      'an HTTP/1.1 body that does not come',
      (port) => meet(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc'),
    ],
    ['an HTTP/2 session without a request', (port) => meet2(port)],
    [
      'an HTTP/2 HEADERS block without END_HEADERS',
      (port) => {
        const peer = meet2(port)
        peer.socket.write(frame(HEADERS, END_STREAM, 1, getSlash))
        return peer
      },
    ],
  ]
  for (const [what, attack] of cases) {
    test(`${what} is cut off`, patient, async () => {
      const port = await openHostile(what.includes('body') ? short : shortHeaders)
      const peers = Array.from({ length: 20 }, () => attack(port.number))
      await assertServesHonest(port)
      await Promise.all(peers.map((peer) => peer.closed))
      await emptied(port)
      await assertServesHonest(port)
      await port.close()
    })
  }

  test(
    'an unfinished header after an honest request on the same HTTP/1.1 connection is cut off with 408',
    patient,
    async () => {
      const port = await openHostile(shortHeaders)
      const peer = meet(port.number, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
      while (!peer.heard().includes('hello')) await sleep(5)
      peer.socket.write('GET / HTTP/1.1\r\nx')
      await peer.closed
      assert.match(peer.heard(), /hello.*408.*http\.timeout/s)
      await port.close()
    },
  )

  test('an unfinished HEADERS block after an honest request on the same session is cut off', patient, async () => {
    const port = await openHostile(shortHeaders)
    const peer = meet2(port.number)
    peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, getSlash))
    while (!peer.heard().includes('hello')) await sleep(5)
    peer.socket.write(frame(HEADERS, END_STREAM, 3, getSlash))
    await peer.closed
    assert.ok(port.reasons.includes('http2_headers'))
    await port.close()
  })

  test(
    'an HTTP/2 session with an honest past may wait longer than headers may take, but not without end',
    patient,
    async () => {
      const port = await openHostile({ headerMs: 100, exchangeMs: LONG, idleMs: 1_500 })
      const peer = meet2(port.number)
      const get = (stream: number) => peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, stream, getSlash))
      const answers = () => peer.heard().split('hello').length - 1
      get(1)
      while (answers() < 1) await sleep(5)
      // Pause: five times as long as headers may take.
      await sleep(500)
      get(3)
      while (answers() < 2) await sleep(5)
      await peer.closed
      await port.close()
    },
  )

  test('an HTTP/2 body that does not come costs its stream, not its session', patient, async () => {
    const port = await openHostile(short)
    const peer = meet2(port.number)
    peer.socket.write(frame(HEADERS, END_HEADERS, 1, getSlash))
    peer.socket.write(frame(DATA, 0, 1, Buffer.from('abc')))
    while (!port.reasons.includes('http2_exchange')) await sleep(5)
    peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, 3, getSlash))
    while (!peer.heard().includes('hello')) await sleep(5)
    assert.equal(peer.isClosed, false)
    peer.socket.destroy()
    await port.close()
  })

  const talkative: Router = {
    http1: (_, response) => response.end(Buffer.alloc(50_000_000)),
    http2: (stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(50_000_000))
    },
  }
  for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
    test(`a peer that does not read its ${protocol} answer is cut off`, patient, async () => {
      const port = await openHostile(short, { router: talkative })
      const peer = protocol === 'HTTP/2' ? meet2(port.number) : meet(port.number, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
      peer.socket.pause()
      if (protocol === 'HTTP/2') peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, getSlash))
      while (port.inFlight === 0) await sleep(5)
      while (port.inFlight > 0) await sleep(5)
      peer.socket.destroy()
      await emptied(port)
      await port.close()
    })
  }

  test('a TLS handshake that stops is cut off', patient, async () => {
    const port = await openHostile(shortHeaders, { tls: selfSigned() })
    const peers = Array.from({ length: 20 }, () => meet(port.number, Buffer.from([0x16, 3, 1, 0, 200, 1])))
    await Promise.all(peers.map((peer) => peer.closed))
    await emptied(port)
    await assertServesHonest(port, 'https')
    await port.close()
  })
})
