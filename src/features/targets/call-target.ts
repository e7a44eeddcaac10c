/** One call of a target: signed, only to allowed addresses, without following redirects. */
import type { RefusalKind } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import { OutboundFailed, type OutboundProblem } from '../../outbound/fetch.ts'
import type { Document } from '../../store/index.ts'
import { signJwt } from '../web-keys/index.ts'
import type { LivingTarget } from './decider.ts'
import { signingKeyOf } from './documents.ts'
import { TargetFailed } from './failure.ts'
import { gatesOf } from './gate.ts'
import { encryptFor } from './public-key.ts'
import { signatureHeaders } from './signing-key.ts'
import { shownAddress, whyUnreachable } from './unreachable.ts'

/** The largest answer that is read. */
const MOST_ANSWER_BYTES = 1024 * 1024
/** The longest message of a target that its callers see. */
const LONGEST_FORWARDED = 500

export interface PreparedCall {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The payload in the form that the target wants. */
async function bodyFor(app: App, { state }: Document<LivingTarget>, payload: string): Promise<string> {
  if (state.payloadType === 'json') return payload
  const token = await signJwt(app, JSON.parse(payload) as Record<string, unknown>)
  if (state.payloadType === 'jwt') return token
  const now = app.clock()
  const key = state.publicKeys.find(({ isActive, expiresAt }) => isActive && (expiresAt ?? now + 1) > now)
  if (key === undefined) throw new TargetFailed('precondition', 'has no active public key')
  return encryptFor(key.keyId, key.publicKey, token)
}

/** What is sent to a target for a payload. `messageId` stays the same when the call is repeated. */
export async function prepareCall(
  app: App,
  target: Document<LivingTarget>,
  payload: string,
  messageId: string,
): Promise<PreparedCall> {
  const { endpoint, signatureType } = target.state
  const problem = endpointProblem(endpoint, app.config.allowsPrivateNetwork)
  if (problem !== undefined) throw new TargetFailed('unknown', `has an endpoint that ${problem}`)
  const body = await bodyFor(app, target, payload)
  const signingKey = await signingKeyOf(app, target)
  const signature = signatureHeaders({ signatureType, signingKey, messageId, at: app.clock(), body })
  return { endpoint, headers: { 'content-type': 'application/json', ...signature }, body }
}

const PROBLEMS: Readonly<Record<OutboundProblem, string>> = {
  address_forbidden: 'has an address that is not allowed',
  too_many_redirects: 'answered with a redirect',
  too_large: 'answered with more than is allowed',
  too_slow: 'did not answer in time',
  encoded: 'answered in a content coding that was not asked for',
  unreachable: 'could not be reached',
}

/** `hasEnded`: nobody waits any more, which is not the fault of the target and must not close its gate. */
function failureOf(error: unknown, endpoint: string, hasEnded: boolean): TargetFailed {
  if (!(error instanceof OutboundFailed)) throw error
  const isUnreachable = !hasEnded && (error.problem === 'too_slow' || error.problem === 'unreachable')
  const why = error.problem === 'unreachable' ? whyUnreachable(error) : undefined
  const problem = `${PROBLEMS[error.problem]} at ${shownAddress(endpoint)}${why === undefined ? '' : ` (${why})`}`
  return new TargetFailed('unknown', problem, { isUnreachable })
}

const FORWARDED: ReadonlyMap<number, RefusalKind> = new Map([
  [400, 'invalid'],
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [429, 'exhausted'],
])

function forwardedKind(status: unknown): RefusalKind {
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499) return 'precondition'
  return FORWARDED.get(status) ?? 'unknown'
}

/** Throws when an answer says that the caller shall get an error. */
function checkForwarded(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return
  const { forwardedStatusCode: status, forwardedErrorMessage: message } = answer as Readonly<Record<string, unknown>>
  const text = typeof message === 'string' ? message : ''
  if ((status === undefined || status === 0) && text === '') return
  // It is sent in a header: no control characters.
  const forwarded = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, LONGEST_FORWARDED)
  throw new TargetFailed(forwardedKind(status), `forwarded the status ${String(status).slice(0, 20)}`, { forwarded })
}

/** What a target answered: nothing, JSON, or something that cannot be read. */
export type TargetAnswer =
  | { readonly type: 'empty' }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'unreadable' }

function answerOf(text: string): TargetAnswer {
  if (text.trim() === '') return { type: 'empty' }
  try {
    return { type: 'json', value: JSON.parse(text) as unknown }
  } catch {
    return { type: 'unreadable' }
  }
}

/** Calls a target and waits for its answer, at most for its own timeout. Throws `TargetFailed`. */
export async function callTarget(
  app: App,
  target: Document<LivingTarget>,
  payload: string,
  { owners, signal }: { readonly owners: Owners; readonly signal: AbortSignal },
): Promise<TargetAnswer> {
  return gatesOf(app).pass(target.id, owners, async () => {
    const { endpoint, headers, body } = await prepareCall(app, target, payload, `msg_${app.newId()}`)
    // A little less than a request may wait, so that a target with a longer timeout is found to be dead, too.
    const timeoutMs = Math.min(target.state.timeoutMs, Math.floor(app.config.longestWaitMs * 0.95))
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await app
      .fetchOutside(endpoint, { method: 'POST', headers, body, mostBytes: MOST_ANSWER_BYTES, signal: limit })
      .catch((error: unknown) => {
        throw failureOf(error, endpoint, signal.aborted)
      })
    if (!response.ok) throw new TargetFailed('precondition', `answered with status ${response.status}`)
    const answer = answerOf(await response.text())
    if (answer.type === 'json') checkForwarded(answer.value)
    return answer
  })
}
