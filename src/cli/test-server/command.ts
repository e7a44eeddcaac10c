/** `signet test-server`: its flags. */
import { type Command, InvalidArgumentError } from 'commander'
import { WRONG_SETTINGS } from '../../config/exit-codes.ts'
import { EPOCH } from '../../kernel/id.ts'

interface Flags {
  readonly json?: boolean
  readonly clock?: Date
}

interface Voice {
  say(line: string): void
  complain(line: string): void
}

function readTime(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:00:00Z.')
  if (at.getTime() > Date.now()) throw new InvalidArgumentError('It must be in the past.')
  // IDs count from then on.
  if (at.getTime() < EPOCH) throw new InvalidArgumentError('It must be in 2026 or later.')
  return at
}

export function addTestServerCommand(program: Command, { say, complain }: Voice): void {
  program
    .command('test-server')
    .description('run a real server for tests: in a temporary folder, on this machine alone, until its parent ends')
    .option('--json', 'print one line of JSON with url, adminToken, loginToken and inboxKey')
    .option('--clock <time>', 'where its clock starts, in the past', readTime)
    .action(async ({ json: isJson = false, clock }: Flags) => {
      const { runTestServer } = await import('./run.ts')
      for (const line of await runTestServer({ isJson, clock, say })) {
        complain(line)
        process.exitCode = WRONG_SETTINGS
      }
    })
}
