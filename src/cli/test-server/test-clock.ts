/** A clock that tests move forward, for this process: everything in it, libraries too, reads the time from `Date`. */

/** Nothing that a test waits for takes longer than a year and a month. */
const MOST_MS = 400 * 86_400_000

const SystemDate = globalThis.Date

export interface TestClock {
  /** Moves forward; answers the new time. Throws a `RangeError` for anything else. */
  advance(milliseconds: number): Date
}

/** Takes the place of the system's clock, from `start` on if that is in the past. */
export function installTestClock(start?: Date): TestClock {
  let offset = start === undefined ? 0 : start.getTime() - SystemDate.now()
  let moved = 0
  const now = () => SystemDate.now() + offset
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, words, self) => Reflect.construct(target, words.length === 0 ? [now()] : words, self),
    apply: () => new SystemDate(now()).toString(),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
  return {
    advance(milliseconds) {
      const isForward = Number.isSafeInteger(milliseconds) && milliseconds > 0
      if (!isForward || moved + milliseconds > MOST_MS) {
        throw new RangeError('the clock moves forward, by 400 days at most')
      }
      moved += milliseconds
      offset += milliseconds
      return new SystemDate(now())
    },
  }
}
