/** Sets the clock of a server that was started with `moved-clock.ts`. */
import { rename, writeFile } from 'node:fs/promises'
import type { ShownClock } from './moved-clock.ts'

export const MOVED_CLOCK = new URL('moved-clock.ts', import.meta.url)

/** The wall clock of one or more processes. */
export interface MovedClock {
  /** For their environment. */
  readonly settings: Readonly<Record<string, string>>
  /** Shows the real time and this many milliseconds more; `rate` is how fast it passes from now on. */
  set(offsetMs: number, rate?: number): Promise<void>
  /** Lets this many milliseconds pass at once; from then on, time passes as fast as it does. */
  pass(milliseconds: number): Promise<void>
}

/** A clock that starts with the real time. */
export async function openClock(file: string, rate = 1): Promise<MovedClock> {
  let shown: ShownClock = { realMs: Date.now(), shownMs: Date.now(), rate }
  const show = async (next: ShownClock): Promise<void> => {
    shown = next
    // Renamed, so that no process reads half of it.
    await writeFile(`${file}.new`, JSON.stringify(shown))
    await rename(`${file}.new`, file)
  }
  await show(shown)
  return {
    settings: { FAULTS_CLOCK_FILE: file },
    set: (offsetMs, newRate = 1) => show({ realMs: Date.now(), shownMs: Date.now() + offsetMs, rate: newRate }),
    pass(milliseconds) {
      const realMs = Date.now()
      const now = shown.shownMs + (realMs - shown.realMs) * shown.rate
      return show({ realMs, shownMs: now + milliseconds, rate: 1 })
    },
  }
}
