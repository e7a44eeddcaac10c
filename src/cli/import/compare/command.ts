/** The command that compares two servers. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '../../../config/index.ts'
import type { CompareFlags } from './run.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('It must be a positive number.')
  return count
}

/** Adds it to `signet import`. */
export function addCompareCommand(importing: Command, { say, complain, settings }: Output): void {
  importing
    .enablePositionalOptions()
    .command('compare')
    .description('ask a server and the one that its data came from the same questions, and print the differences')
    .argument('<source>', 'URL of the server that the data came from')
    .requiredOption('--source-token-file <file>', 'file that contains a token of an administrator there')
    .option(
      '--realm <name>',
      'the source is a Keycloak: ask both who gets in, and print where only this server says yes',
    )
    .option('--url <url>', 'URL of this server (default: SIGNET_EXTERNAL_URL)')
    .option('--token-file <file>', 'file that contains a personal access token (default: SIGNET_TOKEN, then admin.pat)')
    .option('--every <n>', 'compare credentials and metadata of one in n users only', readCount, 1)
    .option('--ignore <members...>', 'members of answers that may differ', [])
    .option('--json', 'print each difference, and then the result, as one line of JSON')
    .action(async (source: string, flags: CompareFlags) => {
      const { runCompare } = await import('./run.ts')
      process.exitCode = await runCompare({ config: settings(), source, flags, say, complain })
    })
}
