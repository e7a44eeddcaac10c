/**
 * The resources of a project: the APIs that access tokens can be for (RFC 8707). Stream: `resources`, with the ID of its
 * project. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export interface ResourceScope {
  readonly key: string
  /** A sentence for those who are asked for their consent. */
  readonly description: string
}

/** A type of rich authorization requests (RFC 9396). */
export interface AuthorizationType {
  readonly type: string
  /** A sentence for those who are asked for their consent. */
  readonly description: string
}

export interface Resource {
  /** A URI that is removed and added again is another resource: tokens of the first one stay ended. */
  readonly id: string
  /** As it was typed; it is the audience of tokens. */
  readonly uri: string
  readonly scopes: readonly ResourceScope[]
  readonly isDefault: boolean
  /** There only if it has some. */
  readonly types?: readonly AuthorizationType[]
}

export const resourceEvents = declareEvents({
  /** All resources after the change. */
  'resources.set.v1': data<{ readonly resources: readonly Resource[] }>(),
  /** The project was removed. */
  'resources.removed.v1': data(),
})

export type ResourceEvent = EventOf<typeof resourceEvents>
