/**
 * Runs inside a process of tests and tells the runner what happens: which test has begun, how it ended, what it said. The
 * runner prints it, and sees when nothing happens any more.
 */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { findLeftOpen, type LeftOpen, watchOpening } from './left-open.ts'

/** What the runner is told. */
export type TestNews =
  // At the moment at which it happens.
  | { readonly type: 'begun' | 'ended'; readonly name: string; readonly nesting: number; readonly line: number }
  // What follows comes in the order of the file, each inside the one before.
  | { readonly type: 'reporting'; readonly name: string; readonly nesting: number }
  | {
      readonly type: 'reported'
      readonly name: string
      readonly nesting: number
      readonly file: string
      readonly line: number
      readonly isSuite: boolean
      readonly milliseconds: number
      readonly result: 'passed' | 'failed' | 'skipped'
      /** Why it failed; not set when a test inside it did. Why it was skipped. */
      readonly reason: string | undefined
    }
  | { readonly type: 'said' }
  | { readonly type: 'complete' }
  // The answer when the runner asks what keeps the process alive.
  | { readonly type: 'left open'; readonly open: readonly LeftOpen[] }

// A runner that was killed leaves nothing behind.
process.on('disconnect', () => process.exit(1))
process.on('message', () => process.send?.({ type: 'left open', open: findLeftOpen() } satisfies TestNews))
process.channel?.unref()
watchOpening()

function describe(error: Error): string | undefined {
  if ('failureType' in error && error.failureType === 'subtestsFailed') return undefined
  return inspect(error.cause ?? error, { depth: 6, maxStringLength: 10_000 })
}

function newsOf({ type, data }: TestEvent): TestNews | undefined {
  if (type === 'test:dequeue') return { type: 'begun', name: data.name, nesting: data.nesting, line: data.line ?? 0 }
  if (type === 'test:complete') return { type: 'ended', name: data.name, nesting: data.nesting, line: data.line ?? 0 }
  if (type === 'test:start') return { type: 'reporting', name: data.name, nesting: data.nesting }
  if (type === 'test:diagnostic') return { type: 'said' }
  if (type === 'test:summary') return { type: 'complete' }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  const { name, nesting, file = '', line = 0, skip, todo, details } = data
  const hasFailed = type === 'test:fail' && todo === undefined
  return {
    type: 'reported',
    name,
    nesting,
    file,
    line,
    isSuite: details.type === 'suite',
    milliseconds: details.duration_ms,
    result: hasFailed ? 'failed' : skip === undefined && todo === undefined ? 'passed' : 'skipped',
    reason: hasFailed && 'error' in details ? describe(details.error) : typeof skip === 'string' ? skip : undefined,
  }
}

// biome-ignore lint/style/noDefaultExport: Node takes the default export of a reporter.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const news = newsOf(event)
    if (news !== undefined) process.send?.(news)
  }
  yield ''
}
