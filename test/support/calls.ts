/** Calls methods like the server does (authorization, limits, handler, response), but without a network. */
import type { DescMessage } from '@bufbuild/protobuf'
import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { Authorize } from '../../src/access/authorization.ts'
import type { Method } from '../../src/access/method.ts'
import { limitsOf } from '../../src/http/codec/validate.ts'

/** The options of a call besides the message. */
export interface CallOptions {
  readonly bearer?: string
  /** The organization in the header. */
  readonly organizationId?: string
}

/** Calls a method and returns its response as a client would receive it. */
export type CallMethod = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
  request?: CallOptions,
) => Promise<MessageShape<Output>>

/** Calls these methods, each as far as authorization lets it. */
export function callMethods(methods: readonly Method[], authorize: Authorize): CallMethod {
  const byDescriptor = new Map<unknown, Method>(methods.map((method) => [method.descriptor, method]))
  return async (descriptor, init, { bearer, organizationId } = {}) => {
    const method = byDescriptor.get(descriptor)
    if (method === undefined) throw new Error(`${descriptor.name} has no implementation`)
    const headers = new Map<string, string>()
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`)
    if (organizationId !== undefined) headers.set('x-service-orgid', organizationId)
    const { call, checkMessage, checkTarget, finish } = await authorize(method, {
      verb: 'POST',
      path: `/${descriptor.parent.typeName}/${descriptor.name}`,
      header: (name) => headers.get(name),
      requestId: 'test',
      signal: new AbortController().signal,
    })
    const message = create(descriptor.input, init)
    await checkMessage(message)
    try {
      limitsOf(descriptor.input)(message)
    } catch (error) {
      await checkTarget(message)
      throw error
    }
    const reply = await method.handle(message, call)
    finish()
    const { output } = descriptor
    return fromBinary(output, toBinary(output, create(output, reply as MessageInitShape<typeof output>)))
  }
}
