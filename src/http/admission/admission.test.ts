import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Admission, type Entry, type Turns } from './admission.ts'
import type { Priority } from './priority.ts'

/** One request of the simulation: when it arrives, and how long the event loop works on it. */
interface Simulated {
  readonly at: number
  readonly priority: Priority
  readonly caller: string
  readonly workMs: number
  readonly group?: string
  readonly timeoutMs?: number
}

interface Result extends Simulated {
  readonly outcome: 'served' | 'refused'
  /** From its arrival to the start of the work, or to the refusal. */
  readonly afterMs: number
}

interface Simulation {
  readonly results: readonly Result[]
  readonly admission: Admission
  /** The most requests that waited at once. */
  readonly mostWaiting: number
}

/** An event loop whose clock moves only by the work that is done, or to the next arrival when there is none. */
class SimulatedLoop implements Turns {
  time = 0
  /** How long the machine did other things. */
  #stolen = 0
  #immediates: (() => void)[] = []
  #timers: { readonly at: number; readonly run: () => void }[] = []

  now(): number {
    return this.time
  }
  worked(): number {
    return this.time - this.#stolen
  }
  /** Nothing runs for this time. */
  stall(milliseconds: number): void {
    this.time += milliseconds
    this.#stolen += milliseconds
  }
  next(run: () => void): void {
    this.#immediates.push(run)
  }
  after(milliseconds: number, run: () => void): void {
    this.#timers.push({ at: this.time + milliseconds, run })
  }

