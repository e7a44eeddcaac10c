/**
 * `POST /v2/users/import`: one AddHumanUserRequest a line, one result a line, both while the other is still on its way.
 * Every line is read, limited, permitted and added as a call of AddHumanUser would be, and fails alone.
 */
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { App } from '../../access/app.ts'
import type { Authorize } from '../../access/authorization.ts'
import type { Call } from '../../access/call.ts'
import type { Method } from '../../access/method.ts'
import { beginImport, importRefusals } from '../../features/imports/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Exchange } from '../exchange.ts'
import { StreamingExchange } from '../exchange-streaming.ts'
import { hasForeignCharset, mediaType } from '../protocols/content-type.ts'
import { fittingViolations } from '../protocols/error-details.ts'
import { type Failure, type Fault, failureOf, invalidFields, tooLarge, unknownEncoding } from '../protocols/errors.ts'
import { refuseRest, unsupportedType } from '../protocols/rest.ts'
import { serveMethods } from '../protocols/served.ts'
import { STATUS } from '../protocols/status.ts'
import type { StreamRoute } from '../router.ts'
import { openLineWindow } from './line-window.ts'
import { type Line, NDJSON } from './ndjson.ts'

export interface ImportRouteOptions {
  readonly app: App
  /** Those of the app; AddHumanUser must be among them. */
  readonly methods: readonly Method[]
  readonly authorize: Authorize
  readonly log: (fault: Fault) => void
}

/** Each may have a whole window of lines at work: more of them would leave no place for others. */
const IMPORTS_AT_ONCE = 4
/** How long a caller counts as authorized: a revoked token ends the import soon after. */
const AUTHORIZED_MS = 1_000
/** So many faults one after the other are not the fault of lines. */
const FAULTS_IN_A_ROW = 100
/** How long an import that stopped early lets the caller come to an end before it is cut off. */
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

/** The route; one for each process. */
export function importRoute({ app, methods, authorize, log }: ImportRouteOptions): StreamRoute {
  const method = methods.find(({ descriptor }) => descriptor === UserService.method.addHumanUser)
  const [served] = method === undefined ? [] : serveMethods([method])
  if (method === undefined || served === undefined) throw new Error('an import needs AddHumanUser')
  const stopped = refused(importRefusals, 'import.stopped')
  let running = 0

  /** The call, authorized again from time to time: its time moves on, and a token may be revoked. */
  const openCalls = async (exchange: Exchange): Promise<() => Promise<Call>> => {
    let authorized = authorize(method, exchange)
    exchange.callerId = (await authorized).callerId
    let authorizedAt = Date.now()
    return async () => {
      if (Date.now() - authorizedAt >= AUTHORIZED_MS) {
        authorizedAt = Date.now()
        authorized = authorize(method, exchange)
      }
      return (await authorized).call
    }
  }

  const serve = async (exchange: Exchange, skip: number, currentCall: () => Promise<Call>): Promise<void> => {
    const failureFor = (error: unknown) => failureOf(error, exchange.requestId, served.name, log)

    const importHuman = beginImport(app)
    const ending = new AbortController()
    const signal = AbortSignal.any([exchange.signal, ending.signal])
    let code = 0
    let faults = 0
    const stop = (reason: number) => {
      code ||= reason
      ending.abort()
      window.stop()
    }

    /** What was refused for a reason that will meet the next lines too ends the import. */
    const judge = ({ status }: Failure): void => {
      faults = status === STATUS.internal ? faults + 1 : 0
      const isGeneral = status === STATUS.unavailable || status === STATUS.unauthenticated
      if (isGeneral || faults >= FAULTS_IN_A_ROW) stop(status.code)
    }

    const answer = async ({ number: line, bytes }: Line): Promise<string> => {
      let userId: string | undefined
      try {
        if (bytes === undefined) throw tooLarge()
        const request = served.codecs.json.read(bytes) as AddHumanUserRequest
        userId = request.userId
        served.check(request)
        const imported = await importHuman({ request, currentCall, signal })
        faults = 0
        return JSON.stringify({ line, ...imported })
      } catch (error) {
        const failure = failureFor(error)
        judge(failure)
        return failedLine(line, failure, userId)
      }
    }

    const streaming = new StreamingExchange(() => stop(STATUS.unavailable.code))
    const { source, sink } = exchange.openStream(200, ['content-type', NDJSON], streaming)
    const moved = () => streaming.move()
    const window = openLineWindow({ source, sink, skip, answer, moved })
    const next = await window.done
    if (next !== undefined && code !== 0) {
      if (!sink.destroyed) sink.write(`${failedLine(next, failureFor(stopped))}\n`)
      await exchange.awaitEndOfRequest(PATIENCE_MS)
    }
    exchange.closeStream(code)
  }

  return {
    path: '/v2/users/import',
    async serve(exchange) {
      exchange.method = served.name
      exchange.protocol = 'ndjson'
      try {
        checkHeaders(exchange)
        const skip = readSkip(exchange.query)
        const currentCall = await openCalls(exchange)
        if (running >= IMPORTS_AT_ONCE) throw refused(importRefusals, 'import.too_many', { retryAfterSeconds: 10 })
        running++
        await serve(exchange, skip, currentCall).finally(() => running--)
      } catch (error) {
        if (exchange.isOver) return
        refuseRest(exchange, failureOf(error, exchange.requestId, served.name, log), served)
      }
    },
  }
}
