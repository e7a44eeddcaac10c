/** The stream of `POST /v2/users/import`: both directions at once, for as long as it takes, and how it ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openScene, openUpload, parseResults, people, person, sqlite, until } from './import-scene.ts'

const patient = { timeout: 600_000 }

suite('the stream of an import', () => {
  test('results come while lines are still to be sent', patient, async (context) => {
    const scene = await openScene(context)
    const upload = openUpload(scene)
    upload.request.write(`${person('a')}\n${person('b')}`)
    await until(() => upload.results().length === 1)
    upload.request.write('\n')
    await until(() => upload.results().length === 2)
    upload.request.end(person('c'))
    await until(() => upload.state.hasEnded)
    assert.equal(upload.results().length, 3)
  })

  test('over HTTP/2 it is the same', patient, async (context) => {
    const scene = await openScene(context)
    const session = connect(`http://127.0.0.1:${scene.port}`)
    context.after(() => session.destroy())
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v2/users/import',
      authorization: `Bearer ${scene.world.owner.bearer}`,
      'content-type': 'application/x-ndjson',
    })
    let text = ''
    let hasEnded = false
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    stream.on('end', () => {
      hasEnded = true
    })
    stream.write(`${person('a')}\n`)
    await until(() => text.endsWith('\n'))
    stream.end(people(1_000).join('\n'))
    await until(() => hasEnded)
    assert.equal(parseResults(text).length, 1_001)
    assert.ok(parseResults(text).every(({ status }) => status === 'created'))
  })

  test('it may last longer than a request, as long as something moves, and no longer', patient, async (context) => {
    for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
      const scene = await openScene(context, sqlite, { exchangeMs: 600 })
      const session = protocol === 'HTTP/2' ? connect(`http://127.0.0.1:${scene.port}`) : undefined
      session?.on('error', () => {})
      const headers = { authorization: `Bearer ${scene.world.owner.bearer}`, 'content-type': 'application/x-ndjson' }
      const path = '/v2/users/import'
      const request =
        session?.request({ ':method': 'POST', ':path': path, ...headers }) ??
        requestHttp({ port: scene.port, method: 'POST', path, headers })
      let text = ''
      let isClosed = false
      request.on('error', () => {})
      request.on('close', () => {
        isClosed = true
      })
      const listen = (answer: NodeJS.ReadableStream) => {
        answer.on('error', () => {})
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      }
      if (session) listen(request as unknown as NodeJS.ReadableStream)
      else request.on('response', listen)
      for (let count = 1; count <= 6; count++) {
        request.write(`${person(`a${count}`)}\n`)
        await sleep(200)
      }
      await until(() => parseResults(text).length === 6)
      assert.equal(isClosed, false, protocol)
      await until(() => isClosed)
      session?.destroy()
    }
  })

  test('who sends too slowly loses the place, and is told where to continue', patient, async (context) => {
    const scene = await openScene(context, sqlite, {}, { lookMs: 20, looks: 5, bytes: 100_000 })
    const upload = openUpload(scene)
    upload.request.write(`${person('a')}\n`)
    await until(() => upload.results().length === 1)
    const dripping = setInterval(() => upload.request.writable && upload.request.write('\n'), 10)
    await until(() => upload.results().length === 2)
    clearInterval(dripping)
    const last = upload.results().at(-1)
    assert.deepEqual([last?.error?.code, last?.error?.id], [14, 'import.too_slow'])
    upload.request.end()
    await until(() => upload.state.hasEnded)
  })

  test('who sends fast enough, or waits for the server, keeps the place', patient, async (context) => {
    const scene = await openScene(context, sqlite, {}, { lookMs: 20, looks: 5, bytes: 1 })
    const upload = openUpload(scene)
    for (let count = 0; count < 30; count++) {
      upload.request.write('\n')
      await sleep(20)
    }
    upload.request.end(person('a'))
    await until(() => upload.state.hasEnded)
    assert.deepEqual(
      upload.results().map(({ status }) => status),
      ['created'],
    )
  })

  test('who does not read the results is cut off in the end', patient, async (context) => {
    const scene = await openScene(context, sqlite, { exchangeMs: 1_500 })
    const socket = connectTcp({ port: scene.port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.pause()
    const head = [
      'POST /v2/users/import HTTP/1.1',
      'host: a',
      `authorization: Bearer ${scene.world.owner.bearer}`,
      'content-type: application/x-ndjson',
      'transfer-encoding: chunked',
      '\r\n',
    ].join('\r\n')
    socket.write(head)
    // Lines that cost little and are answered at length.
    const lines = Buffer.from('{"profile":{},"email":{}}\n'.repeat(2_000))
    const piece = Buffer.concat([Buffer.from(`${lines.length.toString(16)}\r\n`), lines, Buffer.from('\r\n')])
    let isTaken = true
    for (let sent = 0; isTaken && sent < 1_000; sent++) {
      // A socket that was cut off while it waited fails `once`: that is the end this test waits for.
      const drained = () => once(socket, 'drain').then(Boolean, () => false)
      isTaken = socket.write(piece) || (await Promise.race([drained(), sleep(2_000, false)]))
    }
    await until(() => scene.finished.length > 0)
    socket.destroy()
  })

  test(
    'a server that stops finishes what it has begun and names the line to continue with',
    patient,
    async (context) => {
      const scene = await openScene(context)
      const upload = openUpload(scene)
      upload.request.write(`${people(300).join('\n')}\n`)
      await until(() => upload.results().length === 300)
      const closed = scene.close()
      await until(() => upload.results().length === 301)
      const last = upload.results().at(-1)
      assert.ok(last)
      assert.deepEqual([last.line, last.error?.code, last.error?.id], [301, 14, 'import.stopped'])
      upload.request.end()
      await closed
      await until(() => upload.state.hasEnded)
      assert.equal(scene.finished[0]?.code, 14)
    },
  )
})
