/** `signet events` on the command line. */
import type { Command } from 'commander'
import type { Config } from '../../config/index.ts'
import type { EventsFlags } from './events.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

export function addEventsCommand(program: Command, { say, complain, settings }: Output): void {
  program
    .command('events')
    .description('print the event log of a running server, one line for each event')
    .option('--follow', 'wait for new events; continues at its position when the connection is lost')
    .option(
      '--after <position>',
      'begin after this position or number (default: the beginning; with --follow, the end)',
    )
    .option('--type <types...>', 'only events of these types, such as user.human_added.v1')
    .option('--kind <kinds...>', 'only events of these types of objects, such as user')
    .option('--organization <id>', 'only events of objects of this organization')
    .option('--object <id>', 'only events of this object')
    .option('--json', 'print each event as one line of JSON, with its position')
    .option('--url <url>', 'URL of the server (default: SIGNET_EXTERNAL_URL)')
    .option('--token-file <file>', 'file that contains a personal access token (default: SIGNET_TOKEN, then admin.pat)')
    .action(async (flags: EventsFlags) => {
      // Whoever reads the output has seen enough, as `head` does.
      process.stdout.on('error', () => process.exit(0))
      const { printEvents } = await import('./events.ts')
      process.exitCode = await printEvents({ config: settings(), flags, say, complain })
    })
}
