/** Prints what the tests of a run came to. */
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

/** The slowest files, why tests were skipped, all failures once more and, in the last line, the numbers. */
export function printSummary(shares: readonly ShareResult[], milliseconds: number): void {
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
  console.log(
    `\n${passed} passed, ${failed} failed, ${skipped} skipped: ${files.length} files in ${Math.round(milliseconds / 1000)} s`,
  )
}
