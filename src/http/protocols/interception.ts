/**
 * Executions of actions before and after methods, in all protocols alike: after the permission and before the limits of the
 * message, and after the handler succeeded.
 */
import type { DescMessage, Message } from '@bufbuild/protobuf'
import { Health } from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import { ActionService } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { Call, RequestHead } from '../../access/call.ts'
import { isReading } from '../../access/requirement.ts'
import {
  budgetOfCall,
  type CalledMethod,
  interceptionOf,
  interceptRequest,
  interceptResponse,
  type ShownMessage,
} from '../../features/executions/index.ts'
import type { App } from '../../module/app.ts'
import { declaredJson } from '../codec/declared-order.ts'
import { type HeldBack, holdBack, putBack } from '../codec/held-back.ts'
import { jsonReader } from '../codec/json-reader.ts'
import { unknownFieldsBeside } from '../codec/unknown-fields.ts'
import { serviceNames, THEIRS } from './aliases.ts'
import { Failed } from './errors.ts'
import type { Served } from './served.ts'

/** What is called before and after the handler of one call. */
export interface Intercepted {
  /** The request as the targets left it. */
  before(message: Message): Promise<Message>
  /** The response as the targets left it. */
  after(request: Message, response: Message): Promise<Message>
}

/** Undefined when nothing is to be called. */
export type Intercept = (served: Served, call: Call, head: RequestHead) => Promise<Intercepted | undefined>

/** The headers that targets see, by the names that they get. */
const SHOWN_HEADERS = [
  ['Content-Type', 'content-type'],
  ['Host', 'host'],
  ['Origin', 'origin'],
  ['X-Forwarded-For', 'x-forwarded-for'],
  ['X-Forwarded-Host', 'x-forwarded-host'],
] as const

function shownHeaders(head: RequestHead): Readonly<Record<string, readonly string[]>> {
  const headerOf = (name: string) =>
    name === 'host' ? (head.header(':authority') ?? head.header(name)) : head.header(name)
  return Object.fromEntries(
    SHOWN_HEADERS.flatMap(([shown, name]) => {
      const value = headerOf(name)
      return value === undefined ? [] : [[shown, [value]]]
    }),
  )
}

interface MethodNames {
  readonly services: readonly string[]
  readonly method: string
}

const names = new WeakMap<Served, MethodNames>()

/** All names of a method: a condition under one of them applies to calls by any, or it could be evaded. */
function namesOf(served: Served): MethodNames {
  const known = names.get(served)
  if (known !== undefined) return known
  const { parent, name } = served.method.descriptor
  // Theirs first, of the version that is served.
  const all = serviceNames(parent.typeName)
  const services = [...all.filter(([, prefix]) => prefix === THEIRS), ...all.filter(([, prefix]) => prefix !== THEIRS)]
  const made = { services: services.map(([service]) => service), method: name }
  names.set(served, made)
  return made
}

function keysOf(type: 'request' | 'response', services: readonly string[], method: string): readonly string[] {
  return [...services.map((name) => `${type}/${name}/${method}`), ...services.map((name) => `${type}/${name}`), type]
}

/** The method as it was called: its name in payloads is that of existing clients, of the version that they called. */
function calledMethod(served: Served, head: RequestHead): CalledMethod {
  const { services, method } = namesOf(served)
  const asCalled = services.find((name) => name.startsWith(THEIRS) && head.path === `/${name}/${method}`)
  const ordered = asCalled === undefined ? services : [asCalled, ...services.filter((name) => name !== asCalled)]
  return {
    requestKeys: keysOf('request', ordered, method),
    responseKeys: keysOf('response', ordered, method),
    fullMethod: `/${ordered[0]}/${method}`,
    get headers() {
      return shownHeaders(head)
    },
  }
}

/**
 * The calls that change targets and executions are never held up: with a dead target before every request, nobody could
 * take it away again. Nor are those that ask whether the server works: they are answered when the database does not.
 */
function isNeverHeldUp({ method: { descriptor } }: Served): boolean {
  const { typeName } = descriptor.parent
  return typeName === Health.typeName || (typeName === ActionService.typeName && !isReading(descriptor))
}

function shownMessage(desc: DescMessage, { shown, paths }: HeldBack): ShownMessage {
  return { json: declaredJson(desc, shown), heldBack: paths }
}

/** Reads the message that a target sent instead; undefined when it is none. */
function replacement(desc: DescMessage, before: Message, json: unknown): Message | undefined {
  try {
    const message = jsonReader(desc)(json)
    if (unknownFieldsBeside(message) !== undefined) return undefined
    putBack(desc, message, holdBack(desc, before).values)
    return message
  } catch (error) {
    if (error instanceof Failed) return undefined
    throw error
  }
}

/** The methods of a message for a chain of targets. */
function messageOf(desc: DescMessage, message: Message) {
  return {
    message,
    show: (current: Message) => shownMessage(desc, holdBack(desc, current)),
    replace: (before: Message, json: unknown) => replacement(desc, before, json),
  }
}

/** Opens the executions of an app. */
export function openInterception(app: App): Intercept {
  return async (served, call, head) => {
    if (isNeverHeldUp(served)) return undefined
    const found = await interceptionOf(app, () => calledMethod(served, head))
    if (found === undefined) return undefined
    const { input, output } = served.method.descriptor
    const { method, request: beforeIt, response: afterIt } = found
    const intercepted = { method, call, budget: budgetOfCall(app, call) }
    return {
      before: async (message) =>
        beforeIt === undefined
          ? message
          : interceptRequest(app, intercepted, { execution: beforeIt, ...messageOf(input, message) }),
      after: async (request, response) =>
        afterIt === undefined
          ? response
          : interceptResponse(app, intercepted, shownMessage(input, holdBack(input, request)), {
              execution: afterIt,
              ...messageOf(output, response),
            }),
    }
  }
}
