/** Broken and abandoned TLS handshakes never reach further than their own connection (trust N7). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { connect } from 'node:tls'
import { assertServesHonest, emptied, openHostile, selfSigned } from './hostile-support.ts'
import { meet } from './raw-http2.ts'

const patient = { timeout: 600_000 }

suite('hostile TLS peers', () => {
  const tls = selfSigned()

  test('handshakes reset at any moment leave nothing behind', patient, async () => {
    const port = await openHostile({ headerMs: 120_000 }, { tls })
    for (let round = 0; round < 300; round++) {
      const peer = meet(port.number)
      connect({ socket: peer.socket, rejectUnauthorized: false }).on('error', () => {})
      setTimeout(() => peer.socket.resetAndDestroy(), round % 7)
      await peer.closed
    }
    await emptied(port)
    await assertServesHonest(port, 'https')
    await port.close()
  })

  test('random bytes in the place of a ClientHello are refused', patient, async () => {
    const port = await openHostile({ headerMs: 1_000 }, { tls })
    const peers = Array.from({ length: 300 }, (_, round) => {
      const body = randomBytes(round)
      const length = round % 3 === 0 ? 0xffff : body.length
      return meet(port.number, Buffer.concat([Buffer.from([0x16, 3, 1, length >> 8, length & 255]), body]))
    })
    await Promise.all(peers.map((peer) => peer.closed))
    await emptied(port)
    await assertServesHonest(port, 'https')
    await port.close()
  })

  test(
    'an unknown application protocol and an old TLS version are refused, the next peer is served',
    patient,
    async () => {
      const port = await openHostile({}, { tls })
      for (const options of [
        { ALPNProtocols: ['spdy/9'] },
        { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' },
      ] as const) {
        const outcome = await new Promise<string>((resolve) => {
          const { ALPNProtocols, ...rest } = { ALPNProtocols: undefined, ...options }
          const alpn = ALPNProtocols ? { ALPNProtocols: [...ALPNProtocols] } : {}
          const socket = connect({ port: port.number, host: '127.0.0.1', rejectUnauthorized: false, ...alpn, ...rest })
          socket.on('secureConnect', () => resolve('connected'))
          socket.on('error', () => resolve('refused'))
        })
        assert.equal(outcome, 'refused')
      }
      await assertServesHonest(port, 'https')
      await emptied(port)
      await port.close()
    },
  )
})
