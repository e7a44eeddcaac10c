/** A method: its descriptor in the contract, and the function of a module that implements it. */
import type { DescMethodUnary, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { Call } from './call.ts'

export interface Method {
  readonly descriptor: DescMethodUnary
  handle(message: unknown, call: Call): Promise<unknown>
}

/** The functions that implement a service, or the part of it that one module implements. */
export type Implementation<Service extends DescService> = {
  readonly [Name in keyof Service['method']]?: Service['method'][Name] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (message: MessageShape<Input>, call: Call) => Promise<MessageInitShape<Output>>
    : never
}

/** Pairs the functions of a module with their descriptors. */
export function methods<Service extends DescService>(
  service: Service,
  implementation: Implementation<Service>,
): readonly Method[] {
  return Object.entries(implementation).map(([name, handle]) => ({
    descriptor: service.method[name] as DescMethodUnary,
    handle: handle as Method['handle'],
  }))
}
