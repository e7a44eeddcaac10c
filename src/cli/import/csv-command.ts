/** The options of `signet import <file>`, and `signet import csv <file>`, whose help shows what it can read. */
import type { Command } from 'commander'
import { CSV_PRESETS } from '../../kernel/csv/column-mapping.ts'
import { USER_COLUMNS } from '../../kernel/csv/user-columns.ts'
import type { ImportFlags } from './import.ts'

/** How users are sent to a running server, whatever the file is. */
export function addUploadOptions(command: Command): Command {
  return command
    .option('--url <url>', 'URL of the server (default: SIGNET_EXTERNAL_URL)')
    .option('--token-file <file>', 'file that contains a personal access token (default: SIGNET_TOKEN, then admin.pat)')
    .option('--organization <id>', 'organization for lines that do not name one')
    .option('--resume', 'continue after the last processed line')
    .option('--check', 'CSV: only say what would be imported, and which rows have errors')
    .option('--skip-invalid', 'CSV: import the other rows even if some have errors')
    .option('--preset <name>', 'CSV: the product that wrote the file; see signet import csv --help')
    .option('--mapping <file>', 'CSV: a JSON file that says which heading means which column')
}

function help(): string {
  const width = Math.max(...Object.keys(CSV_PRESETS).map((name) => name.length))
  const presets = Object.entries(CSV_PRESETS).map(([name, { from }]) => `  ${name.padEnd(width)}  ${from}`)
  return `
Columns: ${USER_COLUMNS.map(({ name }) => name).join(', ')}, metadata.<key>

Presets, for --preset:
${presets.join('\n')}

A mapping file, for --mapping (all members but "columns" are optional):
  {
    "columns": { "Mail": "email", "First name": "given_name", "Team": "metadata.team", "Notes": null },
    "others": "refuse | ignore | metadata",
    "values": { "Enabled": { "yes": "active", "no": "inactive" } },
    "constants": { "email_verified": "true" }
  }

Try it first:
  signet import csv users.csv --preset okta --check`
}

/** Adds `csv` to `signet import`. */
export function addCsvCommand(importing: Command, act: (file: string, options: ImportFlags) => Promise<void>): void {
  const command = importing
    .command('csv')
    .description('import users from a CSV file of any product into a running server')
    .argument('<file>', 'CSV in UTF-8, whose first line names the columns')
  addUploadOptions(command)
    .addHelpText('after', help)
    .action((file: string, _: object, self: Command) => act(file, { ...self.optsWithGlobals(), csv: true }))
}
