/**
 * `POST /v2/users/import`: reads one AddHumanUserRequest per line and streams one result per line. Each line is read,
 * limited, authorized and added like a call of AddHumanUser, and fails independently.
 */
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authorize, AuthorizedRequest } from '../../access/authorization.ts'
import type { Method } from '../../access/method.ts'
import { beginImport, type ImportHuman, importRefusals } from '../../features/imports/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Admission } from '../admission/admission.ts'
import type { Exchange } from '../exchange.ts'
import { StreamingExchange } from '../exchange-streaming.ts'
import { hasForeignCharset, mediaType } from '../protocols/content-type.ts'
import { admitMessage } from '../protocols/dispatch.ts'
import { fittingViolations } from '../protocols/error-details.ts'
import { type Failure, type Fault, failureOf, invalidFields, tooLarge, unknownEncoding } from '../protocols/errors.ts'
import type { Intercept } from '../protocols/interception.ts'
import { refuseRest, unsupportedType } from '../protocols/rest.ts'
import { type Served, serveMethods } from '../protocols/served.ts'
import { STATUS } from '../protocols/status.ts'
import type { StreamRoute } from '../router.ts'
import { LEAST_PACE, openImportPlaces, type Pace, watchPace } from './import-places.ts'
import { LineWindow } from './line-window.ts'
import { type Line, NDJSON } from './ndjson.ts'

export interface ImportRouteOptions {
  readonly app: App
  /** The methods of the app. AddHumanUser must be among them. */
  readonly methods: readonly Method[]
  readonly authorize: Authorize
  /** Actions before a user is added. Those after it do not run: the import has one answer for all lines. */
  readonly intercept?: Intercept | undefined
  readonly log: (fault: Fault) => void
  /** Lets other requests go before the lines when the server is overloaded. */
  readonly admission?: Admission | undefined
  /** The least that a caller must send; tests pass another. */
  readonly pace?: Pace
}

/** How long a caller counts as authorized: a revoked token ends the import soon after. */
const AUTHORIZED_MS = 1_000
/** This many consecutive faults are not caused by the lines. */
const FAULTS_IN_A_ROW = 100
/** How long an import that stopped early waits for the caller to finish before it closes the connection. */
const PATIENCE_MS = 2_000

function readSkip(query: string): number {
  const text = new URLSearchParams(query).get('skip') ?? '0'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidFields([{ field: 'skip', description: 'must be a number of lines' }])
}

function checkHeaders(exchange: Exchange): void {
  const contentType = exchange.header('content-type')
  if (mediaType(contentType) !== NDJSON || hasForeignCharset(contentType)) throw unsupportedType(NDJSON)
  if ((exchange.header('content-encoding') ?? 'identity') !== 'identity')
    throw unknownEncoding('accept-encoding', 'identity')
}

function failedLine(line: number, failure: Failure, userId?: string): string {
  const { status, id, explanation, violations = [] } = failure
  const message = explanation === undefined ? failure.message : `${failure.message}: ${explanation}`
  const fields = violations.length > 0 ? { violations: fittingViolations(violations) } : {}
  return JSON.stringify({ line, userId, status: 'failed', error: { code: status.code, id, message, ...fields } })
}

/** The dependencies of one import. */
interface ImportRunOptions {
  readonly exchange: Exchange
  readonly store: Pick<App['store'], 'asOneRequest'>
  readonly served: Served
  readonly importHuman: ImportHuman
  readonly intercept: Intercept | undefined
  readonly pace: Pace
  readonly admission: Admission | undefined
  currentRequest(): Promise<AuthorizedRequest>
  failureFor(error: unknown): Failure
}

/** One import: the lines of one request. */
class ImportRun {
  readonly #options: ImportRunOptions
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  #window: LineWindow | undefined
  /** gRPC code with which the import ended early, and what the caller is told of it. */
  #code = 0
  #reason: 'import.stopped' | 'import.too_slow' = 'import.stopped'
  /** Faults one after the other. */
  #faults = 0

  constructor(options: ImportRunOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.exchange.signal, this.#ending.signal])
  }

