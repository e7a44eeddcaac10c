import assert from 'node:assert/strict'

import { Agent, request as request1 } from 'node:http'
import { connect as connect2 } from 'node:http2'
import { request as request1s, Agent as TlsAgent } from 'node:https'
import { connect } from 'node:net'

import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSigned } from '../../../test/faults/hostile-support.ts'
import type { Router } from '../router.ts'
import { openPort, type PortOptions } from './listener.ts'
import { protocolOf } from './sniff.ts'

/** Answers with the protocol, the path and the length of the body. */
const echo: Router = {
  http1(request, response) {
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    request.on('end', () => response.end(`http1 ${request.url} ${length}`))
  },
  http2(stream, headers) {
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    stream.on('end', () => {
      stream.respond({ ':status': 200 })
      stream.end(`http2 ${headers[':path']} ${length}`)
    })
  },
}

function open(options: Partial<PortOptions> = {}) {
  return openPort({ listen: { host: '127.0.0.1', port: 0 }, router: echo, ...options })
}

async function ask2(origin: string, path: string, body = ''): Promise<string> {
  const session = connect2(origin, { rejectUnauthorized: false })
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({ ':method': 'POST', ':path': path })
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('error', reject)
      stream.on('end', () => resolve(text))
      stream.end(body)
    })
  } finally {
    session.close()
  }
}

