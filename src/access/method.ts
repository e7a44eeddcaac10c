/** The table of methods: a descriptor of the contract and the function of a module that serves it. */
import type {
  DescMethod,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf'
import type { Violation } from '../kernel/refusal.ts'
import type { Call } from './call.ts'

export interface Method {
  readonly descriptor: DescMethodUnary
  handle(message: unknown, call: Call): Promise<unknown>
  /**
   * What the handler would refuse about the fields alone. A request that breaks limits of the contract does not reach the
   * handler, and its reply names all invalid fields. Called only if no value is larger than the contract allows.
   */
  readonly violations?: ((message: unknown) => readonly Violation[]) | undefined
}

/** The caller of a stream. */
export interface StreamCaller {
  readonly call: Call
  /** Throws when the caller would be refused by now: a stream outlives the token, the role or the user that opened it. */
  confirm(): Promise<void>
}

/** A method whose reply is a stream of messages, or both of whose sides are; the latter is served over gRPC alone. */
export interface StreamMethod {
  readonly descriptor: DescMethodServerStreaming | DescMethodBiDiStreaming
  /**
   * The replies to these requests, in portions that are sent together. They should come to an end when the signal is aborted:
   * the server is about to stop. A portion that is given to several callers is encoded once.
   */
  serve(requests: AsyncIterable<unknown>, signal: AbortSignal, caller: StreamCaller): AsyncIterable<readonly unknown[]>
}

/** What authorization needs of a method. */
export interface AnyMethod {
  readonly descriptor: DescMethod
}

/** The functions that serve a service, or the part of it that one module serves. */
export type Implementation<Service extends DescService> = {
  readonly [Name in keyof Service['method']]?: Service['method'][Name] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (message: MessageShape<Input>, call: Call) => Promise<MessageInitShape<Output>>
    : never
}

/** The invalid fields of a request, for methods that know more about them than the contract. */
export type FieldChecks<Service extends DescService> = {
  readonly [Name in keyof Service['method']]?: (
    message: MessageShape<Service['method'][Name]['input']>,
  ) => readonly Violation[]
}

/** Pairs the functions of a module with their descriptors. */
export function methods<Service extends DescService>(
  service: Service,
  implementation: Implementation<Service>,
  checks: FieldChecks<Service> = {},
): readonly Method[] {
  return Object.entries(implementation).map(([name, handle]) => ({
    descriptor: service.method[name] as DescMethodUnary,
    handle: handle as Method['handle'],
    violations: checks[name] as Method['violations'],
  }))
}
