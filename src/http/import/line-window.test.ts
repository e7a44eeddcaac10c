import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { suite, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LineWindow } from './line-window.ts'
import type { Line } from './ndjson.ts'

/** A window whose lines are answered, and whose answers are taken, when the test says so. */
function openScene({ skip = 0, sinkBytes = 1024 * 1024 } = {}) {
  const source = new PassThrough()
  const open = new Map<number, (text: string) => void>()
  const begun: Line[] = []
  const written: string[] = []
  const taken: (() => void)[] = []
  const sink = new Writable({
    highWaterMark: sinkBytes,
    write(piece, _, done) {
      written.push(String(piece))
      taken.push(done)
    },
  })
  const answer = (line: Line) => {
    begun.push(line)
    return new Promise<string>((resolve) => open.set(line.number, resolve))
  }
  const window = new LineWindow({ source, sink, skip, answer, moved: () => {} })
  const settle = async () => {
    for (let turns = 0; turns < 20; turns++) await turn()
  }
  return {
    done: window.done,
    stop: () => window.stop(),
    source,
    sink,
    begun,
    written,
    settle,
    async finish(...numbers: number[]) {
      for (const number of numbers) open.get(number)?.(`answer ${number}`)
      await settle()
    },
    async finishAll() {
      for (const [number, resolve] of open) resolve(`answer ${number}`)
      await settle()
    },
    async takeAll() {
      for (const done of taken.splice(0)) done()
      await settle()
    },
  }
}

function lines(count: number, line = 'x'): string {
  return `${line}\n`.repeat(count)
}

suite('a window of lines', () => {
  test('answers leave in the order of the lines, whatever is done first', async () => {
    const scene = openScene()
    scene.source.end('a\nb\nc')
    await scene.settle()
    await scene.finish(3)
    await scene.finish(2)
    assert.deepEqual(scene.written, [])
    await scene.finish(1)
    assert.deepEqual(scene.written, ['answer 1\nanswer 2\nanswer 3\n'])
    assert.equal(await scene.done, undefined)
  })

  test('a body of any length has no more lines at work than the window is wide', async () => {
    const scene = openScene()
    let isTaken = true
    for (let pieces = 0; isTaken && pieces < 1_000; pieces++) {
      isTaken = scene.source.write(lines(1_000))
      await scene.settle()
    }
    assert.equal(isTaken, false, 'it took everything')
    assert.equal(scene.begun.length, 512)
    await scene.finish(1)
    assert.equal(scene.begun.length, 513)
  })

  test('long lines make it narrower', async () => {
    const scene = openScene()
    scene.source.write(lines(20, 'x'.repeat(1_500_000)))
    await scene.settle()
    assert.ok(scene.begun.length > 8 && scene.begun.length < 15, `${scene.begun.length} lines of 1.5 MB`)
  })

  test('nothing is begun for a caller who does not take the answers', async () => {
    const scene = openScene({ sinkBytes: 4 })
    scene.source.write(lines(2_000))
    await scene.settle()
    await scene.finishAll()
    await scene.finishAll()
    assert.equal(scene.begun.length, 512)
    await scene.takeAll()
    assert.ok(scene.begun.length > 512)
  })

  test('when it is stopped, what is begun is answered and the first line that is not is told', async () => {
    const scene = openScene()
    scene.source.write(`${lines(600)}half`)
    await scene.settle()
    scene.stop()
    await scene.finishAll()
    assert.equal(await scene.done, 513)
    assert.equal(scene.written.join('').trim().split('\n').length, 512)
  })

  test('of a body that breaks off, only whole lines are worked on', async () => {
    const scene = openScene()
    scene.source.write('a\nhalf')
    await scene.settle()
    scene.source.destroy()
    await scene.settle()
    assert.deepEqual(
      scene.begun.map(({ number }) => number),
      [1],
    )
    await scene.finishAll()
    assert.equal(await scene.done, 2)
  })

  test('lines that are passed over are counted and not answered', async () => {
    const scene = openScene({ skip: 2 })
    scene.source.end('a\nb\nc\nd\n')
    await scene.settle()
    await scene.finishAll()
    assert.equal(await scene.done, undefined)
    assert.deepEqual(scene.written, ['answer 3\nanswer 4\n'])
  })
})
