/** One part of the benchmark in a process of its own: `main.ts` starts it and gets the rows, or the reason of a failure. */
import { parts } from './parts.ts'
import type { Row } from './table.ts'

/** What the process tells. */
export type PartResult = { readonly rows: readonly Row[] } | { readonly failure: string }

function tell(result: PartResult): void {
  process.send?.(result, () => process.exit('failure' in result ? 1 : 0))
}

function fail(error: unknown): void {
  console.error(error)
  tell({ failure: String(error) })
}

if (import.meta.main) {
  const [, , name, size] = process.argv
  // Load generators work in callbacks of sockets, where nothing else catches an error.
  process.on('uncaughtException', fail)
  const part = parts.find((one) => one.name === name)
  if (part === undefined) throw new Error(`there is no part ${name}`)
  try {
    tell({ rows: await part.run(size === undefined ? undefined : Number(size)) })
  } catch (error) {
    fail(error)
  }
}
