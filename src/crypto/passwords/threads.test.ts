import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import { Threads } from './threads.ts'

const nonce = new Uint8Array(16)
const task = { type: 'hash', password: nonce, nonce, costs: { memoryKib: 8192, passes: 1, lanes: 1 } } as const
const owners: Owners = ['test']
const impossible = { ...task, costs: { memoryKib: 1, passes: 1, lanes: 1 } }

suite('hashing threads', () => {
  test('a task that fails is a fault of its own and the thread continues', async () => {
    const threads = new Threads({ size: 1, queueSeconds: 10 })
    const [failed, done] = await Promise.allSettled([threads.run(impossible, 1, owners), threads.run(task, 1, owners)])
    assert.equal(failed.status, 'rejected')
    assert.equal(done.status, 'fulfilled')
    await threads.close()
  })

  test('a thread that ends takes one task with it and the next one gets a new thread', async () => {
    const script = new URL(
      'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.once("message", () => process.exit(3))',
    )
    const threads = new Threads({ size: 1, queueSeconds: 10, script })
    const results = await Promise.allSettled([threads.run(task, 1, owners), threads.run(task, 1, owners)])
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
    await assert.rejects(threads.run(task, 1, owners), /A hashing thread died/)
    await threads.close()
  })
})

suite('tasks of several owners', () => {
  /** A thread that does nothing and says so at once. */
  const script = new URL(
    'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage({ outcome: { matching: -1 }, milliseconds: 0 }))',
  )
  // Shorter than what is measured, so that the pace stays 1.
  const EXPECTED_MS = 4
  const opened: Threads[] = []
  after(() => Promise.all(opened.map((threads) => threads.close())))

  /** One thread; five tasks of an owner fill its queue. */
  function openOne(mostQueues?: number) {
    const queueSeconds = 5 * (EXPECTED_MS / 1000)
    const threads = new Threads({ size: 1, queueSeconds, script, ...(mostQueues !== undefined && { mostQueues }) })
    opened.push(threads)
    const finished: string[] = []
    const refused: string[] = []
    const works: Promise<unknown>[] = []
    const run = (group: string, count = 1, within: Owners = [group]) => {
      for (let number = 1; number <= count; number++) {
        const name = `${group}${number}`
        const keep = (error: unknown) => {
          if (!(error instanceof Refused) || error.code !== 'password.busy') throw error
          assert.ok((error.retryAfterSeconds ?? 0) >= 1)
          refused.push(name)
        }
        works.push(threads.run(task, EXPECTED_MS, within).then(() => finished.push(name), keep))
      }
    }
    return { threads, run, finished, refused, settle: () => Promise.all(works) }
  }

  test('that wait take turns, in the order in which they came', async () => {
    const { run, finished, refused, settle } = openOne()
    run('a', 4)
    run('b', 2)
    run('c')
    await settle()
    assert.deepEqual(finished, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    assert.deepEqual(refused, [])
  })

  test('have a queue each: a full one refuses its own group and no other', async () => {
    const { threads, run, finished, refused, settle } = openOne()
    run('a', 50)
    run('b', 3)
    assert.deepEqual(threads.readLoad(), { running: 1, waiting: 7, finished: 0, refused: 45 })
    await settle()
    assert.deepEqual(finished, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'b3', 'a5'])
    assert.ok(refused.every((name) => name.startsWith('a')))
    assert.deepEqual(threads.readLoad(), { running: 0, waiting: 0, finished: 8, refused: 45 })
  })

  test('are taken by turns of organizations, however many callers one of them has', async () => {
    const { run, finished, refused, settle } = openOne(1)
    for (let number = 1; number <= 40; number++) run(`loud ${number} `, 1, ['loud', `${number}`])
    run('quiet ', 2, ['quiet', 'q'])
    run('loud 1 ', 3, ['loud', '1'])
    await settle()
    assert.deepEqual(finished.slice(0, 5), ['loud 1 1', 'loud 2 1', 'quiet 1', 'loud 3 1', 'quiet 2'])
    assert.ok(refused.length >= 30 && refused.every((name) => name.startsWith('loud')), refused.join())
  })

  test('take on work again when theirs is done', async () => {
    const { run, finished, refused, settle } = openOne()
    run('a', 6)
    await settle()
    run('a')
    await settle()
    assert.deepEqual([finished.length, refused.length], [6, 1])
  })

  test('are at most as many as let the last one has its turn in ten times the length of a queue', async () => {
    const { threads, run, finished, settle } = openOne()
    for (let number = 0; number < 200; number++) run(`group ${number} `)
    assert.equal(threads.readLoad().refused, 150)
    await settle()
    assert.equal(finished.length, 50)
  })
})
