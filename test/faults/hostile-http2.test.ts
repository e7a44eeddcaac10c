/** Floods and broken frames over HTTP/2: the peer is cut off or ignored, the process lives (trust N5). */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { floods, FLOOD_ROUNDS as ROUNDS } from '../../faults/network/floods.ts'
import { assertServesHonest, emptied, openHostile } from './hostile-support.ts'
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  field,
  flood,
  frame,
  getSlash,
  HEADERS,
  meet,
  meet2,
  PING,
  PREFACE,
  SETTINGS,
} from './raw-http2.ts'

const ENHANCE_YOUR_CALM = 11
const patient = { timeout: 600_000 }

/** What the library beneath would let pass as long as the peer reads the answers. */
const CAUGHT_BY_US = ['SETTINGS flood', 'PING flood']

suite('hostile HTTP/2 peers', () => {
  for (const [what, attack] of Object.entries(floods)) {
    test(`${what}: the peer is cut off while an honest one is served`, patient, async () => {
      const port = await openHostile({ headerMs: 2_000, exchangeMs: 2_000 })
      const peer = meet2(port.number)
      const attacking = attack(peer)
      await assertServesHonest(port)
      await attacking
      await peer.closed
      await emptied(port)
      if (CAUGHT_BY_US.includes(what)) {
        assert.deepEqual(port.reasons, ['http2_control_flood'])
        assert.equal(peer.goaway(), ENHANCE_YOUR_CALM)
      }
      await assertServesHonest(port)
      await port.close()
    })
  }

  test(
    'an HPACK bomb, a large entry named thousands of times, costs no memory and ends the session',
    patient,
    async () => {
      const port = await openHostile()
      const peer = meet2(port.number)
      peer.socket.write(frame(SETTINGS, ACK, 0))
      // RFC 7541 §6.2.1: literal with indexing; then §6.1: the newest dynamic entry (62), again and again.
      const big = Buffer.concat([
        Buffer.from([0x40, 1]),
        Buffer.from('x'),
        Buffer.from([0x7f, 0xa1, 0x1e]),
        Buffer.alloc(4000, 'y'),
      ])
      const bomb = Buffer.concat([getSlash, big, Buffer.alloc(12_000, 0x80 | 62)])
      const before = process.memoryUsage().rss
      const attacking = flood(peer, ROUNDS, (round) => frame(HEADERS, END_STREAM | END_HEADERS, round * 2 + 1, bomb))
      await assertServesHonest(port)
      await attacking
      await peer.closed
      assert.ok(!peer.heard().includes('hello'))
      assert.deepEqual(port.reasons, ['http2_header_flood'])
      assert.equal(peer.goaway(), ENHANCE_YOUR_CALM)
      assert.ok(process.memoryUsage().rss - before < 200_000_000)
      await assertServesHonest(port)
      await port.close()
    },
  )

  test('a PING for each request, as clients send that estimate the bandwidth, is no flood', patient, async () => {
    const port = await openHostile({ controlFramesPerSecond: 20 })
    const peer = meet2(port.number)
    peer.socket.write(frame(SETTINGS, ACK, 0))
    const answers = () => peer.heard().split('hello').length - 1
    const requests = 500
    for (let round = 0; round < requests; round++) {
      peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, round * 2 + 1, getSlash))
      while (answers() <= round && !peer.isClosed) await new Promise((resolve) => setImmediate(resolve))
      peer.socket.write(frame(PING, 0, 0, Buffer.alloc(8)))
    }
    assert.deepEqual([answers(), port.reasons], [requests, []])
    peer.socket.destroy()
    await port.close()
  })

  test('a request with more header fields than allowed gets no answer of ours', patient, async () => {
    const port = await openHostile({ headerPairs: 20 })
    const peer = meet2(port.number)
    const many = Buffer.concat([getSlash, ...Array.from({ length: 50 }, (_, count) => field(`x-${count}`, 'y'))])
    peer.socket.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, many))
    await assertServesHonest(port)
    assert.ok(!peer.heard().includes('hello'))
    peer.socket.destroy()
    await port.close()
  })

  test('a preface that goes wrong in the middle of the first frame ends the connection', patient, async () => {
    const port = await openHostile({ headerMs: 300 })
    const peer = meet(port.number, Buffer.concat([PREFACE, Buffer.alloc(500, 0xff)]))
    await peer.closed
    await assertServesHonest(port)
    await port.close()
  })

  test('connections reset at every moment of a request leave nothing behind', patient, async () => {
    const port = await openHostile()
    const whole = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0), frame(HEADERS, END_STREAM | END_HEADERS, 1, getSlash)])
    for (let cut = 0; cut <= whole.length; cut++) {
      const peer = meet(port.number, whole.subarray(0, cut))
      setTimeout(() => peer.socket.resetAndDestroy(), cut % 5)
      await peer.closed
    }
    await emptied(port)
    await assertServesHonest(port)
    await port.close()
  })
})
