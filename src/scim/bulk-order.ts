/** The order of the operations of a bulk request: what is created comes before what refers to it (RFC 7644 §3.7.2). */
import { isList, isObject, type Json, memberInAnyCase } from './values.ts'

/** The name in a text that stands for the ID of something created in the same request. */
export function bulkIdIn(text: string): string | undefined {
  return /^bulkid:(.+)$/i.exec(text)?.[1]?.toLowerCase()
}

function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (isList(value)) for (const one of value) yield* textsIn(one)
  else if (isObject(value)) for (const one of Object.values(value)) yield* textsIn(one)
}

/** What an operation refers to. */
function* namesIn(operation: Json): Generator<string> {
  if (!isObject(operation)) return
  const path = memberInAnyCase(operation, 'path')
  const places = typeof path === 'string' ? path.split('/') : []
  for (const text of [...places, ...textsIn(memberInAnyCase(operation, 'data'))]) {
    const name = bulkIdIn(text)
    if (name !== undefined) yield name
  }
}

function nameOf(operation: Json): string | undefined {
  const name = isObject(operation) ? memberInAnyCase(operation, 'bulkId') : undefined
  return typeof name === 'string' && name !== '' ? name.toLowerCase() : undefined
}

/** The positions of operations in the order in which they run: as they came, except for those that refer to later ones. */
export function runOrder(operations: readonly Json[]): readonly number[] {
  const missing = new Set(operations.flatMap((operation) => nameOf(operation) ?? []))
  const order: number[] = []
  let waiting = operations.map((operation, index) => ({ index, operation, names: [...new Set(namesIn(operation))] }))
  while (waiting.length > 0) {
    const later: typeof waiting = []
    for (const one of waiting) {
      const name = nameOf(one.operation)
      const first = one.names.findIndex((other) => missing.has(other) && other !== name)
      if (first >= 0) {
        // Those before it are there, and are not looked up again.
        later.push(first === 0 ? one : { ...one, names: one.names.slice(first) })
        continue
      }
      order.push(one.index)
      if (name !== undefined) missing.delete(name)
    }
    // Those that refer to each other run as they came, and the first of them is refused.
    if (later.length === waiting.length) return [...order, ...later.map(({ index }) => index)]
    waiting = later
  }
  return order
}
