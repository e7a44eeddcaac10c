/**
 * Values that follow from documents alone. Such a value is kept until a document changes that was read for it, and nobody would
 * notice that it depends on anything else, on the time for example. So how it is computed is declared once, outside of every
 * request: the function gets a finder and texts, and has neither a clock nor the time of a call in reach.
 */
import type { Finder } from './finder.ts'

interface Declared<About extends readonly string[], Value> {
  readonly name: string
  /** Must read with this finder. Neither undefined nor a value from thousands of found documents is kept. */
  compute(finder: Finder, ...about: About): Promise<Value>
  /** What tells the values apart; by default all that they are about. For one that is about a secret: its digest. */
  key?(...about: About): string
}

const names = new Set<string>()

/** A class, so that the store accepts nothing that was not declared. */
class DeclaredComputation<About extends readonly string[], Value> {
  readonly #declared: Declared<About, Value>

  constructor(declared: Declared<About, Value>) {
    this.#declared = declared
  }

  keyOf(about: About): string {
    const { name, key } = this.#declared
    return [name, ...(key === undefined ? about : [key(...about)])].join('\0')
  }

  compute(finder: Finder, about: About): Promise<Value> {
    return this.#declared.compute(finder, ...about)
  }
}

export type Computation<About extends readonly string[], Value> = DeclaredComputation<About, Value>

/** Declares how a value is computed. Inside of a function, where the time is in reach, the second call would throw. */
export function computation<About extends readonly string[], Value>(
  declared: Declared<About, Value>,
): Computation<About, Value> {
  if (names.has(declared.name)) throw new Error(`the computation ${declared.name} is declared twice`)
  names.add(declared.name)
  return new DeclaredComputation(declared)
}
