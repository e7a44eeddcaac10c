/** Walks along sorted rows of several tables at the same time. */

/** The values of an iterator, looked at one ahead. */
export class Ahead<Value> {
  readonly #values: AsyncIterator<Value>
  current: Value | undefined

  constructor(values: AsyncIterable<Value>) {
    this.#values = values[Symbol.asyncIterator]()
  }

  async next(): Promise<void> {
    const { value, done } = await this.#values.next()
    this.current = done === true ? undefined : value
  }
}

/** Whether an ID comes first: both databases compare IDs by their bytes. */
export function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
}
