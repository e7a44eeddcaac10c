/** How many imports run at the same time, and how slow one may be: no caller can keep the others from importing. */
import { Places } from '../../kernel/share.ts'

/**
 * Each may have a whole window of lines at work: more of them would keep other requests waiting. Eight of all organizations, and
 * two of one.
 */
export const openImportPlaces = () => new Places(8, 2)

/** The least that a caller must send while the server has nothing else to do for it. */
export interface Pace {
  /** How often to look. */
  readonly lookMs: number
  /** A caller for whom the server waited this often in a row… */
  readonly looks: number
  /** …must have sent this many bytes in that time. */
  readonly bytes: number
}

/** One kibibyte a second, over ten seconds. */
export const LEAST_PACE: Pace = { lookMs: 1_000, looks: 10, bytes: 10 * 1024 }

/** Watches one import; `state` tells what has arrived so far, and whether the server waits for the caller. */
export function watchPace(
  { lookMs, looks, bytes }: Pace,
  state: () => { readonly received: number; readonly isWaiting: boolean },
  tooSlow: () => void,
): () => void {
  let waited = 0
  let before = state().received
  const looking = setInterval(() => {
    const { received, isWaiting } = state()
    waited = isWaiting ? waited + 1 : 0
    if (waited > 0 && waited < looks) return
    if (waited >= looks && received - before < bytes) tooSlow()
    waited = 0
    before = received
  }, lookMs)
  return () => clearInterval(looking)
}
