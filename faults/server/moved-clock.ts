/**
 * Loaded before the server: its wall clock shows what a file says, while timers continue in real time, as on a machine whose
 * clock is set. The file has a time of the real clock, the time shown then, and how fast the shown time passes.
 */
import { readFileSync } from 'node:fs'

const READ_AGAIN_MS = 20

/** What the file contains. */
export interface ShownClock {
  readonly realMs: number
  readonly shownMs: number
  readonly rate: number
}

const RealDate = Date
const file = process.env.FAULTS_CLOCK_FILE ?? ''

function read(): ShownClock {
  return JSON.parse(readFileSync(file, 'utf8')) as ShownClock
}

let clock = read()

function shownNow(): number {
  return Math.floor(clock.shownMs + (RealDate.now() - clock.realMs) * clock.rate)
}

class ShownDate extends RealDate {
  constructor(...given: readonly [] | readonly [number]) {
    if (given.length === 0) super(shownNow())
    else super(...(given as readonly [number]))
  }

  static override now(): number {
    return shownNow()
  }
}

globalThis.Date = ShownDate as DateConstructor
setInterval(() => {
  try {
    clock = read()
  } catch {
    // It is being written.
  }
}, READ_AGAIN_MS).unref()
