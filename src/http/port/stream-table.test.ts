import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { replaceStreamTables } from './stream-table.ts'

/** A server that answers with the path, and what replacing the tables of each session answered. */
async function openServer() {
  const replaced: boolean[] = []
  const sessions: ServerHttp2Session[] = []
  const server = createServer()
  server.on('session', (session) => {
    sessions.push(session)
    replaced.push(replaceStreamTables(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    if (headers[':path'] === '/waits') return
    stream.respond({ ':status': 200 })
    stream.end(headers[':path'])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, replaced, sessions, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

suite('the tables of streams of an HTTP/2 session', () => {
  test('this version of Node keeps streams where they are replaced, and serves them as before', async () => {
    const { server, replaced, sessions, url } = await openServer()
    const client = connect(url)
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
    const answers = await Promise.all(
      paths.map(async (path) => (await client.request({ ':path': path }).setEncoding('utf8').toArray()).join('')),
    )
    assert.deepEqual(answers, paths)
    assert.deepEqual(replaced, [true])
    // It ends as soon as it is closed, because no stream is left.
    const [session] = sessions
    assert.ok(session)
    const ended = once(session, 'close')
    session.close()
    await ended
    client.destroy()
    server.close()
  })

  test('a destroyed session ends its open streams', async () => {
    const { server, sessions, url } = await openServer()
    const client = connect(url)
    const request = client.request({ ':path': '/waits' })
    request.on('error', () => {})
    const [stream] = await once(server, 'stream')
    const ended = Promise.all([once(stream, 'close'), once(request, 'close')])
    sessions[0]?.destroy()
    await ended
    client.destroy()
    server.close()
  })

  test('a session in use keeps its tables', async () => {
    const { server, sessions, url } = await openServer()
    const client = connect(url)
    const request = client.request({ ':path': '/waits' })
    request.on('error', () => {})
    await once(server, 'stream')
    const [session] = sessions
    assert.ok(session)
    assert.equal(replaceStreamTables(session), false)
    client.destroy()
    server.close()
  })
})
