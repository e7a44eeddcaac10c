/**
 * The control of hostile scenarios: an HTTP/2 server without what the port adds, which prints its URL as Signet does. The
 * argument is what it lacks: with `throws`, a listener touches the socket of a session that may be gone (decision 54);
 * with `frees`, sessions are freed in the order of Node (decision 55).
 */
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

const LARGE = Buffer.alloc(1_000_000)
const isThrowing = process.argv[2] === 'throws'

/** Answers early, and looks at the connection when the stream has ended. */
function answerEarly(stream: ServerHttp2Stream): void {
  const socket = stream.session?.socket
  stream.on('close', () => socket?.remoteAddress)
  setImmediate(() => {
    if (stream.destroyed) return
    stream.respond({ ':status': 200 })
    stream.end('hello')
  })
}

const server = createServer()
server.on('stream', (stream: ServerHttp2Stream) => {
  stream.on('error', () => {})
  if (isThrowing) answerEarly(stream)
  else {
    stream.respond({ ':status': 200 })
    stream.end(LARGE)
  }
})
server.on('sessionError', () => {})
server.on('error', () => {})
// An error of a listener is what `throws` is about.
if (!isThrowing) process.on('uncaughtException', () => {})
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
