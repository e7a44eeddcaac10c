/** The honest client of hostile scenarios: it asks again and again, and counts the answers that are late or missing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { grouped, percentile, type Run } from '../scenario.ts'

export interface Asked {
  /** How long each answered request took, in milliseconds. */
  readonly times: readonly number[]
  readonly failed: number
}

/** Asks until it is over, with small pauses. */
export async function keepAsking(url: string, isOver: () => boolean): Promise<Asked> {
  const times: number[] = []
  let failed = 0
  while (!isOver()) {
    const began = performance.now()
    const isAnswered = await fetch(`${url}/readyz`).then(
      async (answer) => (await answer.arrayBuffer()).byteLength > 0 && answer.status === 200,
      () => false,
    )
    if (isAnswered) times.push(performance.now() - began)
    else failed++
    await sleep(5)
  }
  return { times, failed }
}

/** A percentile of a few milliseconds doubles by itself on a busy machine. */
const FAST_MS = 20

/** How the honest client must fare. */
export const HONEST_REQUIRED = 'honest clients: 0 failed, p99 at most 2 × calm or below 20 ms'

/**
 * How much slower the slowest requests were than in calm times, and whether that is acceptable. Tests only require that
 * requests were answered: on a busy machine, a server that gets no processor drops honest clients, too.
 */
export function compareCalm({ isShort }: Run, calm: Asked, { times, failed }: Asked) {
  const [before, after] = [percentile(calm.times, 0.99), percentile(times, 0.99)]
  const factor = Number((after / before).toFixed(2))
  const text = `honest p99 ${after.toFixed(1)} ms (${factor} × calm), ${failed} of ${grouped(times.length + failed)} failed`
  const isAcceptable = failed === 0 && (factor <= 2 || after < FAST_MS)
  return { factor, text, failed, isAcceptable: times.length > 0 && (isShort || isAcceptable) }
}
