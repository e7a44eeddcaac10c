/** Brings requests to admission control: whose share they count for, and what they are refused with. */
import { identifiedCaller, serveFrom } from '../../access/current-caller.ts'
import { sourceOf } from '../client-address.ts'
import type { Exchange } from '../exchange.ts'
import type { Failure } from '../protocols/errors.ts'
import { STATUS } from '../protocols/status.ts'
import type { Admission } from './admission.ts'
import { type Priority, QUEUED, RETRY_AFTER_SECONDS } from './priority.ts'
import { Shares } from './shares.ts'

export interface Admitted {
  readonly priority: Priority
  serve(): void | Promise<void>
  refuse(exchange: Exchange, failure: Failure): void
  /** How long the caller waits, in milliseconds. May throw. */
  timeout?(exchange: Exchange): number | undefined
}

const failure: Failure = {
  status: STATUS.exhausted,
  id: 'server.overloaded',
  message: 'The server is overloaded. Try again later.',
}

/** One object for each priority, so that its text is written once. */
const FAILURES: Readonly<Record<string, Failure>> = Object.fromEntries(
  QUEUED.map((priority) => [priority, Object.freeze({ ...failure, retryAfterSeconds: RETRY_AFTER_SECONDS[priority] })]),
)

export class Entrance {
  readonly #admission: Admission | undefined
  readonly #shares = new Shares()

  /** Without admission control, everything is served at once. */
  constructor(admission: Admission | undefined) {
    this.#admission = admission
  }

  /** Serves the request now or in its turn, or refuses it when the server is overloaded. */
  admit(exchange: Exchange, request: Admitted): void | Promise<void> {
    const admission = this.#admission
    const serve = <Value>(run: () => Value) => serveFrom(() => sourceOf(exchange.client), run)
    if (admission === undefined) return serve(request.serve)
    admission.enter({
      priority: request.priority,
      share: () => this.#shares.of(exchange),
      start: () =>
        exchange.contain(() =>
          serve(() => {
            const serving = request.serve()
            return admission.isBusy ? Promise.resolve(serving).then(() => this.#learn(exchange)) : serving
          }),
        ),
      refuse: () => {
        exchange.isShed = true
        exchange.contain(() => request.refuse(exchange, FAILURES[request.priority] ?? failure))
      },
      isOver: () => exchange.isOver,
      timeoutMs: () => timeoutOf(exchange, request),
    })
  }

  /** Remembers whose token this was, so that the next request counts for its caller. */
  #learn(exchange: Exchange): void {
    const caller = identifiedCaller()
    if (caller !== undefined) this.#shares.learn(exchange, caller)
  }
}

function timeoutOf(exchange: Exchange, request: Admitted): number | undefined {
  try {
    return request.timeout?.(exchange)
  } catch {
    // What is wrong with it is said when the request is served.
    return undefined
  }
}
