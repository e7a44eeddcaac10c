/** `signet bench` on the command line: its options, and how its result is printed. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '../../config/index.ts'
import { groupDigits } from '../progress.ts'
import type { TargetFlags } from '../server-target.ts'
import type { BenchRow } from './bench.ts'

interface BenchFlags extends TargetFlags {
  readonly seconds: number
  readonly callers: number
  readonly write?: boolean
  readonly json?: boolean
}

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

function wholeNumber(most: number) {
  return (text: string): number => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (number >= 1 && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`)
  }
}

function describeRow({ name, perSecond, p50Ms, p95Ms, p99Ms, refused, failed }: BenchRow): string {
  const figures = [`p50 ${p50Ms.toFixed(1)} ms`, `p95 ${p95Ms.toFixed(1)} ms`, `p99 ${p99Ms.toFixed(1)} ms`]
  if (refused > 0) figures.push(`${groupDigits(refused)} refused (429)`)
  if (failed > 0) figures.push(`${groupDigits(failed)} failed`)
  return `${name.padEnd(24)} ${`${groupDigits(perSecond)}/s`.padStart(10)}   ${figures.join(', ')}`
}

export function addBenchCommand(program: Command, { say, complain, settings }: Output): void {
  program
    .command('bench')
    .description('measure the rate and the latency of a running server, as this machine sees it')
    .option('--url <url>', 'URL of the server (default: SIGNET_EXTERNAL_URL)')
    .option('--token-file <file>', 'file that contains a personal access token (default: SIGNET_TOKEN, then admin.pat)')
    .option('--seconds <number>', 'how long to measure each row', wholeNumber(3600), 5)
    .option('--callers <number>', 'how many requests are in flight at the same time', wholeNumber(1000), 16)
    .option('--write', 'also create sessions and sign in, with a user that is created for it and removed afterwards')
    .option('--json', 'print the result as one line of JSON')
    .action(async ({ seconds, callers, write = false, json = false, ...target }: BenchFlags) => {
      const config = settings()
      const { bench } = await import('./bench.ts')
      const report = json ? () => {} : (row: BenchRow) => say(describeRow(row))
      const result = await bench({ config, target, seconds, callers, mayWrite: write, report, complain })
      if (json) say(JSON.stringify(result))
      process.exitCode = result.rows.some(({ failed }) => failed > 0) ? 1 : 0
    })
}
