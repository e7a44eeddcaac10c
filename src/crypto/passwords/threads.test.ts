import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Threads } from './threads.ts'

const nonce = new Uint8Array(16)
const task = { type: 'hash', password: nonce, nonce, costs: { memoryKib: 8192, passes: 1, lanes: 1 } } as const
const impossible = { ...task, costs: { memoryKib: 1, passes: 1, lanes: 1 } }

suite('hashing threads', () => {
  test('a task that fails is a fault of its own and the thread goes on', async () => {
    const threads = new Threads({ size: 1, queueSeconds: 10 })
    const [failed, done] = await Promise.allSettled([threads.run(impossible, 1), threads.run(task, 1)])
    assert.equal(failed.status, 'rejected')
    assert.equal(done.status, 'fulfilled')
    await threads.close()
  })

  test('a thread that ends takes one task with it and the next one gets a new thread', async () => {
    const script = new URL(
      'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.once("message", () => process.exit(3))',
    )
    const threads = new Threads({ size: 1, queueSeconds: 10, script })
    const results = await Promise.allSettled([threads.run(task, 1), threads.run(task, 1)])
    for (const result of results) {
      assert.equal(result.status, 'rejected')
      assert.match(String(result.reason), /ended with code 3/)
    }
    assert.deepEqual(threads.readLoad(), { running: 0, waiting: 0, finished: 0, refused: 0 })
    await threads.close()
  })

  test('a thread that throws takes its task with it', async () => {
    const script = new URL(
      'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.once("message", () => { throw new Error("out") })',
    )
    const threads = new Threads({ size: 1, queueSeconds: 10, script })
    await assert.rejects(threads.run(task, 1), /A hashing thread died/)
    await threads.close()
  })
})
