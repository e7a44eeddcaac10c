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
}

/** A clock that starts with the real time. */
export async function openClock(file: string, rate = 1): Promise<MovedClock> {
  const set = async (offsetMs: number, newRate = 1): Promise<void> => {
    const realMs = Date.now()
    const shown: ShownClock = { realMs, shownMs: realMs + offsetMs, rate: newRate }
    // Renamed, so that no process reads half of it.
    await writeFile(`${file}.new`, JSON.stringify(shown))
    await rename(`${file}.new`, file)
  }
  await set(0, rate)
  return { settings: { FAULTS_CLOCK_FILE: file }, set }
}
