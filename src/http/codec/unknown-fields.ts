/**
 * The members of a request that no field has. They are ignored, as clients of other versions expect, and named in a header of
 * the response, so that a typing error can be found.
 */
import type { Message } from '@bufbuild/protobuf'

export const UNKNOWN_FIELDS_HEADER = 'signet-unknown-fields'

const MOST_NAMED = 10
const LONGEST = 100

/** Collects the paths; the caller chose them, so they are bounded and have only characters that a header may have. */
export class UnknownFields {
  readonly #paths: string[] = []
  #isMore = false

  add(path: string): void {
    if (this.#paths.length === MOST_NAMED) this.#isMore = true
    else this.#paths.push(path.slice(0, LONGEST).replace(/[^\w.[\]@$-]/g, '?'))
  }

  /** The value of the header; undefined when there is nothing to say. */
  get header(): string | undefined {
    if (this.#paths.length === 0) return undefined
    return [...this.#paths, ...(this.#isMore ? ['...'] : [])].join(', ')
  }
}

const noted = new WeakMap<Message, string>()

/** Remembers what was unknown beside a message. */
export function noteUnknownFields(message: Message, header: string | undefined): void {
  if (header !== undefined) noted.set(message, header)
}

/** The value of the header for the response to a message; undefined when everything was known. */
export function unknownFieldsBeside(message: Message): string | undefined {
  return noted.get(message)
}
