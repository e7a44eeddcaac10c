/** Broken and abandoned TLS handshakes never reach further than their own connection (trust N7). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { connect, getCiphers } from 'node:tls'
import { assertServesHonest, emptied, openHostile, selfSigned } from './hostile-support.ts'
import { meet } from './raw-http2.ts'

const patient = { timeout: 600_000 }

/** The cipher suite on which this client and the server agree; undefined when there is none. */
function agreeOn(port: number, ciphers: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { rejectUnauthorized: false, maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` } as const
    const socket = connect({ port, host: '127.0.0.1', ...options }, () => {
      resolve(socket.getCipher().name)
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(undefined))
  })
}

suite('cipher suites of TLS 1.2', () => {
  for (const kind of ['ec', 'rsa'] as const) {
    test(`with a key of ${kind}, all have forward secrecy and authenticated encryption`, patient, async (context) => {
      const tls = selfSigned(kind)
      const port = await openHostile({}, { tls })
      context.after(() => port.close())
      const known = getCiphers().flatMap((name) => (name.startsWith('tls_') ? [] : [name.toUpperCase()]))
      const agreed = async () => (await Promise.all(known.map((name) => agreeOn(port.number, name)))).filter(Boolean)
      const owner = kind === 'ec' ? 'ECDSA' : 'RSA'
      const expected = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
      const strong = expected.map((name) => `ECDHE-${owner}-${name}`)
      assert.deepEqual((await agreed()).toSorted(), strong)
      // A certificate that was renewed changes nothing.
      port.renewTls(tls)
      assert.deepEqual((await agreed()).toSorted(), strong)
    })
  }
})

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
