/** The real server with two more pages: one that waits as long as its path says, and one that lets an error escape. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { runProgram as RunProgram } from '../../src/cli/program.ts'
import { findBuild } from '../../src/config/checkout-build.js'
import type { PageAnswer, PageRequest } from '../../src/http/page.ts'

async function wait({ path }: PageRequest): Promise<PageAnswer> {
  await sleep(Number(/^\/wait\/(\d+)$/.exec(path)?.[1] ?? 0))
  return { status: 200, contentType: 'text/plain', body: `${process.pid}` }
}

async function die(): Promise<PageAnswer> {
  setTimeout(() => Promise.reject(new Error('an error that escaped')), 1)
  return { status: 200, contentType: 'text/plain', body: `${process.pid}` }
}

const program: { readonly runProgram: typeof RunProgram } = await import(
  findBuild('program') ?? '../../src/cli/program.ts'
)

await program.runProgram(
  process.argv,
  new Map([
    ['/wait/*', { answer: wait }],
    ['/die', { answer: die }],
  ]),
)
