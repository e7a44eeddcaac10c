/**
 * `npm run bench [part …] [size]`: measures the parts named, or all that are not marked `onlyWhenNamed`. Each row is the
 * median of rounds, and its ratio is to something that took turns with it. The rows of each part are printed as soon as
 * it has ended, with the noise of the machine meanwhile, and all of them again in one table. A part that fails is a row
 * too; the exit code is then 1.
 */
import { fork } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, serverVariable, startPostgres } from '../test/support/postgres.ts'
import { describeNoise, observeNoise } from './noise.ts'
import type { PartResult } from './part.ts'
import { parts } from './parts.ts'
import { median } from './statistics.ts'
import { printTable, type Row } from './table.ts'

const words = process.argv.slice(2)
const wanted = words.filter((word) => !/^\d+$/.test(word))
const size = words.find((word) => /^\d+$/.test(word))

let removePart = () => {}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    removePart()
    process.exit(1)
  })
}

/** The part leads a process group, so that a failed one leaves no server behind, and has a folder for all its files. */
async function runPart(name: string): Promise<PartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-bench-'))
  // PostgreSQL does not run as root: its own user must be able to reach its files.
  chmodSync(folder, 0o755)
  const child = fork(new URL('part.ts', import.meta.url), [name, ...(size === undefined ? [] : [size])], {
    detached: true,
    env: { ...process.env, TMPDIR: folder },
  })
  removePart = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // Nothing is left of the group.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const result = await new Promise<PartResult>((resolve) => {
    child.once('message', (message) => resolve(message as PartResult))
    child.once('exit', (code, signal) => resolve({ failure: `the process ended with ${code ?? signal}` }))
  })
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
  removePart()
  removePart = () => {}
  return result
}

/** How far the rounds of the bare servers spread, which do the same work in each. */
function describeSpread(rows: readonly Row[]): string {
  const spreads = rows.flatMap(({ isBare, spread }) => (isBare && spread !== undefined ? [spread] : []))
  if (spreads.length === 0) return ''
  return `; rounds of bare rows spread by ${(median(spreads) * 100).toFixed(0)} %`
}

const unknown = wanted.filter((word) => !parts.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${parts.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`)
process.env[serverVariable] ||= findPostgres() ? (await startPostgres()).url() : 'none'
const rows: Row[] = []
const noiseOfAll = observeNoise()
for (const { name, onlyWhenNamed } of parts) {
  if (wanted.length === 0 ? onlyWhenNamed : !wanted.includes(name)) continue
  const began = performance.now()
  const noise = observeNoise()
  const result = await runPart(name)
  if ('failure' in result) process.exitCode = 1
  const found = 'rows' in result ? result.rows : [{ what: name, figure: 'FAILED', note: result.failure }]
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${name} (${seconds} s): ${describeNoise(noise())}${describeSpread(found)}`)
  printTable(found)
  console.log()
  rows.push(...found)
}
console.log(`All parts: ${describeNoise(noiseOfAll())}${describeSpread(rows)}`)
printTable(rows)
// The PostgreSQL server ends with this process.
process.exit()