  /** Serves the whole import. Skips the first `skip` lines. */
  async serve(skip: number): Promise<void> {
    const { exchange, store, failureFor, pace } = this.#options
    const streaming = new StreamingExchange(() => this.#stop(STATUS.unavailable.code))
    const { source, sink } = exchange.openStream(200, ['content-type', NDJSON], streaming)
    // Each line is a request of its own: it sees what was written while the lines before it were sent.
    const answer = (line: Line) => store.asOneRequest(() => this.#answer(line))
    const window = new LineWindow({ source, sink, skip, answer, moved: () => streaming.move() })
    this.#window = window
    const unwatch = watchPace(
      pace,
      () => window.progress,
      () => this.#stopSlow(),
    )
    const next = await window.done.finally(unwatch)
    if (next !== undefined && this.#code !== 0) {
      const stopped = refused(importRefusals, this.#reason)
      if (!sink.destroyed) sink.write(`${failedLine(next, failureFor(stopped))}\n`)
      await exchange.awaitEndOfRequest(PATIENCE_MS)
    }
    exchange.closeStream(this.#code)
  }

  async #answer({ number: line, bytes }: Line): Promise<string> {
    const { exchange, served, importHuman, intercept, currentRequest, failureFor } = this.#options
    let userId: string | undefined
    try {
      await this.#takeTurn()
      if (bytes === undefined) throw tooLarge()
      const sent = served.codecs.json.read(bytes)
      userId = (sent as AddHumanUserRequest).userId
      const called = { served, authorized: await currentRequest(), head: exchange, intercept }
      const { message } = await admitMessage(called, sent)
      const currentCall = async () => (await currentRequest()).call
      const request = message as AddHumanUserRequest
      const imported = await importHuman({ request, currentCall, signal: this.#signal })
      this.#faults = 0
      return JSON.stringify({ line, ...imported })
    } catch (error) {
      const failure = failureFor(error)
      this.#judge(failure)
      return failedLine(line, failure, userId)
    }
  }

  /** Waits behind the other requests of an overloaded server. */
  async #takeTurn(): Promise<void> {
    const { admission, currentRequest } = this.#options
    if (admission?.isBusy !== true) return
    const { organizationId, userId } = (await currentRequest()).call.caller
    await admission.takeTurn('bulk', { group: organizationId, caller: userId })
  }

  /** Ends the import when the next lines would fail for the same reason. */
  #judge({ status }: Failure): void {
    this.#faults = status === STATUS.internal ? this.#faults + 1 : 0
    const isGeneral = status === STATUS.unavailable || status === STATUS.unauthenticated
    if (isGeneral || this.#faults >= FAULTS_IN_A_ROW) this.#stop(status.code)
  }

  #stopSlow(): void {
    this.#reason = 'import.too_slow'
    this.#stop(STATUS.unavailable.code)
  }

  #stop(code: number): void {
    this.#code ||= code
    this.#ending.abort()
    this.#window?.stop()
  }
}

/** The request of an import. It is authorized again from time to time, because a token can be revoked. */
async function openRequests(
  authorize: Authorize,
  method: Method,
  exchange: Exchange,
): Promise<() => Promise<AuthorizedRequest>> {
  let authorized = authorize(method, exchange)
  const { again, callerId } = await authorized
  exchange.callerId = callerId
  let authorizedAt = performance.now()
  return async () => {
    if (performance.now() - authorizedAt >= AUTHORIZED_MS) {
      authorizedAt = performance.now()
      authorized = again()
    }
    return authorized
  }
}

/** The route; one for each process. */
export function importRoute(options: ImportRouteOptions): StreamRoute {
  const { app, methods, authorize, intercept, log, admission, pace = LEAST_PACE } = options
  const method = methods.find(({ descriptor }) => descriptor === UserService.method.addHumanUser)
  const [served] = method === undefined ? [] : serveMethods([method])
  if (method === undefined || served === undefined) throw new Error('an import needs AddHumanUser')
  const places = openImportPlaces()

  return {
    verb: 'POST',
    path: '/v2/users/import',
    async serve(exchange) {
      exchange.method = served.name
      exchange.protocol = 'ndjson'
      const failureFor = (error: unknown) => failureOf(error, exchange, served.name, log)
      try {
        checkHeaders(exchange)
        const skip = readSkip(exchange.query)
        const currentRequest = await openRequests(authorize, method, exchange)
        const leave = places.take((await currentRequest()).call.caller.organizationId)
        if (leave === undefined) throw refused(importRefusals, 'import.too_many', { retryAfterSeconds: 10 })
        const importHuman = beginImport(app)
        const { store } = app
        const parts = { exchange, store, served, importHuman, intercept, pace, admission, currentRequest, failureFor }
        const run = new ImportRun(parts)
        await run.serve(skip).finally(leave)
      } catch (error) {
        if (exchange.isOver) return
        refuseRest(exchange, failureFor(error), served)
      }
    },
  }
}
