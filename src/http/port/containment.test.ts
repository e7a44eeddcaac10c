/** What a listener of a connection throws ends that connection, and nothing else. */
import assert from 'node:assert/strict'
import { connect as connect2 } from 'node:http2'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { assertServesHonest, openHostile, selfSigned } from '../../../test/faults/hostile-support.ts'
import type { Router } from '../router.ts'

type Fail = () => never

/** Where somebody listens and throws, for the request `/throw`. */
const listeners: Readonly<Record<string, (fail: Fail) => Partial<Router>>> = {
  'a stream of HTTP/2': (fail) => ({ http2: (stream) => void stream.on('data', fail).on('close', fail) }),
  'a session of HTTP/2': (fail) => ({ http2: ({ session }) => void session?.on('close', fail).destroy() }),
  'a request of HTTP/1.1': (fail) => ({ http1: (request) => void request.on('data', fail).on('close', fail) }),
  'a response of HTTP/1.1': (fail) => ({
    http1: (_, response) => void response.on('finish', fail).on('close', fail).end('x'),
  }),
  'a socket': (fail) => ({
    http1: ({ socket }, response) => {
      socket.on('close', fail)
      response.end('x')
      socket.destroySoon()
    },
  }),
}

const neverCalled: Fail = () => {
  throw new Error('not listened to')
}

/** Answers `hello`, except to `/throw`. */
function routerOf(special: Partial<Router>): Router {
  return {
    http1(request, response) {
      if (request.url === '/throw' && special.http1 !== undefined) special.http1(request, response)
      else request.resume().on('end', () => response.end('hello'))
    },
    http2(stream, headers, connection) {
      if (headers[':path'] === '/throw' && special.http2 !== undefined) {
        special.http2(stream, headers, connection)
        return
      }
      stream.resume().on('end', () => {
        stream.respond({ ':status': 200 })
        stream.end('hello')
      })
    },
  }
}

/** Sends a request to `/throw` and resolves when its connection is closed. */
function provoke1(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => resolve())
    socket.resume().end('POST /throw HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\nconnection: close\r\n\r\nabc')
  })
}

function provoke2(origin: string): Promise<void> {
  return new Promise((resolve) => {
    const session = connect2(origin, { rejectUnauthorized: false })
    session.on('error', () => {}).on('close', () => resolve())
    const stream = session.request({ ':method': 'POST', ':path': '/throw' })
    stream
      .on('error', () => {})
      .on('close', () => session.destroy())
      .end('abc')
  })
}

suite('what a listener throws', () => {
  for (const [where, special] of Object.entries(listeners)) {
    for (const scheme of ['http', 'https'] as const) {
      // Over TLS, HTTP/2 is chosen.
      if (scheme === 'https' && special(neverCalled).http2 === undefined) continue
      test(`on ${where} over ${scheme} is reported, and everybody else is served`, async (context) => {
        const faults: unknown[] = []
        const { promise: reported, resolve } = Promise.withResolvers<void>()
        const fail = () => {
          throw new Error('planted')
        }
        const chosen = special(fail)
        const options = scheme === 'https' ? { tls: selfSigned() } : {}
        const port = await openHostile(
          {},
          {
            ...options,
            router: routerOf(chosen),
            fault(error) {
              faults.push(error)
              resolve()
            },
          },
        )
        context.after(() => port.close({ graceMs: 0 }))
        if (chosen.http1 !== undefined) await provoke1(port.number)
        else await provoke2(`${scheme}://127.0.0.1:${port.number}`)
        await reported
        assert.ok(faults.every((fault) => fault instanceof Error && fault.message === 'planted'))
        await assertServesHonest(port, scheme)
      })
    }
  }
})
