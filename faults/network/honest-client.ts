/** The honest clients of hostile scenarios: they ask again and again, and count the answers that are late or missing. */
import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { grouped, percentile, type Run } from '../scenario.ts'

export interface Asked {
  /** How long each answered request took, in milliseconds. */
  readonly times: readonly number[]
  readonly failed: number
}

/** Asks once; false when the answer is missing or wrong. */
type Ask = () => Promise<boolean>

async function keepAskingBy(ask: Ask, isOver: () => boolean): Promise<Asked> {
  const times: number[] = []
  let failed = 0
  while (!isOver()) {
    const began = performance.now()
    if (await ask()) times.push(performance.now() - began)
    else failed++
    await sleep(5)
  }
  return { times, failed }
}

async function askOverHttp1(url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  return fetch(url, { headers }).then(
    async (answer) => (await answer.arrayBuffer()).byteLength > 0 && answer.status === 200,
    () => false,
  )
}

/** Asks over one connection as long as it lasts; that it ends is a failure, too. */
function openHttp2(url: string): { readonly ask: Ask; close(): void } {
  const { origin, pathname } = new URL(url)
  let session = connect(origin)
  session.on('error', () => {})
  const ask: Ask = () =>
    new Promise((resolve) => {
      if (session.closed || session.destroyed) session = connect(origin).on('error', () => {})
      const stream = session.request({ ':path': pathname })
      let status: number | undefined
      stream.on('response', (headers) => {
        status = headers[':status']
      })
      stream.on('error', () => resolve(false))
      stream.on('close', () => resolve(status === 200 && stream.readableEnded))
      stream.resume()
    })
  return { ask, close: () => session.destroy() }
}

/** Asks until it is over, with small pauses. */
export function keepAsking(url: string, isOver: () => boolean): Promise<Asked> {
  return keepAskingBy(() => askOverHttp1(`${url}/readyz`), isOver)
}

/** Several clients: on connections that are kept and on new ones, over HTTP/1.1 and HTTP/2. */
export async function keepAskingInAllWays(url: string, isOver: () => boolean): Promise<Asked> {
  const page = `${url}/readyz`
  const http2 = openHttp2(page)
  const callers: readonly Ask[] = [
    () => askOverHttp1(page),
    () => askOverHttp1(page, { connection: 'close' }),
    () => askOverHttp1(`${url}/.well-known/openid-configuration`),
    http2.ask,
    async () => {
      const fresh = openHttp2(page)
      const isAnswered = await fresh.ask()
      fresh.close()
      return isAnswered
    },
  ]
  const asked = await Promise.all(callers.map((ask) => keepAskingBy(ask, isOver)))
  http2.close()
  return { times: asked.flatMap(({ times }) => times), failed: asked.reduce((sum, { failed }) => sum + failed, 0) }
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
