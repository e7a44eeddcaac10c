/** Follows whether the process takes calls: looked at once for all who follow, and only while there are any. */

/** How often to look. */
const LOOK_MS = 1_000

/** Whether the process takes calls, now and whenever that changes, until the signal is aborted; then it does not. */
export type FollowStatus = (signal: AbortSignal) => AsyncIterable<boolean>

/** Opens the watch over `isReady`, which must not reject. */
export function watchStatus(isReady: () => Promise<boolean>, everyMs = LOOK_MS): FollowStatus {
  const followers = new Set<(isReady: boolean) => void>()
  let looking: NodeJS.Timeout | undefined
  const look = async () => {
    const current = await isReady()
    for (const tell of followers) tell(current)
  }
  const join = (tell: (isReady: boolean) => void) => {
    followers.add(tell)
    looking ??= setInterval(() => void look(), everyMs).unref()
    return () => {
      followers.delete(tell)
      if (followers.size > 0) return
      clearInterval(looking)
      looking = undefined
    }
  }

  return async function* follow(signal) {
    let current = await isReady()
    let wake = () => {}
    const tell = (next: boolean) => {
      current = next
      wake()
    }
    const stop = () => tell(false)
    const leave = join(tell)
    signal.addEventListener('abort', stop)
    try {
      let told = !current
      for (;;) {
        if (signal.aborted) current = false
        if (current !== told) {
          told = current
          yield told
          continue
        }
        if (signal.aborted) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', stop)
      leave()
    }
  }
}
