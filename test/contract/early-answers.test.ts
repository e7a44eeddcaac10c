/** Answers that come before the end of the request: they reach the caller, and bound what it may still send. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { lingerAtClose, type Patience } from '../../src/http/port/linger.ts'
import type { Router } from '../../src/http/router.ts'
import { emptied, openHostile } from '../faults/hostile-support.ts'
import {
  ACK,
  DATA,
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  framesIn,
  GOAWAY,
  HEADERS,
  meet,
  meet2,
  PING,
  RST_STREAM,
  SETTINGS,
} from '../faults/raw-http2.ts'
import { frame as message, openSession, sendRaw } from './raw.ts'
import { startServer } from './server.ts'

const patient = { timeout: 600_000 }
const machines = '/management/v1/users/machine'
const json = { 'content-type': 'application/json', authorization: 'Bearer good' }
const LONG = 60_000

async function startApart(context: TestContext): Promise<string> {
  const thread = new Worker(new URL('./server-thread.ts', import.meta.url))
  context.after(() => thread.terminate())
  const [url] = await once(thread, 'message')
  return String(url)
}

function post(url: string, headers: Record<string, string>, body: Buffer) {
  return new Promise<number | undefined>((resolve, reject) => {
    const length = { 'content-length': body.length }
    const asking = request(url, { method: 'POST', headers: { ...headers, ...length } }, (answer) =>
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode))
        .on('error', reject),
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

/** Says so much of a request, and all that was heard until the other side closed. */
async function say(port: number, text: string): Promise<string> {
  const peer = meet(port, text)
  await peer.closed
  return peer.heard()
}

/** Answers at once, and is so patient with what was not read. */
function hasty(patience: Patience): Router {
  return {
    http1(asked, response) {
      lingerAtClose(asked, patience)
      response.writeHead(413, { connection: 'close' }).end('enough')
    },
    http2: () => {},
  }
}

