/**
 * What is the same in every protocol: authentication and permission, then the message and its limits, then the
 * operation, then the answer; and the deadline over all of it.
 */
import type { Message } from '@bufbuild/protobuf'
import type { Authorize } from '../../access/admit.ts'
import type { Bounds } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { deadlineExceeded, type Failure, type Fault, failureOf } from './errors.ts'
import type { Served } from './served.ts'

/** A protocol: how a call comes in and how its answer goes out. */
export interface Clothes {
  readonly name: string
  /** How much of the body to read; undefined when there is none to read. */
  readonly bounds: Bounds | undefined
  /** How long the caller waits, in milliseconds. */
  timeout(exchange: Exchange): number | undefined
  /** The request message. */
  read(exchange: Exchange, served: Served, body: Buffer): Message | Promise<Message>
  answer(exchange: Exchange, served: Served, message: Message): void | Promise<void>
  refuse(exchange: Exchange, failure: Failure, served?: Served): void
}

/** What every call needs beside itself. */
export interface Dispatch {
  readonly admit: Authorize
  readonly log: (fault: Fault) => void
}

const NOTHING = Buffer.alloc(0)

/**
 * Waits for a body as long as the event loop serves what has already arrived, and no longer. Most bodies come with their
 * headers; then gate and operation run in one turn and share what a turn reads. Others must not keep the gate waiting.
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
  { admit, log }: Dispatch,
  exchange: Exchange,
  served: Served,
  clothes: Clothes,
): Promise<void> {
  exchange.method = served.name
  exchange.protocol = clothes.name
  try {
    exchange.startDeadline(clothes.timeout(exchange), () => clothes.refuse(exchange, deadlineExceeded, served))
    const { bounds } = clothes
    // The body arrives while the gate decides; it is looked at only by those whom the gate lets in. Who asked for leave
    // to send it has that of the gate first.
    const isAsking = exchange.header('expect') !== undefined
    const reading = bounds === undefined || isAsking ? undefined : exchange.read(bounds)
    if (reading !== undefined) await atHand(reading)
    const admission = await admit(served.method, exchange)
    exchange.callerId = admission.callerId
    const body = bounds === undefined ? NOTHING : await (reading ?? exchange.read(bounds))
    const read = clothes.read(exchange, served, body)
    const message = read instanceof Promise ? await read : read
    admission.checkMessage(message)
    served.check(message)
    if (exchange.isOver) return
    const answer = await served.method.handle(message, admission.call)
    admission.finish()
    if (exchange.isOver) return
    await clothes.answer(exchange, served, served.complete(answer))
  } catch (error) {
    refuse(error, exchange, served, clothes, log)
  }
}

function refuse(
  error: unknown,
  exchange: Exchange,
  served: Served,
  clothes: Clothes,
  log: (fault: Fault) => void,
): void {
  // Whatever a handler throws after it was told to stop is the echo of that.
  if (exchange.isOver) return
  try {
    clothes.refuse(exchange, failureOf(error, exchange.requestId, served.name, log), served)
  } catch (fault) {
    log({ error: fault, requestId: exchange.requestId, method: served.name })
  }
}
