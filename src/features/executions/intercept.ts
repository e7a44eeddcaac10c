/** Executions before and after methods. Messages are JSON here: reading and writing them is for those who serve methods. */

import type { Call } from '../../access/call.ts'
import type { Owners } from '../../kernel/share.ts'
import type { App } from '../../module/app.ts'
import { budgetOf } from './budget.ts'
import type { Execution } from './decider.ts'
import { executionTable } from './documents.ts'
import { goJson, withoutEmpty } from './go-json.ts'
import { runChain } from './run-chain.ts'

/** A method by its names: as it was called, then the others, without a slash at the start. */
export interface CalledMethod {
  /** The keys of conditions about requests, the most exact first, and of those about responses. */
  readonly requestKeys: readonly string[]
  readonly responseKeys: readonly string[]
  /** The name that payloads have, with a slash at the start. */
  readonly fullMethod: string
  /** The name of a header as it is sent on, and its values. */
  readonly headers: Readonly<Record<string, readonly string[]>>
}

/** A message as targets see it. */
export interface ShownMessage {
  readonly json: unknown
  /** Paths of what is not shown. */
  readonly heldBack: readonly string[]
}

/** Applies the answer of a target to a message; undefined when it cannot be used. */
export type Replace<Message> = (before: Message, json: unknown) => Message | undefined

export interface Interception {
  readonly method: CalledMethod
  /** What calls of a target may change about the request, before it is checked. */
  readonly request: Execution | undefined
  readonly response: Execution | undefined
}

/** What is to be called for a method; undefined when there is nothing, as nearly always. Then nothing else is looked at. */
export async function interceptionOf(app: App, methodOf: () => CalledMethod): Promise<Interception | undefined> {
  const table = await executionTable(app)
  if (!table.has('request') && !table.has('response')) return undefined
  const method = methodOf()
  const request = table.find(method.requestKeys)
  const response = table.find(method.responseKeys)
  return request === undefined && response === undefined ? undefined : { method, request, response }
}

export interface InterceptedCall {
  readonly method: CalledMethod
  readonly call: Call
  /** For all targets of the request together, see `budgetOf`. */
  readonly budget: AbortSignal
}

/** The time that all targets of a call have together. */
export function budgetOfCall(app: App, call: Call): AbortSignal {
  return budgetOf(app, call.signal)
}

function payloadOf(
  app: App,
  { method, call }: InterceptedCall,
  request: ShownMessage,
  response?: ShownMessage | undefined,
): string {
  const { fullMethod, headers } = method
  const caller = call.isAnonymous ? undefined : call.caller
  const heldBack = [
    ...request.heldBack.map((path) => `request.${path}`),
    ...(response?.heldBack.map((path) => `response.${path}`) ?? []),
  ]
  return goJson({
    ...withoutEmpty({
      fullMethod,
      instanceID: app.instanceId,
      orgID: call.organizationId,
      projectID: caller?.projectId,
      userID: caller?.userId,
    }),
    request: request.json,
    ...(response !== undefined && { response: response.json }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(heldBack.length > 0 && { heldBack }),
  })
}

export interface MessageChain<Message> {
  readonly execution: Execution
  readonly message: Message
  show(message: Message): ShownMessage
  readonly replace: Replace<Message>
}

/** Who may see targets learns which one failed. */
function isForAdministrator({ instanceId }: App, call: Call): boolean {
  return !call.isAnonymous && call.may('action.target.read', instanceId)
}

/** Whose share of the calls of a target it takes. */
function ownersOf(call: Call): Owners {
  return call.isAnonymous ? [''] : [call.caller.organizationId, call.caller.userId]
}

/** Calls the targets for a request. Returns the request as they left it. */
export function interceptRequest<Message>(
  app: App,
  intercepted: InterceptedCall,
  { execution, message, show, replace }: MessageChain<Message>,
): Promise<Message> {
  return runChain(app, {
    execution,
    data: message,
    payloadOf: (current) => payloadOf(app, intercepted, show(current)),
    apply: replace,
    signal: intercepted.budget,
    owners: ownersOf(intercepted.call),
    isForAdministrator: isForAdministrator(app, intercepted.call),
  })
}

/** Calls the targets for a response; they also see the request. Returns the response as they left it. */
export function interceptResponse<Message>(
  app: App,
  intercepted: InterceptedCall,
  request: ShownMessage,
  { execution, message, show, replace }: MessageChain<Message>,
): Promise<Message> {
  return runChain(app, {
    execution,
    data: message,
    payloadOf: (current) => payloadOf(app, intercepted, request, show(current)),
    apply: replace,
    signal: intercepted.budget,
    owners: ownersOf(intercepted.call),
    isForAdministrator: isForAdministrator(app, intercepted.call),
  })
}
