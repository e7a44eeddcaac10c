/** Prints what the tests of a run came to. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure, FileResult, ShareResult } from './run-share.ts'

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ')
}

/** A line for each file that has ended, and everything about those that failed. */
export function printShare({ files, failures, output }: ShareResult, isDetailed: boolean): void {
  if (isDetailed) process.stdout.write(output)
  for (const { file, passed, failed, skipped, milliseconds } of files) {
    const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
    console.log(`${failed > 0 ? '✖' : '✔'} ${file}: ${counts.filter(Boolean).join(', ')} in ${seconds(milliseconds)}`)
  }
  printFailures(failures)
  if (failures.length > 0 && !isDetailed && output.trim() !== '') console.log(indent(`It printed:\n${output}`))
}

function printFailures(failures: readonly Failure[]): void {
  for (const { where, name, reason } of failures) console.log(`✖ ${where}\n  ${name}\n${indent(reason)}`)
}

function countOf(files: readonly FileResult[], of: 'passed' | 'failed' | 'skipped'): number {
  return files.reduce((sum, file) => sum + file[of], 0)
}

const SLOWEST = 10

/** One run of all tests. */
export interface RunResult {
  readonly shares: readonly ShareResult[]
  readonly milliseconds: number
  /** What the processes used; 0 where it is not known. */
  readonly processorMilliseconds: number
}

/** Keeps what a process printed and why it failed, in a file of its own. */
export function keepOutput(folder: string, { files, failures, output }: ShareResult): void {
  if (failures.length === 0) return
  const name = `${Date.now()}-${(files[0]?.file ?? '').replaceAll(/[^\w.]+/g, '-')}.txt`
  const reasons = failures.map(({ where, name: test, reason }) => `${where}\n${test}\n${reason}\n\n`)
  writeFileSync(join(folder, name), `${reasons.join('')}${output}`)
}

/** What failed how often, and how long each run took. */
export function printRepeated(runs: readonly RunResult[], folder: string): void {
  console.log('\n  run   passed   failed   seconds   of processors')
  for (const [index, { shares, milliseconds, processorMilliseconds }] of runs.entries()) {
    const files = shares.flatMap((share) => share.files)
    const counts = [countOf(files, 'passed'), countOf(files, 'failed')]
    const times = [milliseconds, processorMilliseconds].map((time) => Math.round(time / 1000))
    const widths = [5, 9, 9, 10, 16]
    console.log(
      [index + 1, ...counts, ...times].map((cell, column) => String(cell).padStart(widths[column] ?? 0)).join(''),
    )
  }
  const failures = runs.flatMap(({ shares }) => shares.flatMap((share) => share.failures))
  const byTest = Map.groupBy(failures, ({ where, name }) => `${where} ${name}`)
  const most = [...byTest].toSorted(([, one], [, other]) => other.length - one.length)
  console.log(
    failures.length === 0 ? '\nNothing failed.' : `\nWhat failed, of ${runs.length} runs (output: ${folder}):`,
  )
  for (const [test, times] of most) console.log(`${String(times.length).padStart(5)}  ${test}`)
}

/** The slowest files, why tests were skipped, all failures once more and, in the last line, the numbers. */
export function printSummary({ shares, milliseconds, processorMilliseconds }: RunResult): void {
  const files = shares.flatMap((share) => share.files)
  const failures = shares.flatMap((share) => share.failures)
  if (files.length > SLOWEST) {
    console.log('\nThe slowest files:')
    const slowest = files.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST)
    for (const one of slowest) console.log(`${seconds(one.milliseconds).padStart(9)}  ${one.file}`)
  }
  const skips = Map.groupBy(
    shares.flatMap(({ skips }) => [...skips]),
    ([reason]) => reason,
  )
  for (const [reason, counts] of skips) {
    console.log(`\nSkipped ${counts.reduce((sum, [, count]) => sum + count, 0)}: ${reason}`)
  }
  if (failures.length > 0) console.log(`\nThe failures once more:`)
  printFailures(failures)
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((of) => countOf(files, of))
  const used = processorMilliseconds > 0 ? `, ${Math.round(processorMilliseconds / 1000)} s of processor time` : ''
  const time = `${Math.round(milliseconds / 1000)} s${used}`
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped: ${files.length} files in ${time}`)
}
