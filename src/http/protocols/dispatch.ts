/**
 * What is the same in every protocol: authentication and permission, then the message and its limits, then the
 * handler, then the answer; and the deadline over all of it.
 */
import type { Message } from '@bufbuild/protobuf'
import type { Authorize } from '../../access/authorization.ts'
import type { Bounds } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { deadlineExceeded, Failed, type Failure, type Fault, failureOf } from './errors.ts'
import type { Served } from './served.ts'

/** A protocol: how a call comes in and how its answer goes out. */
export interface Protocol {
  readonly name: string
  /** How much of the body to read for messages of so many bytes; undefined when there is none to read. */
  readonly bounds: ((maxBytes: number) => Bounds) | undefined
  /** How long the caller waits, in milliseconds. */
  timeout(exchange: Exchange): number | undefined
  /** The request message. */
  read(exchange: Exchange, served: Served, body: Buffer): Message | Promise<Message>
  answer(exchange: Exchange, served: Served, message: Message): void | Promise<void>
  refuse(exchange: Exchange, failure: Failure, served?: Served): void
}

const NOTHING = Buffer.alloc(0)

/**
 * Waits for a body as long as the event loop serves what has already arrived, and no longer. Most bodies come with their
 * headers; then authorization and handler run in one turn and share what a turn reads. Others must not delay it.
 */
function atHand(reading: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const served = setImmediate(resolve)
    const go = () => {
      clearImmediate(served)
      resolve()
    }
    reading.then(go, go)
  })
}

/** Serves one call from beginning to end; never throws. */
export async function dispatch(
  authorize: Authorize,
  log: (fault: Fault) => void,
  exchange: Exchange,
  served: Served,
  protocol: Protocol,
): Promise<void> {
  exchange.method = served.name
  exchange.protocol = protocol.name
  try {
    exchange.startDeadline(protocol.timeout(exchange), () => protocol.refuse(exchange, deadlineExceeded, served))
    const bounds = protocol.bounds?.(served.maxBytes)
    // The body arrives while the caller is authorized, and is looked at only afterwards. A caller who waits for
    // permission to send it is authorized first.
    const isWaiting = exchange.header('expect') !== undefined
    const reading = bounds === undefined || isWaiting ? undefined : exchange.read(bounds)
    if (reading !== undefined) await atHand(reading)
    const authorized = await authorize(served.method, exchange)
    exchange.callerId = authorized.callerId
    const body = bounds === undefined ? NOTHING : await (reading ?? exchange.read(bounds))
    const read = protocol.read(exchange, served, body)
    const message = read instanceof Promise ? await read : read
    authorized.checkMessage(message)
    served.check(message)
    if (exchange.isOver) return
    if (exchange.isExpired) throw new Failed(deadlineExceeded)
    const answer = await served.method.handle(message, authorized.call)
    authorized.finish()
    if (exchange.isOver) return
    if (exchange.isExpired) throw new Failed(deadlineExceeded)
    await protocol.answer(exchange, served, served.complete(answer))
  } catch (error) {
    refuse(error, exchange, served, protocol, log)
  }
}

function refuse(
  error: unknown,
  exchange: Exchange,
  served: Served,
  protocol: Protocol,
  log: (fault: Fault) => void,
): void {
  // What a handler throws after it was told to stop follows from that.
  if (exchange.isOver) return
  try {
    protocol.refuse(exchange, failureOf(error, exchange.requestId, served.name, log), served)
  } catch (fault) {
    log({ error: fault, requestId: exchange.requestId, method: served.name })
  }
}
