/** Limits concurrent work: to a maximum number at once, or to one at a time in each lane. */

/** Runs `work` when it is its turn. */
export type TakeTurn = <Value>(work: () => Promise<Value>) => Promise<Value>

/** At most `atOnce` run at the same time; the others wait in order. */
export function openTurns(atOnce: number): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Hands the turn directly to the next one, so that nothing else takes it in between.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** Runs `work` after all earlier work in any of these lanes. */
export type RunInLanes = <Value>(lanes: readonly string[], work: () => Promise<Value>) => Promise<Value>

/** Runs work in the same lane one after the other, in the order of the calls. */
export function openLanes(): RunInLanes {
  const last = new Map<string, Promise<unknown>>()
  return (lanes, work) => {
    const before = lanes.flatMap((lane) => last.get(lane) ?? [])
    const running = before.length === 0 ? work() : Promise.allSettled(before).then(work)
    const over = running.then(
      () => leave(),
      () => leave(),
    )
    const leave = () => {
      for (const lane of lanes) if (last.get(lane) === over) last.delete(lane)
    }
    for (const lane of lanes) last.set(lane, over)
    return running
  }
}
