/** Logs and counts requests. Neither the log nor the metrics contain a body, a header, a query or a token. */
import { OTHER } from '../../kernel/metrics.ts'
import type { FinishedRequest } from '../exchange.ts'
import type { Registry } from './metrics.ts'

/** Writes one log line, such as `info` of a pino logger. */
export type WriteLine = (members: Readonly<Record<string, unknown>>, message: string) => void

/** Called every few seconds by monitoring. They are counted, but logged only if they fail. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/debug/healthz', '/readyz', '/debug/ready', '/metrics'])

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The names of a request in the count and in the durations. There are more than a thousand methods, and anybody can ask for
 * each of them: a request has a name if it was let in. Pages are few, and let everybody in. A duration has a line for each of
 * its bounds: only requests that succeeded have their own.
 */
function namesOf({ method, protocol, code, callerId, parts }: FinishedRequest): { counted: string; timed: string } {
  const isLetIn = protocol === 'page' || callerId !== undefined || parts !== undefined
  const counted = isLetIn && method !== '' ? method : OTHER
  return { counted, timed: code === 0 ? counted : OTHER }
}

/** What is logged beside the line of each request. */
export interface AccessLogOptions {
  /** Requests that took this long are reported; 0: none. Streams are not, because they last as long as both sides want. */
  readonly slowMs?: number
  readonly warn?: WriteLine
  /** Receives why requests were refused. */
  readonly debug?: WriteLine
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}

/** Records requests: a line in the log, a count and a duration in the metrics. */
export function openAccessLog(
  registry: Registry,
  write: WriteLine,
  { slowMs = 0, warn, debug }: AccessLogOptions = {},
): (finished: FinishedRequest) => void {
  const labels = ['method', 'protocol', 'code']
  const requests = registry.counter('signet_requests_total', 'Requests answered, by method, protocol and code.', labels)
  const durations = registry.histogram(
    'signet_request_duration_seconds',
    'Time from the request headers to the response, in seconds.',
    labels,
    SECONDS,
  )
  return (finished) => {
    const { method, protocol, code, status, durationMs, requestId, callerId, client } = finished
    const { errorId, reason, isShed, isStream, traceId, parts = {} } = finished
    const { counted, timed } = namesOf(finished)
    requests.add([counted, protocol, String(code)])
    durations.observe([timed, protocol, String(code)], durationMs / 1000)
    const trace = traceId === undefined ? undefined : { traceId }
    if (slowMs > 0 && durationMs >= slowMs && !isStream) {
      const times = Object.fromEntries(
        Object.entries<number>({ ...parts }).map(([name, time]) => [name, rounded(time)]),
      )
      warn?.({ method, protocol, code, durationMs: rounded(durationMs), ...times, requestId, ...trace }, 'slow request')
    }
    if (errorId !== undefined) debug?.({ method, errorId, reason, callerId, requestId, ...trace }, 'refused')
    if (code === 0 && protocol === 'page' && PROBES.has(method)) return
    // A line for each would be work that an overloaded server cannot spare.
    if (isShed) return
    const members = { method, protocol, code, status, durationMs: rounded(durationMs), requestId, callerId, client }
    const error = errorId === undefined ? undefined : { errorId }
    write(error === undefined && trace === undefined ? members : { ...members, ...error, ...trace }, 'request')
  }
}
