/** The import of people in the console: how a file is cut into parts, and what happens when a part does not get through. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type ImportOptions,
  type ImportProgress,
  ImportStopped,
  type LineResult,
  runImport,
} from '../../console/src/pages/users/import/run-import.ts'

type Answer = Response | Error

function results(...found: readonly Partial<LineResult>[]): Response {
  const lines = found.map((one, index) => JSON.stringify({ line: index + 1, status: 'created', ...one }))
  return new Response(lines.map((line) => `${line}\n`).join(''))
}

/** A server that gives one answer after the other, and that creates everybody when it has no more. */
function serverWith(...answers: readonly Answer[]) {
  const bodies: string[] = []
  let pauses = 0
  const post: ImportOptions['post'] = async (lines) => {
    const answer = answers[bodies.push(lines) - 1]
    if (answer instanceof Error) throw answer
    return (
      answer ??
      results(
        ...lines
          .trimEnd()
          .split('\n')
          .map(() => ({})),
      )
    )
  }
  const pause = async () => {
    pauses += 1
  }
  return { bodies, post, pause, pauses: () => pauses }
}

function streamOf(pieces: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

async function importText(text: string, server: ReturnType<typeof serverWith>, pieceSize = 65_536) {
  const seen: ImportProgress[] = []
  const { post, pause } = server
  const { signal } = new AbortController()
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, index) =>
    bytes.slice(index * pieceSize, (index + 1) * pieceSize),
  )
  const file = { size: bytes.length, stream: () => streamOf(pieces) }
  await runImport({ file, signal, post, pause, onProgress: (progress) => seen.push(progress) })
  return { seen, last: seen.at(-1) ?? assert.fail('no progress') }
}

const UNAVAILABLE = { code: 14, id: 'unavailable', message: 'Try again.' }

suite('the import of the console', () => {
  test('sends 200 lines at a time, and counts what became of them', async () => {
    const text = Array.from({ length: 450 }, (_, index) => `{"username":"user-${index}"}\n`).join('')
    const server = serverWith(results({ status: 'exists' }, ...Array.from({ length: 199 }, () => ({}))))
    const { seen, last } = await importText(text, server)
    assert.deepEqual(
      server.bodies.map((body) => body.trimEnd().split('\n').length),
      [200, 200, 50],
    )
    assert.deepEqual(
      { ...last, failed: last.failed.length },
      { lines: 450, created: 449, exists: 1, failed: 0, share: 1 },
    )
    assert.deepEqual(
      seen.map(({ lines }) => lines),
      [200, 400, 450, 450],
    )
  })

  test('sends long lines in smaller parts', async () => {
    const server = serverWith()
    await importText(`${'x'.repeat(300_000)}\n`.repeat(3), server)
    assert.deepEqual(
      server.bodies.map((body) => body.length),
      [600_002, 300_001],
    )
  })

  test('keeps the lines that failed, under their numbers in the file', async () => {
    const text = Array.from({ length: 202 }, (_, index) => `line ${index + 1}\n`).join('')
    const error = { code: 3, id: 'user.email_invalid', message: 'The address is invalid.' }
    const first = Array.from({ length: 200 }, () => ({}))
    const { last } = await importText(text, serverWith(results(...first), results({}, { status: 'failed', error })))
    assert.deepEqual(last.failed, [{ result: { line: 202, status: 'failed', error }, text: 'line 202' }])
  })

  test('reads the last line without a line break, and letters that come in two pieces', async () => {
    const server = serverWith()
    await importText('ä\nö', server, 1)
    assert.deepEqual(server.bodies, ['ä\nö\n'])
  })

  test('sends a part again when the connection was lost or the server could not answer', async () => {
    const server = serverWith(new TypeError('fetch failed'), new Response('', { status: 503 }))
    const { last } = await importText('one\ntwo\n', server)
    assert.deepEqual([last.created, server.bodies.length, server.pauses()], [2, 3, 2])
  })

  test('continues after the last line that has a result', async () => {
    const server = serverWith(results({}, { status: 'failed', error: UNAVAILABLE }))
    const { last } = await importText('one\ntwo\nthree\n', server)
    assert.deepEqual(server.bodies, ['one\ntwo\nthree\n', 'two\nthree\n'])
    assert.deepEqual([last.created, last.failed], [3, []])
  })

  test('gives up after six tries without any progress', async () => {
    const server = serverWith(...Array.from({ length: 6 }, () => new Response('', { status: 503 })))
    await assert.rejects(importText('one\n', server), ImportStopped)
    assert.equal(server.bodies.length, 6)
  })

  test('stops with the sentence of the server when it refuses', async () => {
    const refusal = new Response(JSON.stringify({ message: 'You may not import users.' }), { status: 403 })
    await assert.rejects(importText('one\n', serverWith(refusal)), new ImportStopped('You may not import users.'))
  })

  test('stops with the status when something else than the server refuses', async () => {
    const server = serverWith(new Response('<h1>Too large</h1>', { status: 413 }))
    await assert.rejects(importText('one\n', server), new ImportStopped('413'))
    assert.equal(server.bodies.length, 1)
  })

  test('leaves out empty lines, about which the server says nothing', async () => {
    const server = serverWith(results())
    const { last } = await importText('\n\n', server)
    assert.deepEqual([last.lines, last.created, server.bodies.length], [2, 0, 1])
  })
})
