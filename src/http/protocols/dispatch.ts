/**
 * The steps that all protocols share: authentication and permission, the message and its limits, the handler, and the
 * response; with one deadline for all of them.
 */
import type { Message } from '@bufbuild/protobuf'
import type { Authorize, AuthorizedRequest } from '../../access/authorization.ts'
import type { Call, RequestHead } from '../../access/call.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Bounds } from '../body.ts'
import { failureAsSent } from '../codec/as-sent.ts'
import { unknownFieldsBeside } from '../codec/unknown-fields.ts'
import type { Exchange } from '../exchange.ts'
import { deadlineExceeded, Failed, type Failure, type Fault, failureOf } from './errors.ts'
import type { Intercept, Intercepted } from './interception.ts'
import type { Served } from './served.ts'

/** A protocol: how a call is read and how its result is written. */
export interface Protocol {
  readonly name: string
  /** How much of the body to read for messages of that many bytes; undefined when there is none to read. */
  readonly bounds: ((maxBytes: number) => Bounds) | undefined
  /** How long the caller waits, in milliseconds. */
  timeout(exchange: Exchange): number | undefined
  /** Reads the request message. */
  read(exchange: Exchange, served: Served, body: Buffer): Message | Promise<Message>
  answer(exchange: Exchange, served: Served, message: Message): void | Promise<void>
  refuse(exchange: Exchange, failure: Failure, served?: Served): void
}

const NOTHING = Buffer.alloc(0)

let started: (() => void)[] = []

function continueStarted(): void {
  const all = started
  started = []
  for (const go of all) go()
}

/**
 * Waits until the event loop has processed the data that has already arrived: most bodies arrive with their headers. The
 * requests that arrived together then continue together, so that they share one check of the store's cache. Other bodies
 * do not delay it.
 */
export function arrivalsOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (started.push(resolve) === 1) setImmediate(continueStarted)
  })
}

function ignore(): void {}

/** Throws when a message breaks its limits; a caller who lacks the permission on its target learns that instead. */
async function checkLimits(served: Served, authorized: AuthorizedRequest, message: Message): Promise<void> {
  try {
    served.check(message)
  } catch (error) {
    await authorized.checkTarget(message)
    throw error
  }
}

type Step = 'parsed' | 'handled'

/** A call that is authorized, with what is called before and after its handler. */
export interface AuthorizedCall {
  readonly served: Served
  readonly authorized: AuthorizedRequest
  readonly head: RequestHead
  readonly intercept: Intercept | undefined
}

/**
 * What follows in every protocol when a call is authorized and its message was read: actions before it, the limits, the
 * handler, whether that checked the permission, and actions after it. Before each step that costs something, `proceed` can
 * end it; then there is no answer.
 */
export async function serveMessage(called: AuthorizedCall, message: Message): Promise<Message>
export async function serveMessage(
  called: AuthorizedCall,
  message: Message,
  proceed: (step: Step) => boolean,
): Promise<Message | undefined>
export async function serveMessage(
  { served, authorized, head, intercept }: AuthorizedCall,
  sent: Message,
  proceed: (step: Step) => boolean = () => true,
): Promise<Message | undefined> {
  const { message, intercepted } = await admitMessage({ served, authorized, head, intercept }, sent)
  if (!proceed('parsed')) return undefined
  const answer = await served.method.handle(message, authorized.call)
  const isWanted = proceed('handled')
  authorized.finish()
  if (!isWanted) return undefined
  const complete = served.complete(answer)
  return intercepted === undefined ? complete : intercepted.after(message, complete)
}

/** A message that its handler may get, with the actions after it. */
export interface AdmittedMessage {
  readonly message: Message
  readonly intercepted: Intercepted | undefined
}

/** What happens to every message before its handler: permission, then the actions before it, then the limits. */
export async function admitMessage(
  { served, authorized, head, intercept }: AuthorizedCall,
  sent: Message,
): Promise<AdmittedMessage> {
  await authorized.checkMessage(sent)
  const intercepted = await intercept?.(served, authorized.call, head)
  const message = intercepted === undefined ? sent : await changeRequest(intercepted, authorized, sent)
  await checkLimits(served, authorized, message)
  return { message, intercepted }
}

/** The request after the actions before it. They may change whom it is about, so that is checked before and after. */
async function changeRequest(intercepted: Intercepted, authorized: AuthorizedRequest, sent: Message): Promise<Message> {
  await authorized.checkTarget(sent)
  const message = await intercepted.before(sent)
  if (message !== sent) await authorized.checkMessage(message)
  return message
}

export interface DispatchOptions {
  readonly authorize: Authorize
  readonly intercept: Intercept | undefined
  readonly log: (fault: Fault) => void
}

/** Serves one call from beginning to end; never throws. */
export async function dispatch(
  { authorize, intercept, log }: DispatchOptions,
  exchange: Exchange,
  served: Served,
  protocol: Protocol,
): Promise<void> {
  exchange.method = served.name
  exchange.protocol = protocol.name
  let sent: Buffer | undefined
  let call: Call | undefined
  try {
    exchange.startDeadline(protocol.timeout(exchange), () => protocol.refuse(exchange, deadlineExceeded, served))
    const bounds = protocol.bounds?.(served.maxBytes)
    // The body arrives while the caller is authorized, and is looked at only afterwards. A caller who waits for
    // permission to send it is authorized first.
    const isWaiting = exchange.header('expect') !== undefined
    const reading = bounds === undefined || isWaiting ? undefined : exchange.read(bounds)
    // A body that is refused is reported below.
    reading?.catch(ignore)
    await arrivalsOfTurn()
    const authorized = await authorize(served.method, exchange)
    exchange.callerId = authorized.callerId
    call = authorized.call
    exchange.authorizedAt = performance.now()
    const body = bounds === undefined ? NOTHING : await (reading ?? exchange.read(bounds))
    sent = body
    const read = protocol.read(exchange, served, body)
    const message = read instanceof Promise ? await read : read
    exchange.unknownFields = unknownFieldsBeside(message)
    const called = { served, authorized, head: exchange, intercept }
    const answer = await serveMessage(called, message, (step) => proceed(exchange, step))
    if (answer !== undefined) await protocol.answer(exchange, served, answer)
  } catch (error) {
    if (error instanceof Refused)
      exchange.reason = error.reason ?? (error.kind === 'forbidden' ? call?.missing : undefined)
    refuse(error, exchange, { served, protocol, log, sent })
  }
}

/** Whether somebody still waits for the answer. Throws when the deadline has passed. */
function proceed(exchange: Exchange, step: Step): boolean {
  if (step === 'handled') exchange.handledAt = performance.now()
  if (exchange.isOver) return false
  if (exchange.isExpired) throw new Failed(deadlineExceeded)
  if (step === 'parsed') exchange.parsedAt = performance.now()
  return true
}

function refuse(
  error: unknown,
  exchange: Exchange,
  {
    served,
    protocol,
    log,
    sent,
  }: {
    readonly served: Served
    readonly protocol: Protocol
    readonly log: (fault: Fault) => void
    readonly sent: Buffer | undefined
  },
): void {
  // Errors of a handler after its abort are a result of the abort.
  if (exchange.isOver) return
  try {
    const failure = failureOf(error, exchange, served.name, log)
    protocol.refuse(
      exchange,
      failureAsSent(failure, served.method.descriptor.input, { body: sent, query: exchange.query }),
      served,
    )
  } catch (fault) {
    log({ error: fault, requestId: exchange.requestId, method: served.name })
  }
}
