/** `signet import zitadel …`: everything of another product, written into the database of this instance. */
import type { Command } from 'commander'
import { externalUrl } from '../../config/external-url.ts'
import type { Config } from '../../config/index.ts'
import { JSON_FLAG } from '../transfer-commands.ts'
import type { SourceCommand } from './source-command.ts'
import { SOURCES } from './sources.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

interface MoveFlags {
  readonly dryRun?: boolean
  readonly report?: string
  readonly json?: boolean
}

async function move({ say, settings }: Output, command: SourceCommand, args: readonly string[], flags: MoveFlags) {
  const config = settings()
  const { dryRun: isDryRun = false, report, json: isQuiet = false } = flags
  const [{ withTarget }, { runMove }, { describeSummary }] = await Promise.all([
    import('./target.ts'),
    import('./move.ts'),
    import('./report.ts'),
  ])
  const source = await command.open(args, flags as Readonly<Record<string, string | boolean | undefined>>)
  try {
    const summary = await withTarget(config, externalUrl(config, config.listen.port), isDryRun, (app) =>
      runMove(app, source, { isDryRun, report, isQuiet }),
    )
    if (isQuiet) say(JSON.stringify(summary))
    else for (const line of describeSummary(summary)) say(line)
    if (Object.values(summary.kinds).some(({ refused }) => refused > 0)) process.exitCode = 1
  } finally {
    await source.close?.()
  }
}

/** Adds a command for each product to `signet import`. */
export function addMoveCommands(importing: Command, output: Output, sources = SOURCES): void {
  for (const source of sources) {
    const command = importing.command(source.name).description(source.description)
    for (const [name, description] of source.arguments) command.argument(name, description)
    for (const [flags, description] of source.options) command.option(flags, description)
    command
      .option('--dry-run', 'say what would become of everything, on a copy that is thrown away')
      .option('--report <file>', 'write the report with every problem to this file, as JSON')
      .option(...JSON_FLAG)
      .action(async (...given: unknown[]) => {
        const args = given.slice(0, source.arguments.length).map(String)
        await move(output, source, args, given[source.arguments.length] as MoveFlags)
      })
  }
}
