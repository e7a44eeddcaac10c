/**
 * When the user was first asked for something in a flow. The engine makes a new interaction for each question and gives all
 * of one flow the same private `cid`; the time is kept in there.
 */
import { type Instant, instant } from '../../../kernel/instant.ts'

/** Separates the start of a flow from the engine's own ID of it. */
const MARK = '~'

interface Interaction {
  readonly cid?: unknown
}

/** When the flow of an interaction began; undefined when the interaction is the first of its flow and is not stored. */
export function flowStartOf({ cid }: Interaction): Instant | undefined {
  const [, started] = /^(\d+)~/.exec(String(cid ?? '')) ?? []
  return started === undefined ? undefined : instant(Number(started))
}

/** The payload of an interaction with the start of its flow, which is now if it is the first one. */
export function withFlowStart<Payload extends Interaction>(payload: Payload, now: Instant): Payload {
  if (flowStartOf(payload) !== undefined) return payload
  return { ...payload, cid: `${now}${MARK}${String(payload.cid ?? '')}` }
}
