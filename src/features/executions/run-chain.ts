/**
 * Calls the targets of an execution one after the other, each with what the ones before it answered. Nothing here is inside a
 * write: whoever waits for a target holds nothing that others need.
 */
import { Refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { callTarget, findTarget, type LivingTarget, TargetFailed } from '../targets/index.ts'
import type { Execution } from './decider.ts'
import { queueCall } from './destinations.ts'
import { countCall, countQueued } from './metrics.ts'
import { executionRefusals } from './refusals.ts'

/** What changes along a chain, and how. */
export interface Chain<Data> {
  readonly execution: Execution
  readonly data: Data
  /** The JSON text that a target gets. */
  payloadOf(data: Data): string
  /** The data with an answer applied; undefined when the answer cannot be used. */
  apply(data: Data, answer: unknown): Data | undefined
  /** Ends when nobody waits any more, or when the budget is used up. */
  readonly signal: AbortSignal
  readonly owners: Owners
  /** Whether the caller may know which target failed, and why. */
  readonly isForAdministrator: boolean
}

/** What the caller learns: an administrator the target and its problem, everybody what the target wants them to. */
function refusalOf(target: Document<LivingTarget>, failed: TargetFailed, isForAdministrator: boolean): Refused {
  const [, sentence] = executionRefusals['execution.target_failed']
  const detailed = `The target ${target.state.name} (${target.id}) ${failed.message}.`
  const general = isForAdministrator ? detailed : sentence
  const message = failed.forwarded === undefined || failed.forwarded === '' ? general : failed.forwarded
  return new Refused('execution.target_failed', failed.kind, message, { reason: detailed })
}

async function callOne<Data>(app: App, target: Document<LivingTarget>, chain: Chain<Data>, data: Data): Promise<Data> {
  const payload = chain.payloadOf(data)
  if (target.state.type === 'async') {
    await queueCall(app, target, payload)
    countQueued(app, chain.execution)
    return data
  }
  return countCall(app, chain.execution, () => callAndApply(app, target, chain, data, payload))
}

async function callAndApply<Data>(
  app: App,
  target: Document<LivingTarget>,
  chain: Chain<Data>,
  data: Data,
  payload: string,
): Promise<Data> {
  const answer = await callTarget(app, target, payload, chain)
  if (target.state.type === 'webhook' || answer.type === 'empty') return data
  const applied = answer.type === 'json' ? chain.apply(data, answer.value) : undefined
  if (applied === undefined) throw new TargetFailed('precondition', 'answered with something that cannot be used')
  return applied
}

/** Runs a chain; throws the refusal of the first target that fails and interrupts. */
export async function runChain<Data>(app: App, chain: Chain<Data>): Promise<Data> {
  let { data } = chain
  for (const id of chain.execution.targetIds) {
    const target = await findTarget(app.store, id)
    // Deleted meanwhile.
    if (target === undefined) continue
    try {
      data = await callOne(app, target, chain, data)
    } catch (error) {
      if (!(error instanceof TargetFailed)) throw error
      const about = { targetId: id, condition: chain.execution.condition, problem: error.message }
      app.log.warn(about, 'a target of an action failed')
      if (target.state.interruptOnError) throw refusalOf(target, error, chain.isForAdministrator)
    }
  }
  return data
}