  /** One turn after the input; false when nothing is left to do. */
  turn(nextArrival: number | undefined): boolean {
    const due = this.#timers.filter(({ at }) => at <= this.time)
    this.#timers = this.#timers.filter(({ at }) => at > this.time)
    for (const { run } of due) run()
    const immediates = this.#immediates
    this.#immediates = []
    for (const run of immediates) run()
    if (this.#immediates.length > 0 || immediates.length > 0 || due.length > 0) return true
    const times = [...this.#timers.map(({ at }) => at), ...(nextArrival === undefined ? [] : [nextArrival])]
    if (times.length === 0) return false
    this.time = Math.max(this.time, Math.min(...times))
    return true
  }
}

/** To look at a request takes a little time of the event loop too. */
const LOOK_MS = 0.02

interface Conditions {
  readonly storeDelayMs?: (now: number) => number
  /** Those who get an answer ask again at once, until this time. */
  readonly askAgainUntil?: number
  readonly refuseMs?: number
  /** When the machine does other things, and for how long. */
  readonly stalls?: readonly { readonly at: number; readonly ms: number }[]
}

function simulate(requests: readonly Simulated[], conditions: Conditions = {}): Simulation {
  const { storeDelayMs = () => 0, askAgainUntil = 0, refuseMs = LOOK_MS, stalls = [] } = conditions
  const loop = new SimulatedLoop()
  const admission = new Admission({ targetMs: 1_000, storeDelayMs: () => storeDelayMs(loop.time), turns: loop })
  const arrivals = requests.toSorted((a, b) => a.at - b.at)
  const stallsLeft = [...stalls]
  const results: Result[] = []
  let again: Simulated[] = []
  let next = 0
  let mostWaiting = 0
  const end = (request: Simulated, outcome: Result['outcome'], costMs: number) => {
    results.push({ ...request, outcome, afterMs: loop.time - request.at })
    loop.time += costMs
    if (loop.time < askAgainUntil) again.push({ ...request, at: loop.time })
  }
  const enter = (request: Simulated) => {
    loop.time += LOOK_MS
    const entry: Entry = {
      priority: request.priority,
      share: () => ({ group: request.group ?? request.caller, caller: request.caller }),
      isOver: () => false,
      timeoutMs: () => request.timeoutMs,
      start: () => end(request, 'served', request.workMs),
      refuse: () => end(request, 'refused', refuseMs),
    }
    admission.enter(entry)
  }
  do {
    const [stall] = stallsLeft
    if (stall !== undefined && stall.at <= loop.time) loop.stall(stallsLeft.shift()?.ms ?? 0)
    const asking = again
    again = []
    for (const request of asking) enter(request)
    for (let request = arrivals[next]; request !== undefined && request.at <= loop.time; request = arrivals[next]) {
      next++
      enter(request)
    }
    const { sign_in, usual, bulk } = admission.readLoad().waiting
    mostWaiting = Math.max(mostWaiting, sign_in + usual + bulk)
  } while (loop.turn(arrivals[next]?.at) || next < arrivals.length)
  return { results, admission, mostWaiting }
}

/** Callers who ask once each. */
function callers(count: number, request: Omit<Simulated, 'at'>): readonly Simulated[] {
  return Array.from({ length: count }, () => ({ ...request, at: 0 }))
}

/** Requests that arrive at a steady rate, whatever happens to them. */
function stream(perSecond: number, seconds: number, request: Omit<Simulated, 'at'>, from = 0): readonly Simulated[] {
  return Array.from({ length: perSecond * seconds }, (_, index) => ({
    ...request,
    at: from + (index * 1000) / perSecond,
  }))
}

function shareServed(results: readonly Result[], is: (result: Result) => boolean): number {
  const all = results.filter(is)
  return all.filter(({ outcome }) => outcome === 'served').length / all.length
}

const LIST = { priority: 'bulk', caller: 'lister', workMs: 1 } as const
const SIGN_IN = { priority: 'sign_in', caller: 'browser', workMs: 1 } as const
const READ = { priority: 'usual', caller: 'reader', workMs: 1 } as const

suite('admission control, in a simulated event loop that does one request in a millisecond', () => {
  test('without overload everything is served, and nothing waits', () => {
    const { results, mostWaiting } = simulate(stream(800, 5, READ))
    assert.equal(
      shareServed(results, () => true),
      1,
    )
    assert.equal(mostWaiting, 0)
  })

  test('a burst that is over within a second is served whole', () => {
    const { results } = simulate(stream(400_000, 0.001, READ))
    assert.equal(results.length, 400)
    assert.equal(
      shareServed(results, () => true),
      1,
    )
  })

  test('at four times the capacity it keeps serving at its capacity, and all get an answer', () => {
    const { results, mostWaiting } = simulate(stream(4_000, 4, READ))
    const served = results.filter(({ outcome }) => outcome === 'served')
    const refused = results.filter(({ outcome }) => outcome === 'refused')
    assert.equal(served.length + refused.length, 16_000)
    assert.ok(served.length > 0.8 * 4_000, `${served.length} were served in four seconds`)
    assert.ok(refused.every(({ afterMs }) => afterMs < 2_000))
    assert.ok(served.filter(({ at }) => at > 1_500).every(({ afterMs }) => afterMs < 1_000))
    assert.ok(mostWaiting <= 1_000)
  })

  test('sign-ins are served before lists', () => {
    const { results } = simulate([...stream(3_000, 4, LIST), ...stream(500, 4, SIGN_IN)])
    assert.ok(shareServed(results, ({ priority }) => priority === 'sign_in') > 0.99)
    assert.ok(shareServed(results, ({ priority }) => priority === 'bulk') < 0.3)
  })

  test('lists get some turns even when sign-ins alone are too many', () => {
    const { results } = simulate([...stream(200, 4, LIST), ...stream(4_000, 4, SIGN_IN)])
    assert.ok(results.some(({ priority, outcome, at }) => priority === 'bulk' && outcome === 'served' && at > 2_000))
  })

  test('health checks are never refused and never wait behind others', () => {
    const health = { priority: 'monitoring', caller: 'probe', workMs: 0.1 } as const
    const { results } = simulate([...stream(4_000, 4, SIGN_IN), ...stream(10, 4, health)])
    const checks = results.filter(({ priority }) => priority === 'monitoring')
    assert.ok(checks.every(({ outcome, afterMs }) => outcome === 'served' && afterMs < 50))
  })

  test('a greedy caller takes nothing from callers who ask for less than their share', () => {
    const modest = ['a', 'b', 'c'].flatMap((caller) => stream(200, 4, { ...READ, caller }))
    const { results } = simulate([...stream(4_000, 4, { ...READ, caller: 'greedy' }), ...modest])
    assert.ok(shareServed(results, ({ caller }) => caller !== 'greedy') > 0.99)
    assert.ok(results.some(({ caller, outcome, at }) => caller === 'greedy' && outcome === 'served' && at > 2_000))
  })

  test('a queue that one organization has filled has places for others', () => {
    const fast = { priority: 'usual', workMs: 0.1 } as const
    const greedy = Array.from({ length: 4 }, (_, index) =>
      stream(5_000, 1, { ...fast, caller: `greedy ${index}`, group: 'greedy' }),
    )
    const modest = stream(50, 1, { ...fast, caller: 'modest' })
    const { results, mostWaiting } = simulate([...greedy.flat(), ...modest])
    assert.equal(mostWaiting, 4_000)
    assert.equal(
      shareServed(results, ({ caller }) => caller === 'modest'),
      1,
    )
    assert.ok(results.some(({ group, outcome, at }) => group === 'greedy' && outcome === 'served' && at > 700))
  })

  test('an organization with many callers gets no more than one with a single caller', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      stream(200, 4, { ...READ, caller: `m${index}`, group: 'many' }),
    )
    const one = stream(1_000, 4, { ...READ, caller: 'one', group: 'one' })
    const { results } = simulate([...many.flat(), ...one])
    const served = (group: string) => results.filter((one) => one.group === group && one.outcome === 'served').length
    assert.ok(served('many') < 1.2 * served('one'), `${served('many')} to ${served('one')}`)
  })

  test('when the overload is over, everything is served again', () => {
    const { results, admission } = simulate([...stream(4_000, 3, READ), ...stream(500, 5, READ, 4_000)])
    assert.equal(
      shareServed(results, ({ at }) => at >= 4_000),
      1,
    )
    assert.equal(admission.isBusy, false)
  })

  test('while the store is behind nothing is started, and what arrives is refused when that lasts', () => {
    const storeDelayMs = (now: number) => (now > 1_000 && now < 4_000 ? 300 : 0)
    const { results } = simulate(stream(500, 6, READ), { storeDelayMs })
    const started = results.filter(
      ({ outcome, at, afterMs }) => outcome === 'served' && inside(at + afterMs, 1_010, 3_990),
    )
    assert.equal(started.length, 0)
    assert.ok(shareServed(results, ({ at }) => inside(at, 2_500, 3_900)) < 0.1)
    assert.equal(
      shareServed(results, ({ at }) => at < 2_000 || at > 5_000),
      1,
    )
  })

  test('the parts of a long request wait for their turn and are never refused', async () => {
    const loop = new SimulatedLoop()
    const admission = new Admission({ targetMs: 1_000, turns: loop })
    const share = { group: 'o', caller: 'import' }
    const order: string[] = []
    let turn = admission.takeTurn('bulk', share)
    assert.equal(turn, undefined)
    // A turn of the event loop starts only some.
    while (turn === undefined) turn = admission.takeTurn('bulk', share)
    const written = turn.then(() => order.push('line'))
    const start = () => void order.push('sign-in')
    const timeoutMs = () => undefined
    admission.enter({
      priority: 'sign_in',
      share: () => share,
      start,
      refuse: assert.fail,
      isOver: () => false,
      timeoutMs,
    })
    while (loop.turn(undefined));
    await written
    assert.deepEqual(order, ['sign-in', 'line'])
  })

  test('nobody is refused whose request can be worked off within a second, though all have one token', () => {
    const { results } = simulate(callers(600, READ), { askAgainUntil: 5_000 })
    assert.equal(
      shareServed(results, () => true),
      1,
    )
  })

  for (const count of [1_000, 2_000]) {
    test(`${count} callers who ask again at once take little time from those who are served`, () => {
      const { results } = simulate(callers(count, READ), { askAgainUntil: 10_000, refuseMs: 0.3 })
      const done = results.filter(({ at, afterMs }) => at > 1_500 && at + afterMs < 10_000)
      const served = done.filter(({ outcome }) => outcome === 'served')
      assert.ok(served.length < done.length)
      const refuseMs = (done.length - served.length) * 0.3
      assert.ok(refuseMs < 0.1 * served.length, `${refuseMs} ms for refusals beside ${served.length} ms of work`)
      assert.ok(served.every(({ afterMs }) => afterMs < 1_000))
    })
  }

  test('a machine that stands still now and then is not overloaded', () => {
    const stalls = [1_000, 2_500, 4_000].map((at) => ({ at, ms: 900 }))
    const { results } = simulate(callers(300, READ), { askAgainUntil: 6_000, stalls })
    assert.equal(
      shareServed(results, () => true),
      1,
    )
  })

  test('a request that its caller gives up sooner is refused sooner, and in time', () => {
    const hasty = stream(10, 4, { ...READ, caller: 'hasty', timeoutMs: 100 })
    const { results } = simulate([...callers(500, READ), ...hasty], { askAgainUntil: 4_000 })
    const all = results.filter(({ caller }) => caller === 'hasty')
    assert.ok(all.some(({ outcome }) => outcome === 'refused'))
    assert.ok(all.filter(({ at }) => at > 1_000).every(({ afterMs }) => afterMs < 100))
  })
})

function inside(time: number, from: number, to: number): boolean {
  return time > from && time < to
}
