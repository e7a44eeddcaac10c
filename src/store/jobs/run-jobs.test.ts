/** Jobs are leased by one runner, tried again, parked after the last try, and never lost. */
import assert from 'node:assert/strict'
import { after, afterEach, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { boxes, by } from '../../../test/support/sample-kind.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { GivenUp, type Job, type JobFailure, type JobRunner, type Store } from '../index.ts'
import { defaultPause, LeaseLost, runJobs } from './run-jobs.ts'

/** A promise that the test or a handler ends. */
function signal<Value = void>() {
  let end: (value: Value) => void = () => {}
  const ended = new Promise<Value>((resolve) => {
    end = resolve
  })
  return { end, ended }
}

const NEVER_POLL = { pollMilliseconds: 3_600_000 }

for (const engine of bothEngines) {
  suite(`jobs on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    let now = 1_000_000
    let kindNumber = 0
    const clock = () => instant(now)
    const runners: JobRunner[] = []
    const run: Store['jobs']['run'] = (handlers, options) => {
      const runner = store.jobs.run(handlers, { clock, ...NEVER_POLL, ...options })
      runners.push(runner)
      return runner
    }
    // A kind of its own for each test: they share the database.
    const newKind = () => `kind-${++kindNumber}`
    const enqueue = (kind: string, data: unknown = {}, dueAt?: number) =>
      store.write(by('ann', now), async (work) => {
        work.enqueue({ kind, data, ...(dueAt === undefined ? {} : { dueAt: instant(dueAt) }) })
      })
    const noneLeft = async () => {
      while ((await store.jobs.count()).waiting > 0) await sleep(2)
    }

    before(async () => {
      opened = await openTestStore([boxes], engine)
      store = opened.store
    })
    afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())))
    after(() => opened.dispose())

    test('a job that is not finished runs again with what it saved, under the kind that it names', async () => {
      const [kind, next] = [newKind(), newKind()]
      const seen: unknown[] = []
      run({
        [kind]: async ({ data, save }) => {
          seen.push(data)
          await save({ step: 2 })
          return { dueAt: clock(), kind: next }
        },
        [next]: async ({ data }) => void seen.push(data),
      })
      await enqueue(kind, { step: 1 })
      await noneLeft()
      assert.deepEqual(seen, [{ step: 1 }, { step: 2 }])
    })

    test('a job that is woken while it runs, runs once more', async () => {
      const kind = newKind()
      const started = signal()
      const finish = signal()
      let runs = 0
      run({
        [kind]: async ({ save }) => {
          if (++runs === 2) return undefined
          await save({ runs })
          started.end()
          await finish.ended
          return { dueAt: instant(now + 1_000_000) }
        },
      })
      await enqueue(kind)
      await started.ended
      const [job] = await store.jobs.list({ kind, limit: 1 })
      assert.equal(await store.jobs.wake([job?.id ?? '', 'gone'], [kind], kind, clock()), 1)
      assert.equal(await store.jobs.wake([job?.id ?? ''], ['other'], kind, clock()), 0)
      finish.end()
      await noneLeft()
      assert.equal(runs, 2)
      assert.equal(await store.jobs.read(job?.id ?? ''), undefined)
    })

    test('a job that is woken while it ends, runs once more', async () => {
      const kind = newKind()
      let runs = 0
      run({
        [kind]: async ({ id }) => {
          if (++runs === 1) await store.jobs.wake([id], [kind], kind, clock())
        },
      })
      await enqueue(kind)
      await noneLeft()
      assert.equal(runs, 2)
    })

    test('a job that is woken while it decides to wait without a runner, runs once more', async () => {
      const kind = newKind()
      const started = signal()
      const finish = signal()
      let runs = 0
      run({
        [kind]: async () => {
          if (++runs === 2) return undefined
          started.end()
          await finish.ended
          return { dueAt: instant(now + 1_000_000), kind: newKind(), wokenKind: kind }
        },
      })
      await enqueue(kind)
      await started.ended
      const [job] = await store.jobs.list({ kind, limit: 1 })
      await store.jobs.wake([job?.id ?? ''], [kind], kind, clock())
      finish.end()
      await noneLeft()
      assert.equal(runs, 2)
    })

    test('a runner whose job another one has taken over can save nothing more', async () => {
      const kind = newKind()
      const started = signal()
      const finish = signal()
      const lost = signal<unknown>()
      run({
        [kind]: async ({ save }) => {
          started.end()
          await finish.ended
          await save({ by: 'first' }).catch((error: unknown) => {
            lost.end(error)
            throw error
          })
        },
      })
      await enqueue(kind)
      await started.ended
      const [job] = await store.jobs.list({ kind, limit: 1 })
      await store.jobs.rewrite(job?.id ?? '', { by: 'second' })
      finish.end()
      assert.ok((await lost.ended) instanceof LeaseLost)
      await Promise.all(runners.map((runner) => runner.stop()))
      assert.deepEqual((await store.jobs.read(job?.id ?? ''))?.data, { by: 'second' })
      await store.jobs.finish([job?.id ?? ''])
    })

    test('a job runs at once after the commit that enqueued it, with its data, and is gone afterwards', async () => {
      const kind = newKind()
      const ran = signal<Job>()
      run({ [kind]: async (job) => ran.end(job) })
      await enqueue(kind, { to: 'ann', list: [1, null, 'ü'] })
      const job = await ran.ended
      assert.deepEqual([job.data, job.attempts], [{ to: 'ann', list: [1, null, 'ü'] }, 0])
      await noneLeft()
      assert.deepEqual(await store.jobs.count(), { waiting: 0, parked: 0 })
    })

    test('a job that was there before the runner started, or is due later, is found', async () => {
      const kind = newKind()
      await enqueue(kind, 'early')
      await enqueue(kind, 'late', now + 10_000)
      const ran: unknown[] = []
      const early = signal()
      const late = signal()
      const runner = run({
        [kind]: async ({ data }) => {
          ran.push(data)
          ;(data === 'early' ? early : late).end()
        },
      })
      await early.ended
      assert.deepEqual(ran, ['early'])
      now += 10_000
      runner.wake()
      await late.ended
      assert.deepEqual(ran, ['early', 'late'])
      await noneLeft()
    })

    test('a failed job is tried again until the last try, parked with the reason, and run when asked', async () => {
      const kind = newKind()
      const attempts: number[] = []
      const failures: JobFailure[] = []
      let works = false
      run(
        {
          [kind]: async (job) => {
            attempts.push(job.attempts)
            if (!works) throw new Error(`no luck ${job.attempts}\0`)
          },
        },
        { pauseAfter: (tries) => (tries >= 3 ? undefined : 0), onFailure: (failure) => failures.push(failure) },
      )
      await enqueue(kind)
      while ((await store.jobs.count()).parked === 0) await sleep(2)
      assert.deepEqual(attempts, [0, 1, 2])
      assert.deepEqual(
        failures.map(({ attempts, parked }) => [attempts, parked]),
        [
          [1, false],
          [2, false],
          [3, true],
        ],
      )
      const [parked] = await store.jobs.list({ kind, parked: true, limit: 10 })
      assert.deepEqual([parked?.error, parked?.attempts], ['no luck 2', 3])
      works = true
      assert.equal(await store.jobs.unpark(parked?.id ?? '', instant(now)), true)
      assert.equal(await store.jobs.unpark('no such job', instant(now)), false)
      await noneLeft()
      assert.deepEqual(attempts, [0, 1, 2, 0])
      assert.deepEqual(await store.jobs.list({ kind, parked: true, limit: 10 }), [])
    })

    test('the pause between two tries is kept', async () => {
      const kind = newKind()
      await enqueue(kind)
      const runs: number[] = []
      const failing = { [kind]: async ({ attempts }: Job) => Promise.reject(runs.push(attempts)) }
      for (const wait of [0, 999, 1, 1999, 1]) {
        now += wait
        const runner = run(failing, { pauseAfter: (tries) => tries * 1000 })
        // Stopping waits for the first look and for what it found.
        await runner.stop()
      }
      assert.deepEqual(runs, [0, 1, 2])
      await run({ [kind]: async () => {} }, { clock: () => instant(now + 3000) }).stop()
      await noneLeft()
    })

    test('a handler that gives up parks its job at once', async () => {
      const kind = newKind()
      await enqueue(kind)
      await run({ [kind]: async () => Promise.reject(new GivenUp('no such mailbox')) }).stop()
      const [parked] = await store.jobs.list({ kind, parked: true, limit: 1 })
      assert.equal(parked?.error, 'no such mailbox')
      await store.jobs.unpark(parked?.id ?? '', instant(now))
      await run({ [kind]: async () => {} }).stop()
      await noneLeft()
    })

    test('a job runs on one node at a time, however many look for it', async () => {
      const kind = newKind()
      const another = await opened.another()
      for (let index = 0; index < 40; index++) await enqueue(kind, index)
      const running = new Set<unknown>()
      const ran: unknown[] = []
      let together = 0
      const handler = async ({ data }: Job) => {
        assert.ok(!running.has(data))
        running.add(data)
        together = Math.max(together, running.size)
        // Pause: work that takes a while, so that jobs overlap.
        await sleep(3)
        running.delete(data)
        ran.push(data)
      }
      run({ [kind]: handler }, { concurrency: 3 })
      const other = another.jobs.run({ [kind]: handler }, { clock, ...NEVER_POLL, concurrency: 2 })
      await noneLeft()
      await other.stop()
      assert.equal(ran.length, 40)
      assert.equal(new Set(ran).size, 40)
      assert.ok(together <= 5)
    })

    test('a job longer than its lease is renewed and stays where it is', async () => {
      const kind = newKind()
      const started = signal()
      const renewed = signal()
      const finish = signal()
      await enqueue(kind)
      const engine = await opened.engine()
      const renewJob = async (id: string, leasedUntil: Instant) => {
        await engine.renewJob(id, leasedUntil)
        if (leasedUntil > now + 1000) renewed.end()
      }
      const work = async () => {
        started.end()
        await finish.ended
      }
      let later = 0
      const options = { clock: () => instant(now + later), leaseMilliseconds: 300, ...NEVER_POLL }
      const runner = runJobs({ ...engine, renewJob }, { [kind]: work }, options)
      await started.ended
      later = 1000
      await renewed.ended
      await run({ [kind]: async () => assert.fail('it has not ended yet') }, options).stop()
      finish.end()
      await runner.stop()
      await noneLeft()
    })

    test('a job of a node that died is run by another one when the lease is over, and the try counts', async () => {
      const kind = newKind()
      await enqueue(kind)
      // The dead node leases the job and never renews.
      const dead = await opened.engine()
      assert.equal((await dead.leaseJobs([kind], clock(), instant(now + 1000), 10)).length, 1)
      const attempts: number[] = []
      const handlers = { [kind]: async (job: Job) => void attempts.push(job.attempts) }
      await run(handlers).stop()
      assert.deepEqual(attempts, [])
      now += 1000
      await run(handlers).stop()
      assert.deepEqual(attempts, [1])
    })

    test('a job that crashes its node on every try is parked in the end', async () => {
      const kind = newKind()
      await enqueue(kind)
      const dead = await opened.engine()
      for (let tries = 0; tries < 3; tries++) {
        assert.equal((await dead.leaseJobs([kind], clock(), clock(), 10)).length, 1)
      }
      const handlers = { [kind]: async () => assert.fail('it has had its tries') }
      await run(handlers, { pauseAfter: (tries) => (tries >= 3 ? undefined : 0) }).stop()
      const [parked] = await store.jobs.list({ kind, parked: true, limit: 1 })
      assert.equal(parked?.attempts, 4)
    })

    test('a runner ignores kinds that it has no handler for', async () => {
      const kind = newKind()
      await enqueue(kind)
      await run({ [`not ${kind}`]: async () => assert.fail() }).stop()
      assert.equal((await store.jobs.count()).waiting, 1)
      await run({ [kind]: async () => {} }).stop()
      await noneLeft()
    })

    test("stopping aborts the running job's signal and waits for it", async () => {
      const kind = newKind()
      const started = signal()
      let ended = false
      const runner = run({
        [kind]: async ({ signal }) => {
          started.end()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          // Pause: work that takes a while after it was told to stop.
          await sleep(5)
          ended = true
        },
      })
      await enqueue(kind)
      await started.ended
      await runner.stop()
      assert.ok(ended)
      await noneLeft()
    })
  })
}

test('the usual pauses grow to a quarter of an hour and end', () => {
  const pauses = Array.from({ length: 20 }, (_, index) => defaultPause(index + 1))
  assert.deepEqual(pauses.slice(0, 4), [1000, 2000, 4000, 8000])
  assert.equal(pauses[18], 900_000)
  assert.equal(pauses[19], undefined)
})

test('a runner survives a store that cannot be reached', async () => {
  const troubles: unknown[] = []
  let asked = 0
  const lookedAgain = signal()
  const fail = async () => Promise.reject(new Error('database down'))
  const runner = runJobs(
    {
      leaseJobs: async () => {
        if (asked++ === 0) throw new Error('database down')
        lookedAgain.end()
        return []
      },
      ...{
        saveJob: fail,
        continueJob: fail,
        renewJob: fail,
        finishRun: fail,
        repeatJob: fail,
        retryJob: fail,
        parkJob: fail,
      },
    },
    { any: async () => {} },
    { pollMilliseconds: 5, onTrouble: (error) => troubles.push(error) },
  )
  await lookedAgain.ended
  await runner.stop()
  assert.equal(troubles.length, 1)
})