suite('early answers over HTTP/1.1', () => {
  test('a body that is too large is answered with 413 each time', patient, async (context) => {
    const url = await startApart(context)
    for (const size of [4 * 1024 * 1024 + 1, 8_000_000]) {
      const body = Buffer.alloc(size, 'a')
      for (let attempt = 0; attempt < 20; attempt++) {
        const answer = await fetch(url + machines, { method: 'POST', headers: json, body })
        assert.equal(answer.status, 413)
        assert.equal(((await answer.json()) as { code: number }).code, 8)
      }
    }
  })

  test('whatever else is refused before its large body was read hears so each time', patient, async (context) => {
    const url = await startApart(context)
    const body = Buffer.alloc(20_000_000, 'a')
    for (const [status, path, headers] of [
      [401, machines, { 'content-type': 'application/json' }],
      [404, '/nothing', json],
      [405, '/management/v1/users/u1', json],
      [413, machines, json],
      [415, machines, { ...json, 'content-type': 'text/plain' }],
    ] as const) {
      for (let attempt = 0; attempt < 20; attempt++) assert.equal(await post(url + path, headers, body), status)
    }
  })

  test('a peer that sends without end is cut off, whether it heeds the answer or not', patient, async (context) => {
    const { port } = await startServer(context)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.resume()
    socket.write(`POST ${machines} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`)
    const mebibyte = 1024 * 1024
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, 'a'), Buffer.from('\r\n')])
    const send = () => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('drain', send)
    send()
    await new Promise((resolve) => socket.on('close', resolve))
    // What the kernel holds on both sides comes on top, and what comes before the server looks again.
    assert.ok(socket.bytesWritten < 256 * mebibyte, `${socket.bytesWritten} bytes were taken`)
  })

  const generous = { wholeMs: LONG, stillMs: LONG, bytes: Number.MAX_SAFE_INTEGER }
  const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n'
  for (const [what, patience, pauseMs] of [
    ['that drips', { ...generous, wholeMs: 300 }, 10],
    ['that falls silent', { ...generous, stillMs: 300 }, LONG],
    ['that sends more than is let in', { ...generous, bytes: 1_000 }, 1],
  ] as const) {
    test(`a peer ${what} after its answer is cut off`, patient, async (context) => {
      const port = await openHostile({}, { router: hasty(patience) })
      context.after(() => port.close())
      const socket = connect({ port: port.number, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      let heard = ''
      socket.on('data', (data) => {
        heard += data
      })
      socket.write(head)
      const dripping = setInterval(() => socket.writable && socket.write('x'.repeat(50)), pauseMs)
      while (heard === '') await sleep(5)
      await emptied(port)
      clearInterval(dripping)
      socket.destroy()
      assert.match(heard, /^HTTP\/1\.1 413 .*enough/s)
      assert.deepEqual(port.reasons, [])
    })
  }

  test('a request behind one that closes the connection is not served', patient, async (context) => {
    const asked: (string | undefined)[] = []
    const router: Router = {
      ...hasty(generous),
      http1(request, response) {
        asked.push(request.url)
        hasty(generous).http1(request, response)
      },
    }
    const port = await openHostile({}, { router })
    context.after(() => port.close())
    const socket = connect({ port: port.number, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('POST /first HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n')
    await once(socket.resume(), 'end')
    socket.write('abcGET /second HTTP/1.1\r\nhost: a\r\n\r\n')
    await emptied(port)
    socket.destroy()
    assert.deepEqual(asked, ['/first'])
  })

  test('who asks before sending is refused without sending, or is let send', patient, async (context) => {
    const { port } = await startServer(context)
    const ask = (path: string, headers: Record<string, string>, length: number, body = '') => {
      const all = { host: 'a', expect: '100-continue', 'content-length': String(length), ...headers }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
      return say(port, `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    }
    assert.match(await ask(machines, json, 5_000_000), /^HTTP\/1\.1 413 /)
    assert.match(await ask(machines, { 'content-type': 'application/json' }, 100), /^HTTP\/1\.1 401 /)
    assert.match(await ask(machines, { ...json, 'content-type': 'text/plain' }, 100), /^HTTP\/1\.1 415 /)
    assert.match(await ask('/nothing', json, 100), /^HTTP\/1\.1 404 /)
    const body = JSON.stringify({ userName: 'robot', name: 'Robot' })
    const welcome = await ask(machines, { ...json, connection: 'close' }, body.length, body)
    assert.match(welcome, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 20[01] /)
  })
})

suite('early answers over HTTP/2', () => {
  const path = '/signet.management.v1.ManagementService/AddMachineUser'
  // RFC 7541 appendix A: POST and http stand in the static table.
  const head = (type: string) =>
    Buffer.concat([
      Buffer.from([0x83, 0x86]),
      field(':path', path),
      field(':authority', 'a'),
      field('content-type', type),
      field('authorization', 'Bearer good'),
    ])
  const large = message(Buffer.from('begins'), { length: 5 * 1024 * 1024 })

  for (const [type, status] of [
    ['application/grpc', 8],
    ['text/plain', 415],
  ] as const) {
    test(
      `a refused stream is reset behind its answer, and the next hundred take its place (${status})`,
      patient,
      async (context) => {
        const { port } = await startServer(context)
        const peer = meet2(port)
        context.after(() => peer.socket.destroy())
        peer.socket.write(frame(SETTINGS, ACK, 0))
        const of = (stream: number) => framesIn(peer.heard()).filter((one) => one.stream === stream)
        const heard = (type: number) => framesIn(peer.heard()).filter((one) => one.type === type)
        peer.socket.write(Buffer.concat([frame(HEADERS, END_HEADERS, 1, head(type)), frame(DATA, 0, 1, large)]))
        while (!of(1).some(({ flags, type }) => type !== RST_STREAM && (flags & END_STREAM) !== 0)) await sleep(1)
        // The client counts the stream as ended, as grpc-go does, and opens as many as it may.
        const body = message(Buffer.from('{}'))
        const streams = Array.from({ length: 100 }, (_, index) => 3 + 2 * index)
        peer.socket.write(
          Buffer.concat(
            streams.flatMap((stream) => [
              frame(HEADERS, END_HEADERS, stream, head('application/grpc+json')),
              frame(DATA, END_STREAM, stream, body),
            ]),
          ),
        )
        while (heard(GOAWAY).length === 0 && !streams.every((stream) => of(stream).length > 0)) await sleep(5)
        assert.equal(heard(GOAWAY).length, 0)
        const reset = of(1).at(-1)
        assert.deepEqual([reset?.type, reset?.payload.readUInt32BE()], [RST_STREAM, 0])
        assert.equal(heard(RST_STREAM).length, 1)
      },
    )
  }

  for (const [what, path] of [
    ['an unknown path', '/nothing'],
    ['a page that takes no POST', '/healthz'],
    ['a call without a token', machines],
  ] as const) {
    test(`a connection that breaks off behind ${what} costs nobody else`, patient, async (context) => {
      const { port, url } = await startServer(context)
      const peer = meet2(port)
      context.after(() => peer.socket.destroy())
      while (!framesIn(peer.heard()).some(({ type }) => type === SETTINGS)) await sleep(1)
      // RFC 9113 §6.10: nothing may come between a block of headers and its continuation.
      const asked = Buffer.concat([Buffer.from([0x83, 0x86]), field(':path', path), field(':authority', 'a')])
      const broken = [
        frame(HEADERS, END_HEADERS, 1, asked),
        frame(HEADERS, 0, 3, asked),
        frame(PING, 0, 0, Buffer.alloc(8)),
      ]
      peer.socket.write(Buffer.concat(broken))
      await peer.closed
      assert.equal((await fetch(`${url}/nothing`)).status, 404)
    })
  }

  test('refusals take nothing from the window of the connection', patient, async (context) => {
    const { url } = await startServer(context)
    const session = openSession(context, url)
    for (let round = 0; round < 20; round++) {
      const chunks = [large.subarray(0, 5), Buffer.alloc(60_000)]
      const { grpcStatus } = await sendRaw(session, { path, type: 'application/grpc', chunks })
      assert.equal(grpcStatus, 8)
    }
    const name = Buffer.from(JSON.stringify({ userName: 'robot', name: 'Robot', unknown: 'x'.repeat(500_000) }))
    const answer = await sendRaw(session, { path, type: 'application/json', chunks: [name] })
    assert.equal(answer.status, 200)
  })
})