suite('first bytes', () => {
  test('tell TLS, HTTP/2 and HTTP/1.1 apart, and wait while they could be two', () => {
    assert.equal(protocolOf(Buffer.from([])), undefined)
    assert.equal(protocolOf(Buffer.from([0x16])), 'tls')
    assert.equal(protocolOf(Buffer.from('P')), undefined)
    assert.equal(protocolOf(Buffer.from('POST')), 'http1')
    assert.equal(protocolOf(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r')), undefined)
    assert.equal(protocolOf(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nmore')), 'http2')
    assert.equal(protocolOf(Buffer.from('PRI * HTTP/1.1')), 'http1')
    assert.equal(protocolOf(Buffer.from([0x80])), 'http1')
  })
})

suite('port', () => {
  test('HTTP/1.1 and HTTP/2 with prior knowledge are served on one cleartext port', async () => {
    const port = await open()
    const origin = `http://127.0.0.1:${port.address.port}`
    const body = 'x'.repeat(300_000)
    assert.equal(await (await fetch(`${origin}/a`, { method: 'POST', body })).text(), 'http1 /a 300000')
    assert.equal(await ask2(origin, '/b', body), 'http2 /b 300000')
    await port.close({ graceMs: 1_000 })
    assert.equal(port.connections, 0)
  })

  test('a clock that is set cuts off no request', async (t) => {
    const begun: (() => void)[] = []
    const slow: Router = {
      http1: (_, response) => void begun.push(() => response.end('http1')),
      http2: (stream) =>
        void begun.push(() => {
          stream.respond({ ':status': 200 })
          stream.end('http2')
        }),
    }
    // The port looks for late requests every 100 ms.
    const limits = { headerMs: 400, exchangeMs: 60_000, idleMs: 60_000 }
    const port = await open({ router: slow, limits })
    const origin = `http://127.0.0.1:${port.address.port}`
    const answers = Promise.all([fetch(origin).then((answer) => answer.text()), ask2(origin, '/')])
    while (begun.length < 2) await sleep(5)
    const realNow = Date.now
    t.mock.method(Date, 'now', () => realNow() + 3_600_000)
    // Pause: the limits must have looked at the exchanges several times since the clock was set.
    await sleep(300)
    for (const finish of begun) finish()
    assert.deepEqual(await answers, ['http1', 'http2'])
    t.mock.restoreAll()
    await port.close({ graceMs: 1_000 })
  })

  test('first bytes that arrive one by one are put together', async () => {
    const port = await open()
    const socket = connect(port.address.port, '127.0.0.1').setNoDelay(true)
    const answer = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    for (const letter of 'PUT /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n') {
      socket.write(letter)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.match(await answer, /^HTTP\/1\.1 200.*http1 \/slow 0/s)
    await port.close()
  })

  test('TLS serves HTTP/2 and HTTP/1.1 by ALPN, a renewed certificate, and turns cleartext away with a sentence', async () => {
    const port = await open({ tls: selfSigned() })
    const { port: number } = port.address
    const origin = `https://127.0.0.1:${number}`
    assert.equal(await ask2(origin, '/b', 'abc'), 'http2 /b 3')
    const agent = new TlsAgent({ rejectUnauthorized: false, keepAlive: true })
    const ask1 = () =>
      new Promise<[string, string]>((resolve, reject) => {
        const request = request1s(`${origin}/c`, { agent, method: 'POST' }, async (response) => {
          const certificate = (response.socket as import('node:tls').TLSSocket).getPeerCertificate().fingerprint256
          resolve([Buffer.concat(await response.toArray()).toString(), certificate])
        })
        request.on('error', reject)
        request.end('abcd')
      })
    const [text, before] = await ask1()
    assert.equal(text, 'http1 /c 4')
    port.renewTls(selfSigned())
    agent.destroy()
    const [, after] = await ask1()
    assert.notEqual(after, before)
    const clear = await fetch(`http://127.0.0.1:${number}/`)
    assert.equal(clear.status, 400)
    assert.match(await clear.text(), /TLS/)
    agent.destroy()
    await port.close({ graceMs: 1_000 })
    assert.equal(port.connections, 0)
  })

  test('a router that throws costs one answer, not the process', async () => {
    const faults: unknown[] = []
    const thrower: Router = {
      http1() {
        throw new Error('secret of the server')
      },
      http2() {
        throw new Error('secret of the server')
      },
    }
    const port = await open({ router: thrower, fault: (error) => faults.push(error) })
    const origin = `http://127.0.0.1:${port.address.port}`
    const answer = await fetch(origin)
    assert.equal(answer.status, 500)
    assert.equal(await answer.text(), '')
    assert.equal(await ask2(origin, '/'), '')
    assert.equal(faults.length, 2)
    await port.close()
  })

  test('an address that is taken is reported by rejection', async () => {
    const port = await open()
    await assert.rejects(open({ listen: port.address }), { code: 'EADDRINUSE' })
    await port.close()
  })

  test('closing ends idle connections, finishes what is in flight on both protocols and refuses new connections', async () => {
    const waiting: (() => void)[] = []
    const slow: Router = {
      http1: (_, response) => void waiting.push(() => response.end('late 1')),
      http2: (stream) =>
        void waiting.push(() => {
          stream.respond({ ':status': 200 })
          stream.end('late 2')
        }),
    }
    const port = await open({ router: slow })
    const origin = `http://127.0.0.1:${port.address.port}`
    const agent = new Agent({ keepAlive: true })
    const late1 = new Promise<[string, string | undefined]>((resolve, reject) => {
      const request = request1(origin, { agent }, async (response) => {
        resolve([Buffer.concat(await response.toArray()).toString(), response.headers.connection])
      })
      request.on('error', reject)
      request.end()
    })
    const late2 = ask2(origin, '/')
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(port.inFlight, 2)
    const closed = port.close({ graceMs: 20_000 })
    await assert.rejects(fetch(origin))
    for (const answer of waiting) answer()
    assert.deepEqual(await late1, ['late 1', 'close'])
    assert.equal(await late2, 'late 2')
    await closed
    assert.equal(port.connections, 0)
    agent.destroy()
  })

  test('closing tells an HTTP/2 client to go: an idle session ends, a busy one after its answer', async () => {
    const waiting: (() => void)[] = []
    const slow: Router = {
      http1: () => {},
      http2: (stream) =>
        void waiting.push(() => {
          stream.respond({ ':status': 200 })
          stream.end()
        }),
    }
    const port = await open({ router: slow })
    const [idle, busy] = [0, 1].map(() => connect2(`http://127.0.0.1:${port.address.port}`))
    assert.ok(idle && busy)
    const goodbyes = [idle, busy].map((session) => new Promise<number>((resolve) => session.on('goaway', resolve)))
    const ended = [idle, busy].map((session) => {
      const stream = session.request({ ':path': '/' })
      return new Promise<number | undefined>((resolve) =>
        stream.on('response', (headers) => resolve(headers[':status'])),
      )
    })
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting[0]?.()
    await Promise.race(ended)
    const closed = port.close({ graceMs: 600_000 })
    assert.deepEqual(await Promise.all(goodbyes), [0, 0])
    waiting[1]?.()
    assert.deepEqual(await Promise.all(ended), [200, 200])
    await closed
  })

  test('a second close cuts off what is still in flight', async () => {
    const port = await open({ router: { http1: () => {}, http2: () => {} } })
    const answer = fetch(`http://127.0.0.1:${port.address.port}/`)
    answer.catch(() => {})
    while (port.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const closed = port.close({ graceMs: 60_000 })
    port.close()
    await closed
    await assert.rejects(answer)
  })

  test('connections beyond the cap of one address are closed, and the place is free again afterwards', async () => {
    const dropped: string[] = []
    const port = await open({ limits: { connectionsPerAddress: 2 }, dropped: (reason) => dropped.push(reason) })
    const hold = [connect(port.address.port, '127.0.0.1'), connect(port.address.port, '127.0.0.1')]
    while (port.connections < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    const origin = `http://127.0.0.1:${port.address.port}/`
    await assert.rejects(fetch(origin))
    assert.deepEqual(dropped, ['too_many_connections'])
    for (const socket of hold) socket.destroy()
    while (port.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await fetch(origin)).status, 200)
    await port.close({ graceMs: 100 })
  })
})
