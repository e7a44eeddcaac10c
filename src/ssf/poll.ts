/** Receivers fetch events (RFC 8936). One that waits holds a connection for a bounded time, and nothing else. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MOST_AT_ONCE, type Polled, pollStream, readStream, waitForEvents } from '../features/signal-streams/index.ts'
import type { PageAnswer } from '../http/page.ts'
import { Places } from '../kernel/share.ts'
import { jsonAnswer, SsfError } from './errors.ts'
import { headOf } from './head.ts'
import { type Body, invalid, readBody } from './stream-body.ts'
import { type Request, wrongVerb } from './streams.ts'

const LONGEST_WAIT_MS = 20_000
/** How many IDs one request can settle. */
const MOST_SETTLED = 1_000
/** A receiver needs one request that waits, and one that acknowledges. */
const MOST_POLLS = 4
const MOST_TOGETHER = 2_000

interface PollBody {
  readonly most: number
  readonly isImmediate: boolean
  readonly settled: readonly string[]
}

function settledIn({ ack = [], setErrs = {} }: Body): readonly string[] {
  const isList = Array.isArray(ack) && ack.every((one) => typeof one === 'string')
  const isMap = typeof setErrs === 'object' && setErrs !== null && !Array.isArray(setErrs)
  if (!isList || !isMap) throw invalid('ack must be a list of IDs, and setErrs an object by ID.')
  const settled = [...(ack as readonly string[]), ...Object.keys(setErrs as object)]
  if (settled.length > MOST_SETTLED) throw invalid(`At most ${MOST_SETTLED} events are acknowledged at once.`)
  return settled
}

function pollBody(body: Body): PollBody {
  const { maxEvents = MOST_AT_ONCE, returnImmediately = false } = body
  if (!Number.isInteger(maxEvents) || (maxEvents as number) < 0) throw invalid('maxEvents must be a number.')
  if (typeof returnImmediately !== 'boolean') throw invalid('returnImmediately must be true or false.')
  const most = Math.min(maxEvents as number, MOST_AT_ONCE)
  return { most, isImmediate: returnImmediately || most === 0, settled: settledIn(body) }
}

function answerOf({ sets, hasMore }: Pick<Polled, 'sets' | 'hasMore'>): PageAnswer {
  const body = { sets: Object.fromEntries(sets.map(({ jti, token }) => [jti, token])) }
  return jsonAnswer(200, { ...body, ...(hasMore && { moreAvailable: true }) })
}

/** Polls wait: 2,000 on a node, half of them of one organization, and 4 of one receiver. */
export const openPolls = () => new Places(MOST_TOGETHER, MOST_TOGETHER, MOST_POLLS)

function tooMany(): SsfError {
  return new SsfError(429, 'too_many_requests', `At most ${MOST_POLLS} polls at once.`, { 'retry-after': '1' })
}

const NOTHING = { sets: [], hasMore: false }

/** Polls once, with the rights that the receiver has now. */
async function pollOnce({ app, page, authorize }: Request, streamId: string, body: PollBody) {
  const stream = await readStream(app, await authorize(headOf(page), 'reads', true), streamId)
  const { status, delivery } = stream.state
  if (delivery.method !== 'poll') throw invalid('The events of this stream are pushed.')
  return { stream, polled: status === 'enabled' ? await pollStream(app, stream, body) : undefined }
}

/** Polls until there is something, or until the signal. */
async function pollPatiently(request: Request, streamId: string, body: PollBody, over: AbortSignal) {
  const { app } = request
  let { settled } = body
  for (;;) {
    // Its own scope of reads: role, stream and users are as they are now, not as they were when the wait began.
    const { stream, polled } = await app.store.asOneRequest(() => pollOnce(request, streamId, { ...body, settled }))
    if (polled === undefined) {
      if (!body.isImmediate) await sleep(LONGEST_WAIT_MS, undefined, { signal: over }).catch(() => {})
      return NOTHING
    }
    if (polled.sets.length > 0 || body.isImmediate || over.aborted) return polled
    settled = []
    await waitForEvents(app, stream, polled.lookedTo, over)
    if (over.aborted) return NOTHING
  }
}

/** `/ssf/v1/poll/{stream}` */
export async function servePoll(request: Request, polls: Places, streamId: string): Promise<PageAnswer> {
  const { app, page, authorize } = request
  if (page.method !== 'POST') throw wrongVerb('POST')
  const { caller } = await authorize(headOf(page), 'reads')
  const body = pollBody(await readBody(page))
  const limit = AbortSignal.timeout(Math.min(LONGEST_WAIT_MS, app.config.longestWaitMs))
  const over = AbortSignal.any([limit, page.signal])
  const { organizationId, userId } = caller
  const serve = async () => answerOf(await pollPatiently(request, streamId, body, over))
  return polls.run([organizationId, userId], tooMany, serve)
}
