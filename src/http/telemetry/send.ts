/** Posts to a collector: with a timeout, and again after a pause when the collector asks for it or is not reachable. */
import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SenderOptions {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Pause before the second try; it doubles with each try. Tests pass a short one. */
  readonly firstPauseMs?: number
}

/** What became of a body. The reason of a failure never contains a header or the body. */
export type Sent = { readonly isSent: true } | { readonly isSent: false; readonly reason: string }

export interface Sender {
  /** Sends a body to a path of the collector. Never rejects. `signal` ends the pauses between tries. */
  send(path: string, body: string, signal: AbortSignal): Promise<Sent>
  close(): void
}

const MOST_TRIES = 5
const LONGEST_PAUSE_MS = 30_000
/** OTLP "Retryable Response Codes". Everything else would fail again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The pause that the collector asks for: seconds, or a date (RFC 9110 §10.2.3). */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const asked = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), LONGEST_PAUSE_MS)
}

/** Opens a sender with one connection, which stays open between two exports. */
export function openSender({ endpoint, headers, timeoutMs, firstPauseMs = 1000 }: SenderOptions): Sender {
  const isSecure = endpoint.startsWith('https:')
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = isSecure ? requestHttps : requestHttp

  const post = (path: string, body: string): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
    new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body)
      const outgoing = request(
        `${endpoint}${path}`,
        {
          method: 'POST',
          agent,
          signal: AbortSignal.timeout(timeoutMs),
          headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
        },
        (incoming) => {
          // Read to its end, so that the connection can be used again.
          incoming.resume()
          incoming.on('error', reject)
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }))
        },
      )
      // A collector that does not answer must not keep a process alive that wants to end.
      outgoing.on('socket', (socket) => socket.unref())
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  const tryOnce = async (
    path: string,
    body: string,
  ): Promise<Sent & { readonly retryMs?: number | undefined; readonly isFinal?: boolean }> => {
    try {
      const { status, headers: answered } = await post(path, body)
      if (status >= 200 && status < 300) return { isSent: true }
      const retryMs = readRetryAfter(answered['retry-after'], Date.now())
      return { isSent: false, reason: `status ${status}`, retryMs, isFinal: !RETRYABLE.has(status) }
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      return { isSent: false, reason: code ?? name }
    }
  }

  return {
    async send(path, body, signal) {
      for (let tries = 1, pause = firstPauseMs; ; tries++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const { retryMs, isFinal, ...sent } = await tryOnce(path, body)
        if (sent.isSent || isFinal || tries === MOST_TRIES || signal.aborted) return sent
        // Not all servers at the same moment.
        const wait = retryMs ?? pause * (0.5 + Math.random() / 2)
        await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
        if (signal.aborted) return sent
      }
    },
    close: () => agent.destroy(),
  }
}
